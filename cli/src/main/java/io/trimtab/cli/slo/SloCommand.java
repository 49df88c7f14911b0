package io.trimtab.cli.slo;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.formats.Sla;
import io.trimtab.formats.TableChoice;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.Provisioner.Answer;
import io.trimtab.models.capacity.Provisioner.Choice;
import io.trimtab.models.capacity.ProvisioningTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Nodes that service level objectives need. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    name = "slo",
    description = "Plans capacity: how many nodes a service level objective needs.",
    subcommands = {SloCommand.SloPlanCommand.class, SloCommand.Admit.class},
    footer = {
      "",
      "Examples:",
      "  trimtab slo table build cassandra --workload zipf.yaml --clients 8,16,32 --nodes 3-5"
          + " --node-type small --out zipf.csv",
      "  trimtab slo plan --table zipf.csv --sla shop.yaml",
      "  trimtab slo admit --table zipf.csv --sla new.yaml --committed shop.yaml --nodes small=8"
    })
public final class SloCommand implements Runnable {
  /** An agreement was refused; nothing is wrong with the question. */
  static final int REJECTED = 1;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /** Tables and prices, which all questions need. */
  static final class Tables {
    @Option(
        names = "--table",
        required = true,
        paramLabel = "FILE",
        description = {
          "Table as CSV: workload,nodeType,clients,nodes,responseTimeMs,throughputMBps",
          "[,p95Ms][,p99Ms][,samples][,dataSize][,rowSize][,locality][,reads].",
          "Of several tables of a workload and node type, the nearest that covers the agreement is",
          "used."
        })
    private List<Path> files = new ArrayList<>();

    @Option(
        names = "--price",
        paramLabel = "TYPE=P",
        description =
            "Price per node-hour of a node type; without prices, minimizes the number of nodes.")
    private Map<String, Double> prices = new TreeMap<>();

    Answer plan(Path file, Sla sla, ToIntFunction<String> most) {
      prices.forEach(
          (type, price) -> {
            if (!(price >= 0 && price < Double.POSITIVE_INFINITY)) {
              throw new UserError("--price " + type + " must be ≥ 0, not " + price);
            }
          });
      ProvisioningTable table = TableChoice.of(file, sla, files);
      return Provisioner.plan(table, sla.toObjective(), prices, most);
    }
  }

  /** The cluster for one agreement. */
  @Command(
      name = "plan",
      description = {
        "Chooses the cheapest cluster that meets an agreement.",
        "Minimizes the price per hour; without prices, the number of nodes. The output also has",
        "the estimates for one node fewer and one node more. Exit code 1: no measured cluster",
        "meets the agreement."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab slo plan --table zipf.csv --sla shop.yaml",
        "  trimtab slo plan --table zipf.csv --sla shop.yaml --price small=0.044"
            + " --price medium=0.087 --json"
      })
  static final class SloPlanCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin private Tables tables;

    @Option(names = "--sla", required = true, paramLabel = "FILE", description = "YAML.")
    private Path file;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    SloPlanCommand(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      Sla sla = Sla.read(file);
      Answer answer = tables.plan(file, sla, type -> Integer.MAX_VALUE);
      terminal.line(json ? JsonOutput.text(json(sla, answer)) : text(sla, answer));
      return answer.chosen().isPresent() ? 0 : REJECTED;
    }

    private static Map<String, Object> json(Sla sla, Answer answer) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("sla", sla.name());
      result.put("chosen", answer.chosen().map(SloText::json).orElse(null));
      result.put("fewer", answer.fewer().map(SloText::json).orElse(null));
      result.put("more", answer.more().map(SloText::json).orElse(null));
      result.put("nearest", answer.best().map(SloText::json).orElse(null));
      return result;
    }

    private static String text(Sla sla, Answer answer) {
      List<String> lines = new ArrayList<>();
      lines.add(sla.name() + ": " + SloText.objective(sla.toObjective()));
      answer.chosen().ifPresent(c -> lines.add("chosen:  " + SloText.choice(c)));
      answer.fewer().ifPresent(c -> lines.add("fewer:   " + SloText.choice(c)));
      answer.more().ifPresent(c -> lines.add("more:    " + SloText.choice(c)));
      if (answer.chosen().isEmpty()) {
        lines.add("no measured cluster meets it");
        answer.best().ifPresent(c -> lines.add("nearest: " + SloText.choice(c)));
      }
      return String.join(System.lineSeparator(), lines);
    }
  }

  /** Whether there is room for one more agreement. */
  @Command(
      name = "admit",
      description = {
        "Accepts an agreement if enough nodes are left for it, or rejects it.",
        "Every agreement gets a cluster of its own, so the nodes of the agreements made before are",
        "not available. Agreements that share one cluster (slo.also) count the same. Exit code 1:",
        "rejected."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab slo admit --table zipf.csv --sla new.yaml --committed shop.yaml --nodes small=8"
      })
  static final class Admit implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin private Tables tables;

    @Option(names = "--sla", required = true, paramLabel = "FILE", description = "YAML.")
    private Path file;

    @Option(
        names = "--committed",
        paramLabel = "FILE",
        description = "Agreement accepted before (YAML); repeat for each.")
    private List<Path> committed = new ArrayList<>();

    @Option(
        names = "--nodes",
        required = true,
        paramLabel = "TYPE=N",
        description = "Total number of nodes of a type.")
    private Map<String, Integer> nodes = new TreeMap<>();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    Admit(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      nodes.forEach(
          (type, n) -> {
            if (n < 0) {
              throw new UserError("--nodes " + type + " must be ≥ 0, not " + n);
            }
          });
      Map<String, Integer> left = new TreeMap<>(nodes);
      List<String> why = new ArrayList<>();
      for (Path path : committed) {
        Sla sla = Sla.read(path);
        Choice choice = tables.plan(path, sla, left(left)).chosen().orElse(null);
        if (choice == null) {
          throw new UserError(
              path + ": accepted before, but no measured cluster of the remaining nodes meets it");
        }
        left.merge(choice.nodeType(), -choice.nodes(), Integer::sum);
        why.add("%s has %d of type %s".formatted(sla.name(), choice.nodes(), choice.nodeType()));
      }
      Sla sla = Sla.read(file);
      Answer answer = tables.plan(file, sla, left(left));
      boolean accepted = answer.chosen().isPresent();
      // The reason follows from what it would get without the committed ones.
      Answer alone = accepted ? answer : tables.plan(file, sla, type -> Integer.MAX_VALUE);
      alone
          .chosen()
          .ifPresentOrElse(
              c -> why.add(needs(sla, c, left)),
              () -> why.add("no measured cluster meets " + sla.name()));
      alone.best().ifPresent(c -> why.add("nearest: " + SloText.choice(c)));
      terminal.line(
          json ? JsonOutput.text(json(sla, accepted, answer, why)) : text(sla, accepted, why));
      return accepted ? 0 : REJECTED;
    }

    private static ToIntFunction<String> left(Map<String, Integer> left) {
      return type -> left.getOrDefault(type, 0);
    }

    private static String needs(Sla sla, Choice choice, Map<String, Integer> left) {
      return "%s needs %d of type %s, %d are left"
          .formatted(
              sla.name(),
              choice.nodes(),
              choice.nodeType(),
              left.getOrDefault(choice.nodeType(), 0));
    }

    private static Map<String, Object> json(
        Sla sla, boolean accepted, Answer answer, List<String> why) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("sla", sla.name());
      result.put("accepted", accepted);
      result.put("chosen", answer.chosen().map(SloText::json).orElse(null));
      result.put("why", why);
      return result;
    }

    private static String text(Sla sla, boolean accepted, List<String> why) {
      return sla.name()
          + (accepted ? ": accepted" : ": rejected")
          + System.lineSeparator()
          + String.join(System.lineSeparator(), why.stream().map(w -> "  " + w).toList());
    }
  }
}

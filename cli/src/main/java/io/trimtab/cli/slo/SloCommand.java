package io.trimtab.cli.slo;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.formats.Sla;
import io.trimtab.formats.TableChoice;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.Provisioner.Answer;
import io.trimtab.models.capacity.ProvisioningTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    description = "From a service level agreement to a cluster that keeps it.",
    subcommands = {
      SloCommand.SloPlanCommand.class,
      SloAdmit.class,
      SloProvision.class,
      SloRelease.class,
      SloStatus.class
    },
    footer = {
      "",
      "Examples:",
      "  trimtab slo table build cassandra --workload zipf.yaml --clients 8,16,32 --nodes 3-5"
          + " --node-type small --out zipf.csv",
      "  trimtab slo plan --table zipf.csv --sla shop.yaml",
      "  trimtab slo admit --table zipf.csv --sla new.yaml --committed shop.yaml --nodes small=8",
      "  trimtab slo provision shop.yaml --table zipf.csv --cassandra 10.0.0.4"
          + " --provider provider.yaml",
      "  trimtab slo status"
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

    /** The tables, as files. */
    List<Path> files() {
      return files;
    }

    /** The types of nodes of the tables that cover an agreement. */
    Set<String> nodeTypes(Path file, Sla sla) {
      return TableChoice.of(file, sla, files).nodeTypes(sla.workload());
    }

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
}

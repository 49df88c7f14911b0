package io.trimtab.cli.slo;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.agreement.Commitment;
import io.trimtab.controller.agreement.Compliance;
import io.trimtab.formats.Sla;
import io.trimtab.models.capacity.MachineBudget;
import io.trimtab.models.capacity.Provisioner.Answer;
import io.trimtab.models.capacity.Provisioner.Choice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether there is room for one more agreement. */
@Command(
    name = "admit",
    description = {
      "Accepts an agreement if enough nodes are left for it, or rejects it.",
      "Every agreement gets a cluster of its own, so the nodes of the agreements made before are",
      "not available. Agreements that share one cluster (slo.also) count the same. Rejected while",
      "an agreement that was made before is missed, as journals of this host tell. With --fleet",
      "the file's clusters tell it too, and nodes need room on the machines of the file, beside",
      "what the others will use. Exit code 1: rejected."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab slo admit --table zipf.csv --sla new.yaml --committed shop.yaml --nodes small=8",
      "  trimtab slo admit --table zipf.csv --sla new.yaml --fleet fleet.yaml"
    })
final class SloAdmit implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private SloCommand.Tables tables;

  @Option(names = "--sla", required = true, paramLabel = "FILE", description = "YAML.")
  private Path file;

  @Option(
      names = "--committed",
      paramLabel = "FILE",
      description = "Agreement accepted before (YAML); repeat for each.")
  private List<Path> committed = new ArrayList<>();

  @Option(
      names = "--nodes",
      paramLabel = "TYPE=N",
      description = "Total number of nodes of a type; required without --fleet.")
  private Map<String, Integer> nodes = new TreeMap<>();

  @Option(
      names = "--fleet",
      paramLabel = "FILE",
      description = "Fleet file (YAML) with the agreements accepted before, and machines.")
  private Path fleet;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  SloAdmit(Terminal terminal) {
    this.terminal = terminal;
  }

  /** What limits the nodes of a type, and why. */
  private interface Room {
    int of(String nodeType);

    /** In words, for a choice that needs nodes of it. */
    List<String> why(Choice choice);
  }

  @Override
  public Integer call() {
    if (fleet == null && nodes.isEmpty()) {
      throw new UserError("--nodes is missing: it must tell how many nodes there are of a type");
    }
    if (fleet != null && !(committed.isEmpty() && nodes.isEmpty())) {
      throw new UserError(
          "--fleet tells what was accepted before, and where; leave out --committed and --nodes");
    }
    Sla sla = Sla.read(file);
    List<String> why = new ArrayList<>();
    List<Commitment> made = new ArrayList<>();
    Room room = fleet == null ? counted(made, why) : shared(made, why);
    List<String> broken = Commitment.broken(made);
    made.stream()
        .filter(commitment -> commitment.verdict() == Compliance.Verdict.UNKNOWN)
        .forEach(commitment -> why.add("nobody tells whether " + commitment.name() + " is kept"));
    Answer answer = tables.plan(file, sla, room::of);
    boolean fits = answer.chosen().isPresent();
    // The reason follows from what it would get without the committed ones.
    Answer alone = fits ? answer : tables.plan(file, sla, type -> Integer.MAX_VALUE);
    alone
        .chosen()
        .ifPresentOrElse(
            c -> why.addAll(needs(sla, c, room)),
            () -> why.add("no measured cluster meets " + sla.name()));
    alone.best().ifPresent(c -> why.add("nearest: " + SloText.choice(c)));
    why.addAll(broken);
    boolean accepted = fits && broken.isEmpty();
    terminal.line(
        json ? JsonOutput.text(json(sla, accepted, answer, why)) : text(sla, accepted, why));
    return accepted ? 0 : SloCommand.REJECTED;
  }

  private static List<String> needs(Sla sla, Choice choice, Room room) {
    List<String> needs = new ArrayList<>();
    needs.add(
        "%s needs %d of type %s, %d are left"
            .formatted(sla.name(), choice.nodes(), choice.nodeType(), room.of(choice.nodeType())));
    if (room.of(choice.nodeType()) < choice.nodes()) {
      needs.addAll(room.why(choice));
    }
    return needs;
  }

  /** Of so many nodes of each type, those of the agreements made before are taken. */
  private Room counted(List<Commitment> made, List<String> why) {
    nodes.forEach(
        (type, n) -> {
          if (n < 0) {
            throw new UserError("--nodes " + type + " must be ≥ 0, not " + n);
          }
        });
    Map<String, Integer> left = new TreeMap<>(nodes);
    ToIntFunction<String> of = type -> left.getOrDefault(type, 0);
    Commitments journals = new Commitments();
    for (Path path : committed) {
      Sla sla = Sla.read(path);
      Choice choice = tables.plan(path, sla, of).chosen().orElse(null);
      if (choice == null) {
        throw new UserError(
            path + ": accepted before, but no measured cluster of the remaining nodes meets it");
      }
      left.merge(choice.nodeType(), -choice.nodes(), Integer::sum);
      why.add("%s has %d of type %s".formatted(sla.name(), choice.nodes(), choice.nodeType()));
      made.add(journals.of(sla.name()));
    }
    return new Room() {
      @Override
      public int of(String nodeType) {
        return of.applyAsInt(nodeType);
      }

      @Override
      public List<String> why(Choice choice) {
        return List.of();
      }
    };
  }

  /** One node of a new cluster on each machine that has room for it. */
  private Room shared(List<Commitment> made, List<String> why) {
    FleetLook look = new FleetLook(fleet);
    if (!look.sharesMachines()) {
      throw new UserError(fleet + ": machines is missing: it must tell where nodes have room");
    }
    made.addAll(look.made());
    why.addAll(look.notes());
    MachineBudget budget = look.budget();
    return new Room() {
      @Override
      public int of(String nodeType) {
        return look.size(nodeType).map(budget::room).orElse(0);
      }

      @Override
      public List<String> why(Choice choice) {
        Optional<MachineBudget.Size> size = look.size(choice.nodeType());
        return size.map(budget::full)
            .orElseGet(() -> List.of(fleet + ": nodeTypes has no " + choice.nodeType()));
      }
    };
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

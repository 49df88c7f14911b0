package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.SharedState.Holder;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.EmptiedNode;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.Memory;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the cluster itself knows of its controllers. */
@Command(
    name = "status",
    description = {
      "Shows who is in charge of a cluster, and how far its plan is.",
      "That is read from the cluster, so that it is the same on every host. Slow nodes, clients",
      "above the agreed number and agreements are as autopilots on this host have told them."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab status --lab lab",
      "  trimtab status --zookeeper zk1:2181",
      "  trimtab status --zookeeper zk1:2181 --json",
      "",
      "With --json the output is {\"cluster\", \"inCharge\": name or null, \"openPlan\": id or",
      "null, \"dead\": [nodes], \"unreadable\": [nodes], \"told\": [{\"about\", \"text\"}]}."
    })
public final class StatusCommand implements Callable<Integer> {
  private static final long POLL_MS = 500;

  private final Terminal terminal;

  @Mixin private ClusterChoice choice;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  private final List<Told> told = new ArrayList<>();

  /** A line. */
  record Told(String about, String text) {}

  StatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    try (Engine engine = choice.connect()) {
      SharedState shared = engine.shared();
      Optional<Holder> found = seen(shared);
      Optional<Holder> holder = found.filter(h -> h.life() != Life.GONE);
      ControlDocuments.Found left = ControlDocuments.read(shared);
      tell("autopilot", found.map(StatusCommand::text).orElse("none is in charge"));
      tell("plan", left.open().map(o -> open(o, holder.isPresent())).orElse("none is open"));
      tell("last plan", left.memory().map(StatusCommand::last).orElse("none"));
      ControlDocuments.emptied(shared)
          .ifPresent(out -> tell("emptied", emptied(out, holder.isPresent())));
      ClusterSnapshot seen = engine.snapshot();
      tell(
          "balancer",
          text(seen.balancer())
              + kept(ControlDocuments.hold(shared), left.open(), holder.isPresent()));
      List<Entry> journal = journal(seen.clusterId());
      SpaceWarning.of(seen, journal).ifPresent(warning -> tell("space", warning));
      List<String> dead =
          seen.nodes().stream()
              .filter(node -> !node.alive())
              .map(node -> node.id().name())
              .toList();
      dead.forEach(node -> tell("dead", node));
      seen.unreadNodes().forEach(node -> tell("unreadable", node.read().failure().orElse("")));
      seen.fixedTables()
          .forEach((table, why) -> tell("untouched", "table " + table + " stays as it is: " + why));
      Why.slow(journal).forEach(node -> tell("slow node", slow(node)));
      Why.above(journal).forEach(clients -> tell("clients", above(clients)));
      Why.agreements(journal).forEach(of -> tell("agreement", agreement(of)));
      if (json) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("cluster", seen.clusterId());
        all.put("inCharge", holder.map(Holder::name).orElse(null));
        all.put("openPlan", left.open().map(o -> o.plan().id()).orElse(null));
        all.put("dead", dead);
        all.put("unreadable", seen.unreadNodes().stream().map(node -> node.id().name()).toList());
        all.put("told", told);
        terminal.line(JsonOutput.text(all));
      } else {
        told.forEach(line -> terminal.line("%-10s %s", line.about(), line.text()));
      }
      return 0;
    }
  }

  private void tell(String about, String text) {
    told.add(new Told(about, text));
  }

  /** What is out of service, and who puts it back where nobody is left who does. */
  static String emptied(EmptiedNode out, boolean controlled) {
    String what =
        "node %s was taken out of service at %s by %s: %s to be moved back, %s to be deleted"
            .formatted(
                out.node(),
                out.since().truncatedTo(ChronoUnit.SECONDS),
                out.by(),
                Counted.are(out.home().size(), "partition"),
                Counted.of(out.tables().size(), "table"));
    return controlled
        ? what
        : what
            + "; nobody is left who does it: trimtab model build --put-back, or the next `trimtab"
            + " run --act` moves them back";
  }

  /** As an autopilot on this host has counted them. */
  static String above(Entry.ClientsAbove clients) {
    return clients.what() + "; as of " + clients.at().truncatedTo(ChronoUnit.SECONDS);
  }

  /** As an autopilot on this host has judged it. */
  static String agreement(Entry.AgreementSeen seen) {
    return "%s: %s since %s: %s; as of %s"
        .formatted(
            seen.tenant(),
            seen.verdict().name().toLowerCase(Locale.ROOT),
            seen.since().truncatedTo(ChronoUnit.SECONDS),
            seen.measured(),
            seen.at().truncatedTo(ChronoUnit.SECONDS));
  }

  /** As an autopilot on this host has seen it: nothing is known of a node from one look. */
  static String slow(Entry.Slow node) {
    return node.what() + "; as of " + node.at().truncatedTo(ChronoUnit.SECONDS);
  }

  /** This host's; without one the rest is told all the same. */
  private static List<Entry> journal(String clusterId) {
    try {
      return StateDir.of(clusterId).journals().all();
    } catch (UserError e) {
      return List.of();
    }
  }

  private static String text(BalancerState state) {
    return "%s, normalizer %s"
        .formatted(state.balancer() ? "on" : "off", state.normalizer() ? "on" : "off");
  }

  /** Who keeps it off, and how it is restored where nobody is left to do so. */
  static String kept(
      Optional<BalancerState> held, Optional<Journal.Unfinished> open, boolean controlled) {
    String restore =
        controlled
            ? ""
            : "; no autopilot is left to restore it: trimtab release"
                + (open.isPresent() ? " --abandon" : "");
    return held.map(before -> "; kept off by the autopilot, before: " + text(before) + restore)
        .or(
            () ->
                ControlDocuments.pausedBy(open)
                    .map(
                        before ->
                            "; kept off by the open plan until it ends, before: "
                                + text(before)
                                + restore))
        .orElse("");
  }

  /** Who has the lock, watched until it is known whether it lives. */
  private Optional<Holder> seen(SharedState shared) throws EngineException, InterruptedException {
    Optional<Holder> holder = shared.holder();
    while (holder.filter(h -> h.life() == Life.UNKNOWN).isPresent()) {
      terminal.status(
          "waiting for some seconds to see whether %s is still alive"
              .formatted(holder.get().name()));
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      holder = shared.holder();
    }
    terminal.statusDone();
    return holder;
  }

  private static String text(Holder holder) {
    return holder.life() == Life.GONE
        ? "none is in charge: " + holder.name() + " has died, or gives no sign of life any more"
        : "in charge: " + holder.name();
  }

  private static String open(Journal.Unfinished open, boolean controlled) {
    String text =
        "%s, begun %s, %d of %d actions have ended"
            .formatted(
                open.plan().id(),
                open.startedAt().truncatedTo(ChronoUnit.SECONDS),
                open.ended().size(),
                open.plan().actions().size());
    return controlled
        ? text
        : text
            + "; left unfinished: the next `trimtab run --act` continues it, `trimtab release"
            + " --abandon` tidies up after it";
  }

  private static String last(Memory memory) {
    return memory
        .lastPlanEnded()
        .map(at -> memory.lastPlan() + ", ended " + at.truncatedTo(ChronoUnit.SECONDS))
        .orElse("none");
  }
}

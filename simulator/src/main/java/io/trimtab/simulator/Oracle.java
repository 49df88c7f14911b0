package io.trimtab.simulator;

import io.trimtab.controller.guard.Preconditions;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.control.MemoryControl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What must never happen in an episode, and what must hold at its end. */
final class Oracle {
  /** From a stop request until no controller begins anything but tidying up. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

  private static final Set<String> TIDYING = Set.of("balancer", "drain", "remove-node", "restart");

  private final Episode episode;
  private final PlanChecks plans;
  private final Removals removals;
  private final List<String> violations = new ArrayList<>();
  private final List<Stop> stops = new ArrayList<>();
  private BalancerState before;

  /**
   * Somebody asked for a stop.
   *
   * @param controllers that had been started by then; later ones are not meant
   */
  private record Stop(Instant at, int controllers) {}

  Oracle(Episode episode) {
    this.episode = episode;
    this.plans = new PlanChecks(episode, this);
    this.removals = new Removals(episode, this);
  }

  void start(ClusterSnapshot first) {
    before = first.balancer();
  }

  PlanChecks plans() {
    return plans;
  }

  Removals removals() {
    return removals;
  }

  List<String> violations() {
    return violations;
  }

  void violated(String what) {
    violations.add(episode + ", " + episode.elapsed() + ": " + what);
    episode.log(null, "VIOLATION: " + what);
  }

  /** A plan is open, since the last controller that ended one has left it to the database. */
  boolean leftToDatabase() {
    return plans.detached() && removals.open().isPresent();
  }

  void stopAsked() {
    stops.add(new Stop(episode.now(), episode.controllers()));
  }

  /** An operation that changes the cluster begins. */
  void begins(SimulatedController by, String verb, String how) {
    String begins = by + " begins " + verb + (how.isEmpty() ? "" : " (" + how + ")");
    if (!by.acts()) {
      violated(begins + " in a dry run");
      return;
    }
    long epoch = by.lock().map(l -> l.epoch()).orElse(0L);
    long newest = episode.cluster().control().epoch();
    if (epoch != newest) {
      violated(begins + " in epoch " + epoch + " although " + newest + " has begun");
    }
    if (!by.inCharge()) {
      violated(begins + " without control");
    }
    if (!tidies(by, verb, how)) {
      stopped(by, begins);
      // That a dead node's machine is released follows from its successor's service, which was
      // verified, and not from a look.
      if (!(verb.equals("remove-node") && by.during().equals("replace-node"))) {
        blind(by, begins, expectedDead(by, verb));
      }
    }
  }

  /** Whether it puts right what a plan has left, or the balancer in its earlier state. */
  private static boolean tidies(SimulatedController by, String verb, String how) {
    return how.equals("back")
        // Or the node's next start would undo what was applied.
        || verb.equals("persist")
        || (by.phase() == SimulatedController.Phase.TIDYING
            && TIDYING.contains(verb)
            && !how.equals("close"));
  }

  private void stopped(SimulatedController by, String begins) {
    Optional<Instant> asked =
        stops.stream().filter(s -> s.controllers() >= by.number()).map(Stop::at).findFirst();
    // One that is cut off from the cluster's documents does not hear of it, and ends by its trust.
    Duration limit = episode.cluster().control().isCutOff() ? MemoryControl.TRUST : STOP_LIMIT;
    // One that stands still hears of nothing meanwhile.
    if (asked
        .map(at -> at.isAfter(by.wokeAt()) ? at : by.wokeAt())
        .filter(from -> episode.now().isAfter(from.plus(limit)))
        .isPresent()) {
      violated(begins + " after a stop was requested");
    }
  }

  /** It must have seen the cluster, and most of it alive and readable. */
  private void blind(SimulatedController by, String begins, Set<NodeId> expected) {
    Optional<ClusterSnapshot> seen = by.seen();
    if (seen.isEmpty()) {
      violated(begins + " after a look that failed");
      return;
    }
    if (!seen.get().clusterGaps().isEmpty()) {
      violated(begins + " on a partial snapshot");
    }
    long bad =
        seen.get().unreadNodes().size()
            + seen.get().nodes().stream()
                .filter(n -> !n.alive() && !expected.contains(n.id()))
                .count();
    if (bad > Episode.BAD_NODES_MAX * seen.get().nodes().size()) {
      violated(begins + " although " + bad + " nodes are dead or could not be read");
    }
  }

  /** Dead nodes that are no reason not to act: it is about them. */
  private static Set<NodeId> expectedDead(SimulatedController by, String verb) {
    if (by.plan().isEmpty()) {
      // Balancing is switched off just before a plan begins, possibly the replacement of one.
      List<NodeId> dead =
          by.before().flatMap(Look::seen).stream()
              .flatMap(seen -> seen.nodes().stream())
              .filter(n -> !n.alive())
              .map(NodeState::id)
              .toList();
      return dead.size() == 1 ? Set.copyOf(dead) : Set.of();
    }
    Plan plan = by.plan().get();
    Stream<NodeId> restarted =
        plan.actions(Action.Reconfigure.class).stream()
            .filter(c -> verb.equals("restart") && c.way() == Action.ApplyMode.RESTART)
            .map(Action.Reconfigure::node);
    return Stream.concat(Preconditions.expectedDead(plan), restarted).collect(Collectors.toSet());
  }

  /** After a quiet hour and the orderly end of the last controller. */
  void end() {
    new EndChecks(episode, this).check(before);
  }
}

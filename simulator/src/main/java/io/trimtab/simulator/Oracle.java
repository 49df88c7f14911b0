package io.trimtab.simulator;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Memory;
import io.trimtab.testkit.control.MemoryControl;
import io.trimtab.testkit.oracle.PlanVerifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What must never happen in an episode, and what must hold at its end. */
final class Oracle {
  /** From a stop request until no controller begins anything but tidying up. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

  /** A profile that was applied is also written down, or the node's next start would undo it. */
  private static final Set<String> TIDYING =
      Set.of("balancer", "drain", "remove-node", "restart", "await-node", "persist");

  private final Episode episode;
  private final List<String> violations = new ArrayList<>();
  private Optional<Instant> stopAsked = Optional.empty();
  private BalancerState before;

  Oracle(Episode episode) {
    this.episode = episode;
  }

  void start(ClusterSnapshot first) {
    before = first.balancer();
  }

  List<String> violations() {
    return violations;
  }

  private void violated(String what) {
    violations.add(episode.elapsed() + ": " + what);
  }

  /** An operation that changes the cluster begins. */
  void begins(SimulatedController by, String verb) {
    long epoch = by.lock().map(l -> l.epoch()).orElse(0L);
    long newest = episode.cluster().control().epoch();
    if (epoch != newest) {
      violated(
          by + " begins " + verb + " in epoch " + epoch + " although " + newest + " has begun");
    }
    if (!by.inCharge()) {
      violated(by + " begins " + verb + " without control");
    }
    // One that is cut off from the cluster's documents does not hear of it, and ends by its trust.
    Duration limit = episode.cluster().control().isCutOff() ? MemoryControl.TRUST : STOP_LIMIT;
    if (stopAsked.isPresent()
        && !TIDYING.contains(verb)
        && episode.now().isAfter(stopAsked.get().plus(limit))) {
      violated(by + " begins " + verb + " after a stop was requested");
    }
    boolean partial = by.seen().filter(s -> !s.gaps().isEmpty()).isPresent();
    if (partial && !TIDYING.contains(verb)) {
      violated(by + " begins " + verb + " on a partial snapshot");
    }
  }

  /** A node is about to be released. */
  void removes(SimulatedController by, NodeId node) {
    ClusterSnapshot now = episode.truth();
    boolean member = now.node(node).filter(NodeState::alive).isPresent();
    int left = now.liveNodes().size() - (member ? 1 : 0);
    if (member && left < now.replication()) {
      violated(by + " releases " + node + " and leaves " + left + " nodes");
    }
    if (member) {
      lastOfRack(by, now, node);
    }
  }

  private void lastOfRack(SimulatedController by, ClusterSnapshot now, NodeId node) {
    String rack = now.node(node).orElseThrow().rack();
    List<NodeState> live = now.liveNodes();
    boolean others = live.stream().anyMatch(n -> !n.rack().equals(rack));
    long there = live.stream().filter(n -> n.rack().equals(rack)).count();
    if (others && there == 1) {
      violated(by + " releases " + node + ", the last node of " + rack);
    }
  }

  /** A controller begins a plan. */
  void planned(SimulatedController by, Plan plan) {
    by.decidedOn()
        .filter(seen -> seen.takenAt().equals(plan.snapshotAt()) && !resumed(plan))
        .map(seen -> PlanVerifier.violations(plan, seen))
        .ifPresent(all -> all.forEach(v -> violated(plan.id() + ": " + v)));
    Duration cooldown = episode.settings().guard().cooldown();
    Optional<Instant> lastPlanEnded = lastPlanEnded();
    if (lastPlanEnded.isPresent()
        && !episode.clocksStepped()
        && !plan.policy().equals("replace")
        && by.lock().isPresent()
        && episode.now().isBefore(lastPlanEnded.get().plus(cooldown).minusSeconds(1))
        && !resumed(plan)) {
      violated(by + " begins " + plan.id() + " within the cooldown after " + lastPlanEnded.get());
    }
  }

  private boolean resumed(Plan plan) {
    try {
      return ControlDocuments.read(episode.cluster().control())
          .open()
          .filter(open -> open.plan().id().equals(plan.id()))
          .isPresent();
    } catch (EngineException e) {
      return false;
    }
  }

  private Optional<Instant> lastPlanEnded() {
    try {
      return ControlDocuments.read(episode.cluster().control())
          .memory()
          .flatMap(Memory::lastPlanEnded);
    } catch (EngineException e) {
      return Optional.empty();
    }
  }

  void stopAsked(boolean asked) {
    stopAsked = asked ? Optional.of(episode.now()) : Optional.empty();
  }

  /** After a quiet hour and the orderly end of the last controller. */
  void end() {
    try {
      ClusterSnapshot now = episode.truth();
      now.partitions().stream()
          .filter(p -> p.node().isEmpty())
          .forEach(p -> violated("at the end " + p.id() + " is not served"));
      now.nodes().stream()
          .filter(NodeState::draining)
          .forEach(n -> violated("at the end " + n.id() + " is draining"));
      if (!now.balancer().equals(before)) {
        violated("at the end the balancer is " + now.balancer() + ", before: " + before);
      }
      ControlDocuments.read(episode.cluster().control())
          .open()
          .ifPresent(open -> violated("at the end " + open.plan().id() + " is open"));
      ControlDocuments.hold(episode.cluster().control())
          .ifPresent(hold -> violated("at the end the balancer is still held"));
      episode.hosts().forEach(SimulatedHost::recorded);
    } catch (EngineException | RuntimeException e) {
      violated("at the end: " + e.getMessage());
    }
  }
}

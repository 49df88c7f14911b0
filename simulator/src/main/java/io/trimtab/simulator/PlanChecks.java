package io.trimtab.simulator;

import io.trimtab.controller.guard.Blackout;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.InsideDatabase;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.oracle.PlanVerifier;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When plans may begin and go on, in true time, whichever controllers carry them out. What the
 * controllers know of the past is not asked: it could be wrong.
 */
final class PlanChecks {
  /** Two periods between looks at the cluster may pass until a look is an old one. */
  private static final int STALE_PERIODS = 2;

  /** Between the moment at which a controller reads its clock and its next look. */
  private static final Duration BESIDE = Duration.ofSeconds(3);

  private final Episode episode;
  private final Oracle oracle;
  private final Swings swings;
  private final Map<String, Begun> begun = new HashMap<>();
  private final Set<String> begunSteps = new HashSet<>();
  private final Set<String> done = new HashSet<>();
  private final Map<List<String>, End> abandoned = new HashMap<>();

  /** What each controller has begun last. */
  private final Map<SimulatedController, Action> latest = new HashMap<>();

  /** What moves bring to nodes after the look of a controller that has moved something last. */
  private final Map<NodeId, Set<PartitionId>> filled = new HashMap<>();

  private Look filledSince;
  private Optional<End> lastEnd = Optional.empty();
  private Optional<Instant> ending = Optional.empty();
  private boolean detached;

  /** A plan was begun, by a controller whose clock was right or not and that knew these nodes. */
  private record Begun(Instant at, boolean clockIsRight, Set<NodeId> nodes) {}

  /**
   * A plan has ended.
   *
   * @param times how often it was abandoned, at least, since any plan was done; 0 if it was not
   */
  private record End(Instant at, boolean clockIsRight, int times) {}

  PlanChecks(Episode episode, Oracle oracle) {
    this.episode = episode;
    this.oracle = oracle;
    this.swings = new Swings(episode, oracle);
  }

  private GuardSettings guard() {
    return episode.settings().guard();
  }

  /** A controller begins a plan, or goes on with an earlier one's. */
  void planned(SimulatedController by, Plan plan) {
    if (by.recovers()) {
      if (!begun.containsKey(plan.id())) {
        oracle.violated(by + " goes on with " + plan.id() + ", which nobody has begun");
      }
      return;
    }
    if (!by.acts()) {
      by.seen().ifPresent(seen -> verified(plan, seen));
      return;
    }
    Set<NodeId> nodes = new HashSet<>();
    by.seen().ifPresent(seen -> seen.nodes().forEach(n -> nodes.add(n.id())));
    begun.put(plan.id(), new Begun(episode.now(), by.clockIsRight(), nodes));
    fresh(by, plan);
    Optional<ClusterSnapshot> decidedOn = by.before().flatMap(Look::seen);
    if (decidedOn.filter(seen -> seen.takenAt().equals(plan.snapshotAt())).isEmpty()) {
      oracle.violated(
          "%s begins %s, decided at %s, but its last look but one was %s"
              .formatted(
                  by,
                  plan.id(),
                  plan.snapshotAt(),
                  decidedOn.map(s -> "at " + s.takenAt()).orElse("in vain")));
    } else {
      verified(plan, decidedOn.get());
      known(by, plan, decidedOn.get());
      limits(by, plan, decidedOn.get());
    }
    cooldown(by, plan);
    if (!episode.clocksStepped()) {
      swings.planned(by, plan);
    }
  }

  private void verified(Plan plan, ClusterSnapshot seen) {
    PlanVerifier.violations(plan, seen).forEach(v -> oracle.violated(plan.id() + ": " + v));
  }

  private void fresh(SimulatedController by, Plan plan) {
    Optional<Look> look = by.last();
    Duration stale = episode.settings().observe().period().multipliedBy(STALE_PERIODS);
    boolean stoodStill = look.filter(l -> by.wokeAt().isBefore(l.began())).isEmpty();
    if (look.flatMap(Look::seen)
        .filter(s -> by.clockIsRight() && !stoodStill)
        .filter(s -> Duration.between(s.takenAt(), episode.now()).compareTo(stale) > 0)
        .isPresent()) {
      oracle.violated(by + " begins " + plan.id() + " on an old look");
    }
  }

  /**
   * A dead node is replaced whatever the others' load is, and nothing is planned with a node that
   * could not be read.
   */
  private void known(SimulatedController by, Plan plan, ClusterSnapshot seen) {
    seen.liveNodes().stream()
        .filter(n -> n.readable() && !urgent(plan) && !Double.isFinite(n.usage().cpuUser()))
        .forEach(
            n -> oracle.violated(by + " begins " + plan.id() + " without the usage of " + n.id()));
    seen.unreadNodes().stream()
        .map(NodeState::id)
        .filter(
            n ->
                plan.actions(Action.Move.class).stream()
                    .anyMatch(move -> move.from().equals(n) || move.to().equals(n)))
        .forEach(n -> oracle.violated(by + " begins " + plan.id() + " with the unread " + n));
  }

  private static boolean urgent(Plan plan) {
    return !plan.actions(Action.ReplaceNode.class).isEmpty();
  }

  private void limits(SimulatedController by, Plan plan, ClusterSnapshot seen) {
    long moves = plan.actions(Action.Move.class).size();
    long compactions = plan.actions(Action.Compact.class).size();
    int added = plan.actions(Action.AddNode.class).size();
    int nodes = seen.liveNodes().size() + added;
    if (moves > guard().maxMoves()
        || compactions > guard().maxCompactions()
        || (added > 0 && nodes > guard().maxNodes())) {
      oracle.violated(
          "%s begins %s of %d moves, %d compactions, up to %d nodes"
              .formatted(by, plan.id(), moves, compactions, nodes));
    }
  }

  private void cooldown(SimulatedController by, Plan plan) {
    if (!urgent(plan) && within(by, lastEnd, guard().cooldown())) {
      oracle.violated(by + " begins " + plan.id() + " within the cooldown");
    }
    Optional<End> vain = Optional.ofNullable(abandoned.get(actions(plan)));
    // Twice the time after each time in a row.
    int times = vain.map(End::times).orElse(0);
    Duration pause = guard().cooldown().multipliedBy(1L << Math.max(0, Math.min(times, 8) - 1));
    if (within(by, vain, pause)) {
      oracle.violated(
          "%s begins %s, whose actions were abandoned %d times, the last time at %s"
              .formatted(by, plan.id(), times, vain.get().at()));
    }
  }

  private boolean within(SimulatedController by, Optional<End> end, Duration pause) {
    // Setbacks are kept to the second.
    Duration cooldown = pause.minusSeconds(1);
    return by.clockIsRight()
        && end.filter(e -> e.clockIsRight() && episode.now().isBefore(e.at().plus(cooldown)))
            .isPresent();
  }

  private static List<String> actions(Plan plan) {
    return plan.actions().stream().map(a -> a.action().toString()).sorted().toList();
  }

  /** A controller has ended by an error in its surroundings, and was not killed. */
  void gaveUp(SimulatedController by) {
    Optional<String> open = oracle.removals().open().map(Plan::id);
    // It would have to put the cluster right first.
    if (by.phase() == SimulatedController.Phase.PLAN
        && by.plan().map(Plan::id).filter(id -> open.equals(Optional.of(id))).isPresent()) {
      oracle.violated(by + " gives up and leaves " + open.get() + " as it is");
    }
  }

  /**
   * What was recorded as begun, just before its controller lost control, and looks as if it went
   * on: the node leaves, or does not answer any more.
   */
  private boolean leavesAlready(Action action) {
    return action
        .as(Action.RemoveNode.class)
        .flatMap(remove -> episode.truth().node(remove.node()))
        .filter(node -> node.draining() || !node.alive())
        .isPresent();
  }

  /** A controller does not wait for an action any more. */
  void leaves(SimulatedController by) {
    boolean restarts =
        Optional.ofNullable(latest.get(by))
            .flatMap(action -> action.as(Action.Reconfigure.class))
            .filter(change -> change.way() == Action.ApplyMode.RESTART)
            .isPresent();
    if (restarts && by.inCharge()) {
      oracle.violated(by + " leaves a node in the middle of its restart");
    }
  }

  /** An action of a plan begins. */
  void started(SimulatedController by, PlannedAction action) {
    latest.put(by, action.action());
    Plan plan = by.plan().orElseThrow();
    String step = plan.id() + " step " + action.step();
    if (done.contains(step)) {
      oracle.violated(by + " begins " + step + " again, which was done");
    }
    boolean again = !begunSteps.add(step);
    if (goesOnInside(action.action()) && (again || leavesAlready(action.action()))) {
      // It is only waited for.
      return;
    }
    Look look = by.last().orElseThrow();
    Begun first = begun.get(plan.id());
    Duration most = guard().planLimit().plus(BESIDE);
    if (first != null
        && first.clockIsRight()
        && by.clockIsRight()
        && look.began().isAfter(first.at().plus(most))) {
      oracle.violated(by + " begins " + step + " after the plan's time limit");
    }
    for (String window : guard().blackouts()) {
      Blackout blackout = Blackout.parse(window);
      if (blackout.covers(look.wall()) && blackout.covers(look.wall().minus(BESIDE))) {
        oracle.violated(by + " begins " + step + " within the blackout " + window);
      }
    }
    givesWay(by, plan, step, look);
    action
        .action()
        .as(Action.RemoveNode.class)
        .ifPresent(
            remove ->
                look.seen().ifPresent(seen -> oracle.removals().fits(by, remove.node(), seen)));
  }

  /** Whether a ring goes on with it when its controller has ended. */
  private boolean goesOnInside(Action action) {
    return episode.truth().ownership() == Ownership.TOKENS
        && action.accept(new InsideDatabase()).isPresent()
        && action.as(Action.Cleanup.class).isEmpty();
  }

  /** A dead node that can be replaced comes before everything else. */
  private void givesWay(SimulatedController by, Plan plan, String step, Look look) {
    Optional<ClusterSnapshot> seen = look.seen();
    Duration after = episode.settings().health().replaceAfter();
    if (seen.isEmpty()
        || seen.get().ownership() != Ownership.TOKENS
        || !by.clockIsRight()
        || episode.cluster().provider().spare() == 0
        || seen.get().copies().least() < 2) {
      return;
    }
    List<NodeState> dead = seen.get().nodes().stream().filter(n -> !n.alive()).toList();
    if (dead.size() != 1 || concerns(plan, dead.get(0).id())) {
      return;
    }
    NodeId node = dead.get(0).id();
    Duration slack = episode.settings().observe().period().multipliedBy(3);
    if (by.deadSince(node)
        .filter(since -> since.plus(after).plus(slack).isBefore(look.began()))
        .isPresent()) {
      oracle.violated(by + " begins " + step + " although " + node + " waits to be replaced");
    }
  }

  private static boolean concerns(Plan plan, NodeId dead) {
    return plan.actions(Action.ReplaceNode.class).stream().anyMatch(r -> r.dead().equals(dead))
        || plan.actions(Action.RemoveNode.class).stream().anyMatch(r -> r.node().equals(dead));
  }

  /** A partition is about to be moved; judged by its controller's last look. */
  void moves(SimulatedController by, PartitionId partition, NodeId to) {
    if (episode.settings().tables().forbids(partition.table()).isPresent()) {
      oracle.violated(by + " moves " + partition + " of an excluded table");
    }
    Optional<ClusterSnapshot> seen = by.seen();
    if (seen.isEmpty()) {
      return;
    }
    Optional<NodeState> target = seen.get().node(to);
    if (target.filter(n -> n.alive() && !n.draining()).isEmpty()) {
      oracle.violated(by + " moves " + partition + " to " + to + ", which takes nothing");
    }
    if (by.plan().stream()
        .flatMap(plan -> plan.actions(Action.Move.class).stream())
        .anyMatch(move -> move.partition().equals(partition))) {
      fits(by, partition, to, by.last().orElseThrow());
    }
    Optional<NodeId> at = seen.get().partition(partition).flatMap(PartitionState::node);
    boolean moved =
        at.isPresent()
            && !at.get().equals(to)
            && by.plan().filter(p -> movesFrom(p, partition, at.get())).isEmpty();
    if (moved) {
      oracle.violated(by + " moves " + partition + ", which somebody has moved to " + at.get());
    }
  }

  /** A plan names a node that it adds by a placeholder. */
  private boolean movesFrom(Plan plan, PartitionId partition, NodeId node) {
    Set<NodeId> old = begun.get(plan.id()).nodes();
    return plan.actions(Action.Move.class).stream()
        .filter(m -> m.partition().equals(partition))
        .map(Action.Move::from)
        .anyMatch(from -> from.equals(node) || (!old.contains(from) && !old.contains(node)));
  }

  /** What comes to a node by moves since its controller's last look fits on its disks. */
  private void fits(SimulatedController by, PartitionId partition, NodeId to, Look look) {
    if (!look.equals(filledSince)) {
      filledSince = look;
      filled.clear();
    }
    ClusterSnapshot seen = look.seen().orElseThrow();
    if (seen.partition(partition).flatMap(PartitionState::node).equals(Optional.of(to))) {
      return;
    }
    filled.computeIfAbsent(to, n -> new HashSet<>()).add(partition);
    DiskSpace disk = seen.node(to).map(n -> n.gauges().disk()).orElse(DiskSpace.UNKNOWN);
    long bytes =
        filled.get(to).stream()
            .flatMap(p -> seen.partition(p).stream())
            .mapToLong(PartitionState::sizeBytes)
            .sum();
    if (disk.known() && disk.usedBytes() + bytes > guard().maxDiskUsed() * disk.capacityBytes()) {
      oracle.violated(by + " moves " + partition + " to " + to + ", whose disks get too full");
    }
  }

  void ended(SimulatedController by, PlannedAction action, ActionOutcome outcome) {
    latest.remove(by, action.action());
    Plan plan = by.plan().orElseThrow();
    if (outcome != ActionOutcome.FAILED) {
      done.add(plan.id() + " step " + action.step());
      swings.done(plan, action.action());
    }
  }

  /** Its end is about to be recorded. */
  void ending(SimulatedController by) {
    ending = Optional.of(episode.now());
  }

  /** Whether the last controller that ended a plan has left it to the database. */
  boolean detached() {
    return detached;
  }

  void planEnded(SimulatedController by, Plan plan, PlanOutcome outcome) {
    latest.remove(by);
    detached = outcome == PlanOutcome.DETACHED;
    boolean recorded =
        outcome == PlanOutcome.DONE
            || outcome == PlanOutcome.ABANDONED
            || outcome == PlanOutcome.STOPPED;
    if (!recorded) {
      return;
    }
    Instant at = ending.orElseThrow();
    lastEnd = Optional.of(new End(at, by.clockIsRight(), 0));
    if (outcome == PlanOutcome.ABANDONED) {
      int before = Optional.ofNullable(abandoned.get(actions(plan))).map(End::times).orElse(0);
      abandoned.put(actions(plan), new End(at, by.clockIsRight(), before + 1));
    } else if (outcome == PlanOutcome.DONE) {
      // It may have been of the same kind, after which no pause is long any more.
      abandoned.replaceAll((actions, end) -> new End(end.at(), end.clockIsRight(), 0));
    }
    swings.planEnded(plan, at);
  }
}

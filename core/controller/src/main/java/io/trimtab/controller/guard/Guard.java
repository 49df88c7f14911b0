package io.trimtab.controller.guard;

import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Refuses plans that pass a limit; the last word before anything is touched. */
public final class Guard {
  private static final double GIBIBYTE = 1L << 30;

  private Guard() {}

  /** What the guard says. */
  public sealed interface Verdict {
    /** The plan may be carried out. */
    record Pass() implements Verdict {}

    /**
     * It may not.
     *
     * @param setting the key that would change this; empty where none would
     */
    record Refuse(String reason, String setting) implements Verdict {}
  }

  /**
   * Judges a plan.
   *
   * @param lastPlanEnded when the last plan on this cluster ended, if ever
   * @param offer what could be added and given back now; empty where nothing can start or stop
   *     nodes
   */
  public static Verdict check(
      Plan plan,
      ClusterSnapshot snapshot,
      Optional<Instant> lastPlanEnded,
      Optional<NodeCapacity> offer,
      Settings settings,
      Instant now) {
    GuardSettings guard = settings.guard();
    return judge(
        plan,
        snapshot,
        offer,
        settings,
        now,
        pause(lastPlanEnded, guard, now),
        little(plan, guard));
  }

  /**
   * Judges a plan that a person has ordered: it need not gain anything; all other limits hold, the
   * cooldown included.
   */
  public static Verdict checkOrdered(
      Plan plan,
      ClusterSnapshot snapshot,
      Optional<Instant> lastPlanEnded,
      Optional<NodeCapacity> offer,
      Settings settings,
      Instant now) {
    return judge(
        plan,
        snapshot,
        offer,
        settings,
        now,
        pause(lastPlanEnded, settings.guard(), now),
        Optional.empty());
  }

  /**
   * Judges a plan that neither the cooldown nor the least gain holds up; all other limits do, the
   * blackouts included, in which an operator wants nothing begun.
   *
   * @param offer as for {@link #check}
   */
  public static Verdict checkUrgent(
      Plan plan,
      ClusterSnapshot snapshot,
      Optional<NodeCapacity> offer,
      Settings settings,
      Instant now) {
    return judge(plan, snapshot, offer, settings, now, Optional.empty(), Optional.empty());
  }

  /** The first refusal, in the order in which {@code why} tells them. */
  private static Verdict judge(
      Plan plan,
      ClusterSnapshot snapshot,
      Optional<NodeCapacity> offer,
      Settings settings,
      Instant now,
      Optional<Verdict.Refuse> pause,
      Optional<Verdict.Refuse> little) {
    GuardSettings guard = settings.guard();
    HealthSettings health = settings.health();
    PlanTally tally = PlanTally.of(plan, snapshot);
    Optional<Verdict.Refuse> held =
        unsafe(snapshot, settings, now, tally.replaced())
            .or(() -> pause)
            .or(() -> blackout(guard, now))
            .or(() -> little)
            .or(() -> excluded(tally, snapshot, settings.tables()))
            .or(() -> tooMuch(tally, guard))
            .or(() -> Space.lacking(plan.actions(), snapshot, Map.of(), guard))
            .or(() -> UnreadNodes.touched(plan.actions(), snapshot, Map.of()))
            .or(() -> UnreadNodes.tooLittleLeft(tally.removedNodes(), snapshot, health));
    if (held.isPresent()) {
      return held.get();
    }
    return Provided.lacking(plan, tally, offer)
        .<Verdict>map(refuse -> refuse)
        .orElseGet(() -> nodes(tally, snapshot, guard));
  }

  /**
   * Why no plan may begin now that is not urgent, if so: the cooldown, or a blackout.
   *
   * @param lastPlanEnded as for {@link #check}
   */
  public static Optional<Verdict.Refuse> pause(
      Optional<Instant> lastPlanEnded, GuardSettings guard, Instant now) {
    Duration cooldown = guard.cooldown();
    Duration since = lastPlanEnded.map(end -> Duration.between(end, now)).orElse(cooldown);
    return since.compareTo(cooldown) < 0
        ? Optional.of(
            refuse(
                "the last plan ended %d s ago; the cooldown is %d s"
                    .formatted(since.toSeconds(), cooldown.toSeconds()),
                "guard.cooldown"))
        : blackout(guard, now);
  }

  private static Optional<Verdict.Refuse> little(Plan plan, GuardSettings guard) {
    return plan.gain() < guard.minGain()
        ? Optional.of(
            refuse(
                String.format(
                    java.util.Locale.ROOT,
                    "the predicted gain of %.3f is below %.3f",
                    plan.gain(),
                    guard.minGain()),
                "guard.minGain"))
        : Optional.empty();
  }

  /**
   * Why actions must not begin because of a table that they would move or change, or of a disk that
   * they would fill; asked again before each batch, because the plan may be one that was decided by
   * other settings, and disks fill meanwhile.
   *
   * @param now the cluster before they begin
   * @param added nodes that have joined by the plan's placeholders
   */
  public static Optional<Verdict.Refuse> forbids(
      List<PlannedAction> batch,
      ClusterSnapshot now,
      Map<NodeId, NodeId> added,
      Settings settings) {
    return excluded(PlanTally.of(batch, now), now, settings.tables())
        .or(() -> Space.lacking(batch, now, added, settings.guard()));
  }

  /** The first table that plans must leave alone. */
  private static Optional<Verdict.Refuse> excluded(
      PlanTally plan, ClusterSnapshot now, TableSettings tables) {
    for (String table : plan.tables()) {
      Optional<TableSettings.Kept> kept = tables.keeps(now, table);
      if (kept.isPresent()) {
        String what = "the plan would move or change table " + table + ", which ";
        return Optional.of(refuse(what + kept.get().reason(), kept.get().setting()));
      }
    }
    return Optional.empty();
  }

  /** The first limit of work that a plan passes. */
  private static Optional<Verdict.Refuse> tooMuch(PlanTally plan, GuardSettings guard) {
    return more(plan.moved(), guard.maxMoves(), "move", "guard.maxMoves")
        .or(() -> more(plan.splits(), guard.maxSplits(), "split", "guard.maxSplits"))
        .or(() -> more(plan.merges(), guard.maxMerges(), "merge", "guard.maxMerges"))
        .or(
            () ->
                more(
                    plan.compactions(),
                    guard.maxCompactions(),
                    "compaction",
                    "guard.maxCompactions"))
        .or(
            () ->
                more(
                    plan.blockSizes(),
                    guard.maxBlockSizeChanges(),
                    "change of a table's block size",
                    "changes of tables' block sizes",
                    "guard.maxBlockSizeChanges"))
        .or(() -> bytes(plan.bytes(), guard.maxMovedGiB()));
  }

  private static Optional<Verdict.Refuse> more(int count, int max, String noun, String setting) {
    return more(count, max, noun, noun + "s", setting);
  }

  private static Optional<Verdict.Refuse> more(
      int count, int max, String one, String several, String setting) {
    return count > max
        ? Optional.of(
            refuse(
                "the plan has " + count + " " + (count == 1 ? one : several) + ", more than " + max,
                setting))
        : Optional.empty();
  }

  private static Optional<Verdict.Refuse> bytes(long bytes, int maxGiB) {
    return bytes > (long) maxGiB << 30
        ? Optional.of(
            refuse(
                String.format(
                    java.util.Locale.ROOT,
                    "the plan moves, splits or compacts %.2f GiB, more than %d",
                    bytes / GIBIBYTE,
                    maxGiB),
                "guard.maxMovedGiB"))
        : Optional.empty();
  }

  private static Verdict nodes(PlanTally plan, ClusterSnapshot snapshot, GuardSettings guard) {
    int live = snapshot.liveNodes().size();
    int added = plan.added();
    int removed = plan.removed();
    long taking = snapshot.liveNodes().stream().filter(UsableNodes::takesLoad).count();
    if (plan.restarted() > 0
        && taking + added < 2
        && PlacementModel.of(snapshot).assignsPartitions()
        && !snapshot.partitions().isEmpty()) {
      return refuse(
          "the plan restarts a node whose partitions would have nowhere to go:"
              + " no other node takes any",
          "place.way");
    }
    if (added > 0 && live + added > guard.maxNodes()) {
      return refuse(
          Counted.of(live + added, "node") + " would be more than " + guard.maxNodes(),
          "guard.maxNodes");
    }
    int fewest = plan.fewest();
    if (removed > 0 && fewest < guard.minNodes()) {
      return refuse(
          Counted.of(fewest, "node") + " would be fewer than " + guard.minNodes(),
          "guard.minNodes");
    }
    // One that can't be read may be about to die.
    int surely = fewest - snapshot.unreadNodes().size();
    if (removed > 0 && surely < snapshot.replication()) {
      return refuse(
          Counted.of(surely, "node") + " could not hold " + snapshot.replication() + " copies", "");
    }
    return PlacementModel.of(snapshot)
        .refusesRemoving(removed, snapshot.copies().least())
        .or(() -> Topology.refuses(snapshot, plan.removedNodes(), added))
        .<Verdict>map(reason -> refuse(reason, ""))
        .orElseGet(Verdict.Pass::new);
  }

  private static Optional<Verdict.Refuse> blackout(GuardSettings guard, Instant now) {
    for (String window : guard.blackouts()) {
      if (Blackout.parse(window).covers(now)) {
        return Optional.of(
            refuse("the time is within the blackout " + window + " UTC", "guard.blackouts"));
      }
    }
    return Optional.empty();
  }

  /**
   * Why a plan that is being carried out must end now, if so.
   *
   * @param begun when it was started
   */
  public static Optional<Verdict.Refuse> over(Instant begun, Settings settings, Instant now) {
    Duration run = Duration.between(begun, now);
    Duration limit = settings.guard().planLimit();
    return run.compareTo(limit) > 0
        ? Optional.of(
            refuse(
                "the plan has run for %d s, longer than %d s"
                    .formatted(run.toSeconds(), limit.toSeconds()),
                "guard.planLimit"))
        : blackout(settings.guard(), now);
  }

  /**
   * Why the cluster must not be changed now, if so; checked between two actions, too.
   *
   * @param known dead nodes that the plan replaces or removes, and that do not forbid it
   */
  public static Optional<Verdict.Refuse> unsafe(
      ClusterSnapshot snapshot, Settings settings, Instant now, Set<NodeId> known) {
    return old(snapshot, settings, now)
        .or(() -> moving(snapshot))
        .or(() -> unwell(snapshot, settings, known));
  }

  /**
   * Why an action that has begun must not take its next step, the one that can't be taken back.
   * What is in transition does not forbid it: that may be the action's own doing.
   *
   * @param known dead nodes that the action is about
   */
  public static Optional<Verdict.Refuse> unsafeWithin(
      ClusterSnapshot snapshot, Settings settings, Instant now, Set<NodeId> known) {
    return old(snapshot, settings, now).or(() -> unwell(snapshot, settings, known));
  }

  private static Optional<Verdict.Refuse> old(
      ClusterSnapshot snapshot, Settings settings, Instant now) {
    Duration age = Duration.between(snapshot.takenAt(), now);
    Duration stale = settings.observe().stale();
    if (age.compareTo(stale) > 0) {
      return Optional.of(refuse("the snapshot is " + age.toSeconds() + " s old", "observe.period"));
    }
    return snapshot.blockers().stream().findFirst().map(blocker -> refuse(blocker, ""));
  }

  private static Optional<Verdict.Refuse> moving(ClusterSnapshot snapshot) {
    if (snapshot.partitionsInTransition() > 0) {
      return Optional.of(
          refuse(
              Counted.are(snapshot.partitionsInTransition(), "partition") + " in transition", ""));
    }
    long unassigned = snapshot.partitions().stream().filter(p -> p.node().isEmpty()).count();
    return unassigned > 0
        ? Optional.of(refuse(Counted.are(unassigned, "partition") + " assigned to no node", ""))
        : Optional.empty();
  }

  private static Optional<Verdict.Refuse> unwell(
      ClusterSnapshot snapshot, Settings settings, Set<NodeId> known) {
    List<String> gaps = snapshot.clusterGaps();
    return gaps.isEmpty()
        ? UnreadNodes.tooMany(snapshot, known, settings.guard())
        : Optional.of(refuse("the snapshot is partial: " + gaps.get(0), ""));
  }

  private static Verdict.Refuse refuse(String reason, String setting) {
    return new Verdict.Refuse(reason, setting);
  }
}

package io.trimtab.controller.guard;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Refuses plans that pass a limit; the last word before anything is touched. */
public final class Guard {
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
   * @param spare nodes that could be added now; empty where nothing can start or stop nodes
   */
  public static Verdict check(
      Plan plan,
      ClusterSnapshot snapshot,
      Optional<Instant> lastPlanEnded,
      OptionalInt spare,
      Settings settings,
      Instant now) {
    GuardSettings guard = settings.guard();
    PlanTally tally = PlanTally.of(plan);
    Optional<Verdict> unsafe = unsafe(snapshot, settings, now, tally.replaced());
    if (unsafe.isPresent()) {
      return unsafe.get();
    }
    if (lastPlanEnded.isPresent()) {
      Duration since = Duration.between(lastPlanEnded.get(), now);
      if (since.compareTo(guard.cooldown()) < 0) {
        return refuse(
            "the last plan ended "
                + since.toSeconds()
                + " s ago, less than "
                + guard.cooldown().toSeconds(),
            "guard.cooldown");
      }
    }
    for (String window : guard.blackouts()) {
      if (Blackout.parse(window).covers(now)) {
        return refuse("the time is within the blackout " + window + " UTC", "guard.blackouts");
      }
    }
    if (plan.gain() < guard.minGain()) {
      return refuse(
          String.format(
              java.util.Locale.ROOT,
              "the predicted gain of %.3f is below %.3f",
              plan.gain(),
              guard.minGain()),
          "guard.minGain");
    }
    if (tally.moved() > guard.maxMoves()) {
      return refuse(
          "the plan has " + tally.moved() + " moves, more than " + guard.maxMoves(),
          "guard.maxMoves");
    }
    Optional<Verdict> impossible = impossible(tally, spare);
    return impossible.isPresent() ? impossible.get() : nodes(tally, snapshot, guard);
  }

  /** What would only fail once it is begun. */
  private static Optional<Verdict> impossible(PlanTally plan, OptionalInt spare) {
    int added = plan.started();
    if (spare.isPresent()) {
      return added <= spare.getAsInt()
          ? Optional.empty()
          : Optional.of(
              refuse(
                  "the plan adds "
                      + Counted.of(added, "node")
                      + ", but only "
                      + spare.getAsInt()
                      + (spare.getAsInt() == 1 ? " is available" : " are available"),
                  "guard.maxNodes, to place the partitions on the present nodes instead"));
    }
    if (added > 0) {
      return Optional.of(
          refuse(
              "the plan adds nodes, but no node provider can start nodes of this cluster",
              "guard.maxNodes, to place the partitions on the present nodes instead"));
    }
    if (plan.removed() > 0) {
      return Optional.of(
          refuse(
              "the plan removes a node, but no node provider can stop nodes of this cluster",
              "guard.minNodes"));
    }
    return plan.restarted() > 0
        ? Optional.of(
            refuse(
                "the plan restarts nodes, but no node provider can; with the plug-in on every node"
                    + " (trimtab plugin install hbase) and place.way online, no restart is needed",
                "place.way"))
        : Optional.empty();
  }

  private static Verdict nodes(PlanTally plan, ClusterSnapshot snapshot, GuardSettings guard) {
    int live = snapshot.liveNodes().size();
    int added = plan.added();
    int removed = plan.removed();
    if (added > 0 && live + added > guard.maxNodes()) {
      return refuse(
          Counted.of(live + added, "node") + " would be more than " + guard.maxNodes(),
          "guard.maxNodes");
    }
    if (removed > 0 && live - removed < guard.minNodes()) {
      return refuse(
          Counted.of(live - removed, "node") + " would be fewer than " + guard.minNodes(),
          "guard.minNodes");
    }
    if (removed > 0 && live - removed < snapshot.replication()) {
      return refuse(
          Counted.of(live - removed, "node")
              + " could not hold "
              + snapshot.replication()
              + " copies",
          "");
    }
    return PlacementModel.of(snapshot)
        .refusesRemoving(removed, snapshot.replication())
        .map(reason -> refuse(reason, ""))
        .orElseGet(Verdict.Pass::new);
  }

  /** Why the cluster must not be changed now, if so; checked between two actions, too. */
  public static Optional<Verdict> unsafe(ClusterSnapshot snapshot, Settings settings, Instant now) {
    return unsafe(snapshot, settings, now, Set.of());
  }

  /**
   * The same for a plan.
   *
   * @param known dead nodes that the plan replaces or removes, and that do not forbid it
   */
  private static Optional<Verdict> unsafe(
      ClusterSnapshot snapshot, Settings settings, Instant now, Set<NodeId> known) {
    Duration age = Duration.between(snapshot.takenAt(), now);
    Duration stale = settings.observe().period().multipliedBy(ObserveSettings.STALE_PERIODS);
    if (age.compareTo(stale) > 0) {
      return Optional.of(refuse("the snapshot is " + age.toSeconds() + " s old", "observe.period"));
    }
    if (!snapshot.blockers().isEmpty()) {
      return Optional.of(refuse(snapshot.blockers().get(0), ""));
    }
    if (snapshot.partitionsInTransition() > 0) {
      return Optional.of(
          refuse(
              Counted.are(snapshot.partitionsInTransition(), "partition") + " in transition", ""));
    }
    long unassigned = snapshot.partitions().stream().filter(p -> p.node().isEmpty()).count();
    if (unassigned > 0) {
      return Optional.of(refuse(Counted.are(unassigned, "partition") + " assigned to no node", ""));
    }
    if (!snapshot.gaps().isEmpty()) {
      return Optional.of(refuse("the snapshot is partial: " + snapshot.gaps().get(0), ""));
    }
    List<?> bad =
        snapshot.nodes().stream().filter(n -> !n.alive() && !known.contains(n.id())).toList();
    if (bad.size() > settings.guard().badNodesMax() * snapshot.nodes().size()) {
      return Optional.of(
          refuse(
              bad.size()
                  + " of "
                  + snapshot.nodes().size()
                  + " nodes look unhealthy at the same time",
              "guard.badNodesMax"));
    }
    return Optional.empty();
  }

  private static Verdict refuse(String reason, String setting) {
    return new Verdict.Refuse(reason, setting);
  }
}

package io.trimtab.simulator.days;

import io.trimtab.controller.policy.Stability;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.StabilitySettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.cluster.ServedTotals;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The production loop in charge of an in-memory cluster for some days of virtual time, without
 * faults.
 */
public final class ClusterDays {
  private final VirtualClock clock = new VirtualClock();
  private final InMemoryCluster cluster;
  private final Instant end;
  private final Optional<Settings> settings;
  private final Tally tally = new Tally();

  private ClusterDays(ClusterSpec spec, Optional<Settings> settings, Duration time) {
    this.cluster = new InMemoryCluster(spec, clock);
    this.settings = settings;
    this.end = clock.instant().plus(time);
  }

  /**
   * Runs a policy; the same arguments give the same result but for its times.
   *
   * @param settings of the controller; empty for a cluster that is left to the database's own
   *     balancing
   */
  public static DayResult run(ClusterSpec spec, Optional<Settings> settings, Duration time)
      throws EngineException {
    ClusterDays days = new ClusterDays(spec, settings, time);
    days.run();
    return days.tally.result(days.cluster.totals());
  }

  /** The same for the cluster of a seed ({@link DayClusters}). */
  public static DayResult run(long seed, Optional<Settings> settings, Duration time)
      throws EngineException {
    return run(DayClusters.spec(seed), settings, time);
  }

  private void run() throws EngineException {
    if (settings.isEmpty()) {
      // Time passes in pieces: what is asked for changes meanwhile.
      while (clock.instant().isBefore(end)) {
        clock.advance(Duration.ofSeconds(30));
        cluster.totals();
      }
      return;
    }
    ClusterState state = new MemoryState();
    ControlLoop loop =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings.get(),
            tally,
            VirtualPorts.of(clock, state, this::passes),
            FaultPoints.NONE);
    tally.loop = loop;
    loop.run(true, 0, false, false);
  }

  private void passes(Duration time) {
    clock.advance(time);
    if (!clock.instant().isBefore(end)) {
      tally.loop.stop();
    }
  }

  /** Counts what the loop does. */
  private final class Tally implements LoopListener {
    private ControlLoop loop;
    private int plans;
    private int done;
    private int moves;
    private double movedBytes;
    private double resizedBytes;
    private double movedBefore;
    private int splits;
    private int reconfigured;
    private int resized;
    private double swings;
    private int returns;
    private long decisions;
    private long decisionNanos;
    private long sampled;
    private Set<Integer> ended = new HashSet<>();

    /** Bytes by node when the last action began. */
    private Map<NodeId, Double> before = Map.of();

    private Stability stability = Stability.NONE;

    @Override
    public void sampled(int samples, int needed) {
      sampled = System.nanoTime();
    }

    @Override
    public void held(String by, String reason, String setting) {
      decided();
    }

    private void decided() {
      decisions++;
      decisionNanos += System.nanoTime() - sampled;
    }

    @Override
    public void planned(Plan plan, boolean act) {
      decided();
      plans++;
      ended = new HashSet<>();
    }

    @Override
    public void started(PlannedAction planned, int of) {
      before = stored();
    }

    @Override
    public void ended(PlannedAction planned, int of, ActionOutcome outcome, String detail) {
      if (outcome != ActionOutcome.DONE) {
        return;
      }
      ended.add(planned.step());
      Action action = planned.action();
      action.as(Action.Move.class).ifPresent(move -> moved(move.partition()));
      action
          .as(Action.Split.class)
          .ifPresent(
              split -> {
                splits++;
                if (!split.at().equals(split.rightTo())) {
                  moves++;
                  movedBytes += rightHalf(split);
                }
              });
      reconfigured += action.as(Action.Reconfigure.class).isPresent() ? 1 : 0;
      boolean adds = action.as(Action.AddNode.class).isPresent();
      boolean removes = action.as(Action.RemoveNode.class).isPresent();
      if (adds || removes) {
        resized++;
        movedBytes += streamed(planned.action());
      }
    }

    private void moved(io.trimtab.engineapi.PartitionId partition) {
      moves++;
      movedBytes += cluster.truth().partition(partition).map(PartitionState::sizeBytes).orElse(0L);
    }

    private double rightHalf(Action.Split split) {
      return cluster.truth().partitions().stream()
          .filter(p -> p.id().table().equals(split.partition().table()))
          .filter(p -> p.range().start().equals(split.key()))
          .mapToLong(PartitionState::sizeBytes)
          .sum();
    }

    /** What one more node of a ring has got, or one fewer had. */
    private double streamed(Action resizing) {
      if (cluster.truth().ownership() != Ownership.TOKENS) {
        return 0;
      }
      return resizing
          .as(Action.RemoveNode.class)
          .map(removal -> before.getOrDefault(removal.node(), 0.0))
          .orElseGet(
              () ->
                  stored().entrySet().stream()
                      .filter(node -> !before.containsKey(node.getKey()))
                      .mapToDouble(Map.Entry::getValue)
                      .sum());
    }

    /** Bytes by node. */
    private Map<NodeId, Double> stored() {
      Map<NodeId, Double> stored = new HashMap<>();
      for (PartitionState p : cluster.truth().partitions()) {
        p.node().ifPresent(node -> stored.merge(node, (double) p.sizeBytes(), Double::sum));
      }
      return stored;
    }

    @Override
    public void planEnded(Plan plan, PlanOutcome outcome, String why) {
      done += outcome == PlanOutcome.DONE ? 1 : 0;
      resizedBytes += resizes(plan) ? movedBytes - movedBefore : 0;
      movedBefore = movedBytes;
      stability = stability.after(plan, ended, Map.of(), clock.instant());
      Stability.Unrest unrest = stability.unrest(StabilitySettings.DEFAULTS, clock.instant());
      swings = Math.max(swings, unrest.swings());
      returns = Math.max(returns, unrest.returns());
    }

    private static boolean resizes(Plan plan) {
      return !plan.actions(Action.AddNode.class).isEmpty()
          || !plan.actions(Action.RemoveNode.class).isEmpty();
    }

    DayResult result(ServedTotals totals) {
      OptionalDouble log =
          totals.served().values().stream()
              .mapToDouble(share -> Math.log(Math.max(1e-6, share)))
              .average();
      return new DayResult(
          cluster.truth().ownership(),
          totals.overloadedSeconds() / 60,
          totals.nodeSeconds() / 3600,
          Math.exp(log.orElse(0)),
          plans,
          done,
          moves,
          movedBytes,
          resizedBytes,
          splits,
          reconfigured,
          resized,
          swings,
          returns,
          decisions == 0 ? 0 : decisionNanos / 1e6 / decisions);
    }
  }
}

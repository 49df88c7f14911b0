package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.AlternativesText;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Nodes with so little CPU that clients use one to its end on any machine, and the policy autopilot
 * on them. How fast the machine is decides how much they serve, not whether they are full.
 */
final class TightNodes {
  /** Of a node: three leave more than half of two cores to clients and everything else. */
  static final double CORES = 0.3;

  /** Well below {@code health.high}: a full node's share after a plan, and a half more, is, too. */
  static final double TARGET = 0.55;

  private TightNodes() {}

  /** Compilers of servers with so little CPU are at work as long after partitions have come. */
  private static final Duration WARM = Duration.ofSeconds(60);

  /**
   * The policy autopilot with a number of nodes that stays, and with a cooldown, without which an
   * operator's cluster isn't either: what is seen in a plan's first minute is not what it leads to.
   */
  static Settings keeping(int nodes) {
    return settings(nodes, nodes, WARM);
  }

  /**
   * The policy autopilot; it splits nothing, since tests that follow need the partitions that there
   * are.
   */
  static Settings between(int least, int most) {
    return settings(least, most, Duration.ZERO);
  }

  private static Settings settings(int least, int most, Duration cooldown) {
    return Settings.defaults()
        // A full node answers late, and a snapshot of two periods is stale.
        .with(ObserveSettings.builder().period(Duration.ofSeconds(2)).samples(3).build())
        .with(UsageSettings.builder().target(TARGET).build())
        .with(SplitSettings.builder().enabled(false).build())
        .with(
            GuardSettings.builder()
                .minNodes(least)
                .maxNodes(most)
                .cooldown(cooldown)
                .actionLimit(Duration.ofMinutes(3))
                .build())
        .with(Policies.AUTOPILOT);
  }

  /** A loop that acts until its policy has had nothing to do at three looks in a row. */
  static final class Settling implements LoopListener {
    private static final int LOOKS = 3;

    private final String policy;
    private final int least;
    private final BooleanSupplier measured;
    private final List<Plan> plans = new ArrayList<>();
    private Optional<Executor.Outcome> outcome = Optional.empty();
    private ControlLoop loop;
    private int quiet;
    private List<Alternative> weighed = List.of();

    private Settling(Settings settings, int least, BooleanSupplier measured) {
      this.policy = "policy " + settings.policy().name();
      this.least = least;
      this.measured = measured;
    }

    /**
     * Runs one in this process.
     *
     * @param least plans that it makes before, or goes on with
     */
    static Settling run(Lab lab, Engine engine, Settings settings, int least, FaultPoints faults)
        throws EngineException {
      return run(lab, engine, settings, new Settling(settings, least, () -> true), faults);
    }

    /** The same until it has also measured what it has predicted last, when caches have filled. */
    static Settling runUntilMeasured(
        Lab lab, Engine engine, Settings settings, int least, FaultPoints faults)
        throws EngineException {
      StateDir state = StateDir.of(engine.snapshot().clusterId());
      return run(
          lab, engine, settings, new Settling(settings, least, () -> isMeasured(state)), faults);
    }

    private static boolean isMeasured(StateDir state) {
      List<PredictionResult> lines = PredictionLedger.of(state.journals().acted());
      return !lines.isEmpty() && lines.get(lines.size() - 1).known();
    }

    private static Settling run(
        Lab lab, Engine engine, Settings settings, Settling settling, FaultPoints faults)
        throws EngineException {
      settling.loop =
          new ControlLoop(
              engine, Optional.of(lab.provider()), settings, settling, SystemPorts.ports(), faults);
      settling.outcome = settling.loop.run(true, 0, false);
      return settling;
    }

    @Override
    public void weighed(List<Alternative> alternatives) {
      weighed = alternatives;
    }

    @Override
    public void planned(Plan plan, boolean act) {
      System.out.println(plan.summary());
      System.out.println(AlternativesText.table(weighed));
      plans.add(plan);
      quiet = 0;
    }

    @Override
    public void held(String by, String reason, String setting) {
      // What the guard says, or an old snapshot, tells nothing of what the policy would do.
      if (by.equals(policy) && plans.size() >= least) {
        quiet++;
        if (quiet >= LOOKS && measured.getAsBoolean()) {
          System.out.println(reason);
          System.out.println(AlternativesText.table(weighed));
          loop.stop();
        }
      }
    }

    List<Plan> plans() {
      return List.copyOf(plans);
    }

    /** Of the last plan. */
    Optional<Executor.Outcome> outcome() {
      return outcome;
    }
  }

  /** No partition comes back to a node that a plan has taken it from. */
  static void assertNothingReturns(List<Plan> plans) {
    Map<PartitionId, Set<NodeId>> been = new HashMap<>();
    for (Plan plan : plans) {
      for (Action.Move move : plan.actions(Action.Move.class)) {
        Set<NodeId> nodes = been.computeIfAbsent(move.partition(), p -> new HashSet<>());
        nodes.add(move.from());
        assertThat(nodes.add(move.to())).as("%s came back in %s", move, plan.summary()).isTrue();
      }
    }
  }
}

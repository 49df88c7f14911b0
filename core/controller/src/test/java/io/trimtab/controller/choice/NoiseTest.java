package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What differs from look to look is no reason to change anything. */
class NoiseTest {
  private static final int LOOKS = 10;
  private static final int NODES = 4;
  private static final double USAGE = 0.87;
  private static final double USAGE_NOISE = 0.03;
  private static final double RATES_NOISE = 0.05;

  /** By table; the last one is small, so that much depends on little usage. */
  private static final double[] RATES = {500, 400, 20};

  /** One move each, so that nothing but the noise can be moved for. */
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(GuardSettings.builder().maxNodes(NODES).maxMoves(1).build());

  private static double noisy(double value, double noise, Random random) {
    return value * (1 + noise * random.nextGaussian());
  }

  /** As where clients wait for answers: all nodes are used as much, and above the target. */
  private static Observation.Usable look(Random random) {
    ByHand cluster = new ByHand();
    List<NodeId> nodes = new ArrayList<>();
    for (int n = 0; n < NODES; n++) {
      nodes.add(cluster.node("n" + n, Profile.READ, noisy(USAGE, USAGE_NOISE, random)));
    }
    for (NodeId node : nodes) {
      for (int table = 0; table < RATES.length; table++) {
        double rate = noisy(RATES[table], RATES_NOISE, random);
        cluster.partition(node, "t" + table, new Rates(rate, 0, 0, 0), 32 << 10);
      }
    }
    return cluster.seen();
  }

  @Test
  void ofTenLooksAtTheSameLoadAtMostOneBringsAPlan() {
    Random random = new Random(1);
    int plans = 0;
    int tempting = 0;
    for (int i = 0; i < LOOKS; i++) {
      Decision decision = Policies.AUTOPILOT.decide(look(random), PolicyState.INITIAL, SETTINGS);
      plans += decision instanceof Decision.Act ? 1 : 0;
      tempting += decision.weighed().stream().anyMatch(a -> a.gain() > 0) ? 1 : 0;
    }

    assertThat(plans).isLessThanOrEqualTo(1);
    // So that it shows something.
    assertThat(tempting).isGreaterThan(2);
  }

  private static final NodeId OTHER = new NodeId("other:1");
  private static final Settings TWO =
      SETTINGS.with(GuardSettings.builder().maxNodes(2).maxMoves(1).build());

  /** Two nodes with a partition of each of two tables, of which one is used too much. */
  private static Observation.Usable two(double other, double large, double small) {
    ByHand cluster = new ByHand();
    NodeId full = cluster.node("full", Profile.READ, 0.95);
    assertThat(cluster.node("other", Profile.READ, other)).isEqualTo(OTHER);
    for (NodeId node : List.of(full, OTHER)) {
      cluster.reads(node, "large", large);
      cluster.reads(node, "small", small);
    }
    return cluster.seen();
  }

  /** The same small table, on a node that is really used more. */
  @Test
  void whatIsMoreThanNoiseIsActedOn() {
    Observation.Usable seen = two(0.6, 900, 20);

    Decision decision = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, TWO);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.Move.class))
        .singleElement()
        .satisfies(
            move -> {
              assertThat(move.partition().table()).isEqualTo("small");
              assertThat(move.to()).isEqualTo(OTHER);
            });
  }

  /** As on clusters in memory, where a prediction that was wrong was so each time it was made. */
  @Test
  void whatPlansHaveNotBroughtTwiceIsNotPlannedForEver() {
    Observation.Usable seen = two(0.4, 600, 200);
    PolicyState state = PolicyState.INITIAL;
    int plans = 0;

    Decision decision = Policies.AUTOPILOT.decide(seen, state, TWO);
    while (decision instanceof Decision.Act act && plans < 20) {
      plans++;
      // Whatever is done, the node is used as much as before.
      state = act.next();
      decision = Policies.AUTOPILOT.decide(seen, state, TWO);
    }

    assertThat(plans).isBetween(1, 5);
    assertThat(decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .contains("the last plans brought less than predicted");
  }
}

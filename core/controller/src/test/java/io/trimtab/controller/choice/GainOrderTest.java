package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Wherever a plan ends, what it has done by then was for the better. */
class GainOrderTest {
  private static final int SEEDS = 40;
  private static final double TARGET = 0.7;

  /** Rounding, and the tail of a prediction's interval. */
  private static final double NOTHING = 1e-3;

  /** A cluster of which some nodes are full and others are not. */
  private static Layout now(long seed, int maxMoves) {
    return now(seed, maxMoves, Optional.empty());
  }

  private static Layout now(long seed, int maxMoves, Optional<NodeCapacity> offer) {
    return now(seed, 60, maxMoves, offer);
  }

  private static Layout now(long seed, int partitions, int maxMoves, Optional<NodeCapacity> offer) {
    Random random = new Random(seed);
    RandomCluster cluster = new RandomCluster(seed, 3 + random.nextInt(6), partitions);
    Map<NodeId, Double> used = new HashMap<>();
    cluster.snapshot.nodes().forEach(n -> used.put(n.id(), 0.3 + 0.65 * random.nextDouble()));
    Observation.Usable seen =
        new Observation.Usable(cluster.snapshot, cluster.rates, used, used, List.of())
            .withOffer(offer);
    Settings settings =
        Settings.defaults().with(GuardSettings.builder().maxMoves(maxMoves).build());
    return Layout.now(new ClusterLoad(new DecisionContext(seen, PolicyState.INITIAL, settings)));
  }

  private static Evaluator evaluator(Layout now) {
    return new Evaluator(now.load(), now, TARGET);
  }

  private static double lost(Layout layout, Evaluator evaluator) {
    return layout
        .present()
        .mapToDouble(n -> evaluator.loss(layout.forecast(n), layout.worthOn(n)))
        .sum();
  }

  private static List<Candidate> candidates(Layout now, Evaluator evaluator) {
    List<Candidate> all = new ArrayList<>(new SmallSteps().propose(now, evaluator));
    all.addAll(new MoreNodes(0, now.size() + 3).propose(now, evaluator));
    return all;
  }

  /** How many of a plan's prefixes lose more than the beginning; the first is 0, then all. */
  private static int[] worse(Layout now, Layout then, Evaluator evaluator) {
    Layout layout = now.copy();
    for (int n = now.nodes(); n < then.nodes(); n++) {
      layout.add(then.profile(n));
    }
    double before = lost(layout, evaluator);
    int[] order = GainOrder.of(now, then, evaluator);
    int worse = 0;
    for (int i = 0; i < order.length; i++) {
      int from = layout.nodeOf(order[i]);
      int to = then.nodeOf(order[i]);
      layout.move(order[i], to);
      boolean half =
          i + 1 < order.length
              && layout.nodeOf(order[i + 1]) == to
              && then.nodeOf(order[i + 1]) == from;
      worse += !half && lost(layout, evaluator) > before + NOTHING ? 1 : 0;
    }
    return new int[] {worse, order.length};
  }

  @Test
  void afterMovesOfAPlanNoMoreIsLostThanBefore() {
    int worse = 0;
    int all = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Layout now = now(seed, 500);
      Evaluator evaluator = evaluator(now);
      for (Candidate candidate : candidates(now, evaluator)) {
        int[] found = worse(now, candidate.layout(), evaluator);
        worse += found[0];
        all += found[1];
      }
    }
    assertThat(all).isGreaterThan(SEEDS);
    // Where partitions go in circles, one has to begin.
    assertThat(worse).as("of %s", all).isLessThanOrEqualTo(all / 50);
  }

  @Test
  void everyPartitionThatMovesHasItsPlaceOnce() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Layout now = now(seed, 500);
      Evaluator evaluator = evaluator(now);
      for (Candidate candidate : candidates(now, evaluator)) {
        int[] order = GainOrder.of(now, candidate.layout(), evaluator);
        int[] moved = candidate.layout().moved().sorted().toArray();

        assertThat(Arrays.stream(order).sorted().toArray()).as("seed %s", seed).isEqualTo(moved);
      }
    }
  }

  @Test
  void whatBringsMostForItsPriceGoesFirst() {
    double forwards = 0;
    double turned = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Layout now = now(seed, 500);
      Evaluator evaluator = evaluator(now);
      for (Candidate candidate : candidates(now, evaluator)) {
        Layout then = candidate.layout();
        int[] order = GainOrder.of(now, then, evaluator);
        int last = order.length - 1;
        int[] backwards = IntStream.rangeClosed(0, last).map(i -> order[last - i]).toArray();
        forwards += afterHalf(now, then, evaluator, order);
        turned += afterHalf(now, then, evaluator, backwards);
      }
    }
    assertThat(forwards).isLessThan(turned);
  }

  private static double afterHalf(Layout now, Layout then, Evaluator evaluator, int[] order) {
    Layout layout = now.copy();
    for (int n = now.nodes(); n < then.nodes(); n++) {
      layout.add(then.profile(n));
    }
    for (int i = 0; i < order.length / 2; i++) {
      layout.move(order[i], then.nodeOf(order[i]));
    }
    return lost(layout, evaluator);
  }

  @Test
  void aGroupingThatOnePlanMayNotMakeIsBegunForTheBetter() {
    int begun = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Layout now = now(seed, 10);
      Evaluator evaluator = evaluator(now);
      for (Candidate candidate : new Regroup(now.size() + 1).propose(now, evaluator)) {
        Layout then = candidate.layout();
        assertThat(then.moved().count()).as("seed %s", seed).isBetween(1L, 10L);
        if (candidate.title().startsWith("begin ")) {
          begun++;
          assertThat(lost(then, evaluator))
              .as("seed %s", seed)
              .isLessThanOrEqualTo(lost(now, evaluator) + 10 * NOTHING);
        }
      }
    }
    assertThat(begun).isPositive();
  }

  /** Of few nodes each move changes what nearly all others bring. */
  @Test
  void theFirstPartOfALargeGroupingIsNoHandfulOfMoves() {
    long most = 0;
    for (long seed = 0; seed < 10; seed++) {
      Layout now = now(seed, 1_000, 250, Optional.empty());
      for (Candidate candidate : new Regroup(now.size()).propose(now, evaluator(now))) {
        if (candidate.title().startsWith("begin ")) {
          most = Math.max(most, candidate.layout().moved().count());
        }
      }
    }
    assertThat(most).isBetween(50L, 250L);
  }

  @Test
  void betweenPlansThatOnlyMoveNoNodeIsWaitedFor() {
    NodeCapacity slow =
        new NodeCapacity(
            9, OptionalInt.empty(), OptionalDouble.empty(), Optional.of(Duration.ofMinutes(50)));

    // Two plans, ten minutes apart, within an hour.
    Evaluator evaluator = evaluator(now(1, 30, Optional.of(slow)));
    PlanWork moves = new PlanWork(60, 0, 0, 0);
    assertThat(evaluator.left(evaluator.limits().plans(moves))).isCloseTo(50.0 / 60, within(1e-9));
  }

  /** Sixty partitions by fives take twelve plans, ten minutes apart. */
  @Test
  void aGroupingThatTakesLongerThanTheLoadLastsIsNotBegun() {
    for (long seed = 0; seed < 5; seed++) {
      Layout now = now(seed, 5);
      assertThat(new Regroup(now.size()).propose(now, evaluator(now))).isEmpty();
      Layout free = now(seed, 500);
      assertThat(new Regroup(free.size()).propose(free, evaluator(free)))
          .extracting(Candidate::title)
          .containsExactly("regroup all partitions");
    }
  }
}

package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RackPenaltyTest {
  private static final int REPLICAS = 9;
  private static final long MS = 1_000_000;

  private static ReplicaRanking make(RankingKind kind) {
    return kind.make(new RankingSettings(REPLICAS, 3, 7), new Views(REPLICAS));
  }

  private static Told told(int queued, long service) {
    Told told = new Told();
    told.queued = queued;
    told.service = service;
    told.recentService = service;
    return told;
  }

  private static double[] factors(double... some) {
    return some;
  }

  private static int[] all() {
    return IntStream.range(0, REPLICAS).toArray();
  }

  /** The orders of many reads, with what a coordinator may see between them. */
  private static List<int[]> orders(ReplicaRanking ranking, long seed) {
    Random random = new Random(seed);
    List<int[]> orders = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += random.nextInt(3_000_000);
      int[] replicas = all();
      ranking.order(replicas, REPLICAS, now);
      orders.add(replicas);
      int replica = random.nextInt(REPLICAS);
      ranking.sent(replica, now);
      if (random.nextInt(20) == 0) {
        ranking.lost(replica, now, 5_000 * MS);
      } else {
        long service = 1 + random.nextInt(20_000_000);
        Told answer = random.nextInt(10) == 0 ? new Told() : told(random.nextInt(50), service);
        ranking.received(replica, now, service, answer);
      }
    }
    return orders;
  }

  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void thePenaltyOfOneChangesNothing(RankingKind kind) {
    ReplicaRanking plain = make(kind);
    ReplicaRanking penalized = make(kind);
    penalized.penalize(RackPenalty.NONE.factors("a", new String[] {"a", "b", "c", null, "b"}));
    List<int[]> orders = orders(plain, kind.ordinal());
    assertThat(orders(penalized, kind.ordinal()))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(orders);
  }

  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void theOrderIsAPermutationWithAnyPenalty(RankingKind kind) {
    Random random = new Random(kind.ordinal());
    for (int round = 0; round < 10; round++) {
      ReplicaRanking ranking = make(kind);
      double[] factors = new double[random.nextInt(REPLICAS + 1)];
      Arrays.setAll(factors, i -> 1 + random.nextInt(3) * random.nextDouble() * 500);
      ranking.penalize(factors);
      for (int[] order : orders(ranking, round)) {
        Arrays.sort(order);
        assertThat(order).isEqualTo(all());
      }
    }
  }

  /** For any two times and any factor, of rankings that expect a time. */
  @ParameterizedTest
  @EnumSource(
      value = RankingKind.class,
      names = {"C3", "THESIS", "PREQUAL", "TRIMTAB"})
  void theFarReplicaComesFirstWhereItIsFasterByTheFactor(RankingKind kind) {
    Random random = new Random(kind.ordinal());
    for (int round = 0; round < 2_000; round++) {
      double factor = 1 + 3 * random.nextDouble();
      long near = 1 + random.nextInt(20_000);
      long far = 1 + random.nextInt(20_000);
      ReplicaRanking ranking = make(kind);
      ranking.penalize(factors(1, factor));
      ranking.sent(0, 0);
      ranking.sent(1, 0);
      // Where it says nothing of itself, its answer's time stands for it; trimtab must be told.
      long[] took = {near * 1_000, far * 1_000};
      for (int i = 0; i < took.length; i++) {
        ranking.received(i, 20_000, took[i], kind.listens() ? told(0, took[i]) : new Told());
      }
      int[] order = {0, 1};
      ranking.order(order, 2, 20_000);
      // Of what is nearly alike, chance decides where a ranking has learned to doubt.
      if (Math.abs(far * factor - near) > Math.max(1, near / 100)) {
        assertThat(order[0])
            .as("near %d, far %d, factor %f", near, far, factor)
            .isEqualTo(far * factor < near ? 1 : 0);
      }
    }
  }

  /** A replica in another rack of which nothing is known must be asked once. */
  @ParameterizedTest
  @EnumSource(
      value = RankingKind.class,
      names = {"C3", "THESIS", "PREQUAL"})
  void whatIsUnknownIsAskedFirstWhereverItIs(RankingKind kind) {
    ReplicaRanking ranking = make(kind);
    ranking.penalize(factors(1, 1_000));
    ranking.sent(0, 0);
    ranking.received(0, MS, MS, told(0, MS));
    int[] order = {0, 1};
    ranking.order(order, 2, MS);
    assertThat(order[0]).isEqualTo(1);
  }

  @Test
  void ofUnansweredRequestsTheNextOneCountsToo() {
    ReplicaRanking ranking = make(RankingKind.LEAST_OUTSTANDING);
    ranking.penalize(factors(1, 1.5));
    for (int i = 0; i < 20; i++) {
      int[] order = {1, 0};
      ranking.order(order, 2, 0);
      assertThat(order[0]).isZero();
    }
    ranking.sent(0, 0);
    int[] order = {0, 1};
    ranking.order(order, 2, 0);
    assertThat(order[0]).as("two in its own rack last longer than one in another").isEqualTo(1);
    assertThat(ranking.explain(1, 0).score).isEqualTo(0.5);
  }

  /** They expect no time; Cassandra's own has its threshold for racks. */
  @ParameterizedTest
  @EnumSource(
      value = RankingKind.class,
      names = {"RANDOM", "DYNAMIC_SNITCH", "DYNAMIC_SNITCH_STRICT"})
  void othersIgnoreRacks(RankingKind kind) {
    ReplicaRanking plain = make(kind);
    ReplicaRanking penalized = make(kind);
    penalized.penalize(factors(1, 100, 2, 7));
    List<int[]> orders = orders(plain, 1);
    assertThat(orders(penalized, 1)).usingElementComparator(Arrays::compare).isEqualTo(orders);
  }

  @Test
  void whatIsKnownToBeInAnotherRackIsPenalized() {
    RackPenalty penalty = new RackPenalty(2);
    assertThat(penalty.factors("a", new String[] {"a", "b", null, "c"}))
        .containsExactly(1, 2, 1, 2);
    assertThat(penalty.factors(null, new String[] {"a", "b"})).containsExactly(1, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.99", "-1", "1000.1", "NaN", "Infinity", "much", ""})
  void whatIsNoPenaltyIsToldAndNone(String text) {
    List<String> complaints = new ArrayList<>();
    assertThat(RackPenalty.given(text, complaints::add).factor()).isEqualTo(1);
    assertThat(complaints)
        .containsExactly(text + " is not a number from 1 to 1000; racks make no difference");
    assertThat(RackPenalty.given(null, complaints::add).factor()).isEqualTo(1);
    assertThat(RackPenalty.given("1.5", complaints::add).factor()).isEqualTo(1.5);
    assertThat(complaints).hasSize(1);
  }

  @Test
  void aPenaltyBelowOneWouldPreferOtherRacks() {
    assertThatThrownBy(() -> new RackPenalty(0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the rack penalty must be 1 to 1000, not 0.5");
  }
}

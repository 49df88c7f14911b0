package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankingsTest {
  private static final int REPLICAS = 9;
  private static final long MS = 1_000_000;

  private static ReplicaRanking make(RankingKind kind) {
    return kind.make(new RankingSettings(REPLICAS, 1, 7), new Views(REPLICAS));
  }

  private static Told told(int queued, long serviceMs, long waitedMs) {
    Told told = new Told();
    told.queued = queued;
    told.service = serviceMs * MS;
    told.recentService = serviceMs * MS;
    told.waited = waitedMs * MS;
    return told;
  }

  private static int first(ReplicaRanking ranking, long now, int... replicas) {
    ranking.order(replicas, replicas.length, now);
    return replicas[0];
  }

  /** Whatever was seen, and whatever was not: nothing is dropped, doubled or added. */
  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void theOrderIsAlwaysAPermutation(RankingKind kind) {
    ReplicaRanking ranking = make(kind);
    Random random = new Random(kind.ordinal());
    long now = 0;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextInt(3_000_000);
      int[] replicas = IntStream.range(0, REPLICAS).toArray();
      int count = random.nextInt(REPLICAS + 1);
      ranking.order(replicas, count, now);
      assertThat(IntStream.of(replicas).limit(count).sorted())
          .containsExactly(IntStream.range(0, count).boxed().toArray(Integer[]::new));
      assertThat(IntStream.of(replicas).skip(count))
          .containsExactly(IntStream.range(count, REPLICAS).boxed().toArray(Integer[]::new));
      int replica = random.nextInt(REPLICAS);
      ranking.sent(replica, now);
      if (random.nextInt(20) == 0) {
        ranking.lost(replica, now, 5_000 * MS);
      } else {
        Told answer = random.nextInt(10) == 0 ? new Told() : told(random.nextInt(50), 4, 1);
        ranking.received(replica, now, 1 + random.nextInt(20_000_000), answer);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RankingKind.class,
      names = {"RANDOM", "LEAST_OUTSTANDING"},
      mode = EnumSource.Mode.EXCLUDE)
  void aReplicaThatIsSlowAndFullComesLast(RankingKind kind) {
    ReplicaRanking ranking = make(kind);
    long now = 0;
    for (int i = 0; i < 300; i++) {
      now += MS;
      for (int replica = 0; replica < 3; replica++) {
        boolean slow = replica == 0;
        ranking.sent(replica, now);
        ranking.received(
            replica, now, (slow ? 90 : 5) * MS, slow ? told(40, 20, 60) : told(1, 4, 0));
      }
    }
    int[] replicas = {0, 1, 2};
    ranking.order(replicas, 3, now + 200 * MS);
    assertThat(replicas[0]).isNotZero();
  }

  /** As in a mixed cluster: what says nothing of itself is not asked first for ever. */
  @ParameterizedTest
  @EnumSource(
      value = RankingKind.class,
      names = {"C3", "THESIS", "TRIMTAB", "DYNAMIC_SNITCH_STRICT"})
  void aSlowReplicaThatSaysNothingComesLast(RankingKind kind) {
    ReplicaRanking ranking = make(kind);
    long now = 0;
    for (int i = 0; i < 200; i++) {
      now += 10 * MS;
      for (int replica = 0; replica < 3; replica++) {
        ranking.sent(replica, now);
        boolean silent = replica == 0;
        ranking.received(replica, now, (silent ? 40 : 5) * MS, silent ? new Told() : told(0, 4, 0));
      }
    }
    int[] replicas = {0, 1, 2};
    ranking.order(replicas, 3, now + 200 * MS);
    assertThat(replicas[2]).isZero();
  }

  /** One that fails at once is no fast one, and its requests do not count for ever. */
  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void aFailureIsNoFastAnswer(RankingKind kind) {
    ReplicaRanking failing = make(kind);
    ReplicaRanking idle = make(kind);
    for (int i = 0; i < 100; i++) {
      for (ReplicaRanking ranking : new ReplicaRanking[] {failing, idle}) {
        ranking.sent(1, i * MS);
        ranking.received(1, i * MS, 5 * MS, told(2, 4, 0));
        ranking.sent(2, i * MS);
        ranking.received(2, i * MS, 5 * MS, told(2, 4, 0));
      }
      failing.sent(1, i * MS);
      failing.failed(1, i * MS);
    }
    // Equals are in random order: over many draws the failure makes no difference.
    int firsts = 0;
    int others = 0;
    for (int i = 0; i < 1_000; i++) {
      firsts += first(failing, 400 * MS, 1, 2) == 1 ? 1 : 0;
      others += first(idle, 400 * MS, 1, 2) == 1 ? 1 : 0;
    }
    assertThat(firsts).isCloseTo(others, within(150));
  }

  @Test
  void theFewestUnansweredComeFirst() {
    ReplicaRanking ranking = make(RankingKind.LEAST_OUTSTANDING);
    ranking.sent(0, 0);
    ranking.sent(1, 0);
    assertThat(first(ranking, 1, 0, 1, 2)).isEqualTo(2);
    ranking.sent(2, 1);
    ranking.sent(2, 1);
    ranking.lost(1, 2, 1);
    assertThat(first(ranking, 3, 0, 1, 2)).isEqualTo(1);
  }

  /** Suresh 2015: 1/μ for the cube of 1 + own requests for each coordinator + the queue. */
  @Test
  void c3PunishesTheCubeOfTheQueue() {
    C3Ranking ranking = new C3Ranking(new RankingSettings(2, 3, 1));
    ranking.sent(0, 0);
    ranking.received(0, 10 * MS, 10 * MS, told(2, 4, 5));

    assertThat(ranking.score(0, 0)).isEqualTo((10 - 4 + 3 * 3 * 3 * 4) * (double) MS);
    ranking.sent(0, 10 * MS);
    assertThat(ranking.score(0, 0)).isEqualTo((10 - 4 + 6 * 6 * 6 * 4) * (double) MS);
  }

  /** Cassandra's own order stays unless a replica is worse than twice the best. */
  @Test
  void theSnitchKeepsTheEnginesOrderBelowItsThreshold() {
    ReplicaRanking ranking = make(RankingKind.DYNAMIC_SNITCH);
    ReplicaRanking strict = make(RankingKind.DYNAMIC_SNITCH_STRICT);
    for (ReplicaRanking each : new ReplicaRanking[] {ranking, strict}) {
      each.received(0, MS, 19 * MS, new Told());
      each.received(1, MS, 10 * MS, new Told());
    }
    assertThat(first(ranking, 200 * MS, 0, 1)).isZero();
    assertThat(first(strict, 200 * MS, 0, 1)).isEqualTo(1);
  }

  /** Wu 2018, Algorithms 1 and 2, with α = 2. */
  @Test
  void outliersAreReplacedByThePercentileBelowThem() {
    TailAdjusted value = new TailAdjusted(100, 2);
    IntStream.rangeClosed(1, 97).forEach(i -> value.add(10));
    assertThat(value.value()).isEqualTo(10);
    value.add(15);
    assertThat(value.value()).isEqualTo(15);
    value.add(90);
    value.add(90);
    assertThat(value.value()).isEqualTo(10);
  }

  /** It may have died: what it owes is not there, however little that is. */
  @Test
  void aReplicaFromWhichNothingComesIsLastUntilItShowsThatItRuns() {
    ReplicaRanking ranking = make(RankingKind.TRIMTAB);
    for (int replica = 0; replica < 3; replica++) {
      ranking.sent(replica, 0);
      ranking.received(replica, 5 * MS, 5 * MS, told(1, replica == 0 ? 2 : 4, 0));
    }
    assertThat(first(ranking, 5 * MS, 0, 1, 2)).isZero();
    ranking.sent(0, 5 * MS);
    int[] order = {0, 1, 2};
    ranking.order(order, 3, 50 * MS);
    assertThat(order[2]).isZero();

    // Neither a sign of life nor the end of waiting alone lets it be asked.
    ranking.alive(0, 60 * MS);
    ranking.order(order, 3, 100 * MS);
    assertThat(order[2]).isZero();
    ranking.lost(0, 5_000 * MS, 4_995 * MS);
    ranking.order(order, 3, 5_100 * MS);
    assertThat(order[2]).isZero();

    ranking.alive(0, 6_000 * MS);
    int firsts = 0;
    for (int i = 0; i < 300; i++) {
      firsts += first(ranking, 6_000 * MS, 0, 1, 2) == 0 ? 1 : 0;
    }
    assertThat(firsts).isPositive();
  }

  @Test
  void whatOthersHearOfASilentReplicaCounts() {
    Views views = new Views(REPLICAS);
    ReplicaRanking ranking = RankingKind.TRIMTAB.make(new RankingSettings(REPLICAS, 1, 7), views);
    for (int replica = 0; replica < 2; replica++) {
      views.learn(replica, 0, 1, 4 * MS);
      ranking.sent(replica, 0);
    }
    // It has answered another coordinator.
    views.learn(1, 99 * MS, 1, 4 * MS);
    assertThat(first(ranking, 100 * MS, 0, 1)).isEqualTo(1);
  }

  /** A queue of reads that take long lasts. */
  @Test
  void theQueueOfASlowReplicaIsRememberedForLonger() {
    Views views = new Views(REPLICAS);
    ReplicaRanking ranking = RankingKind.TRIMTAB.make(new RankingSettings(REPLICAS, 1, 7), views);
    for (int i = 0; i < 1_000; i++) {
      views.learn(2, i * MS, 0, 5 * MS);
    }
    views.learn(0, 1_000 * MS, 4, 50 * MS);
    views.learn(1, 1_000 * MS, 0, 70 * MS);

    // Of 5 ms each it would have been worked off.
    assertThat(first(ranking, 1_150 * MS, 0, 1)).isEqualTo(1);
    assertThat(first(ranking, 3_000 * MS, 0, 1)).isZero();
  }

  /** Whoever asks a slow disk again every few moments has as many slow reads. */
  @Test
  void aSlowReplicaIsRememberedThoughOthersHaveAQueue() {
    Views views = new Views(REPLICAS);
    ReplicaRanking ranking = RankingKind.TRIMTAB.make(new RankingSettings(REPLICAS, 1, 7), views);
    for (int i = 0; i < 1_000; i++) {
      views.learn(1, i * MS, 0, 5 * MS);
      views.learn(2, i * MS, 0, 5 * MS);
    }
    views.learn(0, 1_000 * MS, 0, 100 * MS);
    views.learn(1, 1_500 * MS, 2, 5 * MS);
    views.learn(2, 1_500 * MS, 2, 5 * MS);

    for (int i = 0; i < 100; i++) {
      int[] order = {0, 1, 2};
      ranking.order(order, 3, 1_500 * MS);
      assertThat(order[2]).isZero();
    }
    // But not for ever.
    views.learn(1, 12_000 * MS, 2, 5 * MS);
    views.learn(2, 12_000 * MS, 2, 5 * MS);
    assertThat(first(ranking, 12_000 * MS, 0, 1, 2)).isZero();
  }

  /** Reads from memory take less than messages: which replica is a little faster is no reason. */
  @Test
  void whatMessagesHideDoesNotDecide() {
    ReplicaRanking ranking = make(RankingKind.TRIMTAB);
    first(ranking, 0, 0, 1, 2);
    Told told = told(0, 0, 0);
    for (int i = 0; i < 2_000; i++) {
      int replica = i % 3;
      ranking.sent(replica, i * MS);
      told.service = replica == 0 ? 100_000 : 150_000;
      told.recentService = told.service;
      ranking.received(replica, i * MS, told.service + MS, told);
    }
    int firsts = 0;
    for (int i = 0; i < 3_000; i++) {
      firsts += first(ranking, 2_000 * MS, 0, 1, 2) == 0 ? 1 : 0;
    }
    assertThat(firsts).isBetween(800, 1_200);
  }

  /** Where nothing speaks against it the own copy comes first: it needs no messages. */
  @Test
  void theOwnCopyNeedsNoMessages() {
    Views views = new Views(REPLICAS);
    ReplicaRanking ranking = RankingKind.TRIMTAB.make(new RankingSettings(REPLICAS, 1, 7), views);
    int[] order = {0, 1, 2};
    ranking.order(order, 3, 0);
    for (int i = 0; i < 300; i++) {
      views.refresh(0, i * MS, 0);
      answers(ranking, i % 3, i * MS, i % 3 == 0 ? 0 : 2 * MS);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(first(ranking, 300 * MS, 0, 1, 2)).isZero();
    }
    // Its own requests may wait on this node for other reasons.
    double before = ranking.explain(1, 300 * MS).score;
    for (int i = 0; i < 300; i++) {
      answers(ranking, 0, 300 * MS, 50 * MS);
    }
    assertThat(ranking.explain(1, 300 * MS).score).isCloseTo(before, withinPercentage(1));
    views.learn(0, 301 * MS, 8, MS);
    assertThat(first(ranking, 301 * MS, 0, 1, 2)).isNotZero();
  }

  /** Half a millisecond each, and what is neither waiting nor service besides. */
  private static void answers(ReplicaRanking ranking, int replica, long now, long rest) {
    Told told = told(0, 0, 0);
    told.service = MS / 2;
    told.recentService = MS / 2;
    ranking.sent(replica, now);
    ranking.received(replica, now, told.service + rest, told);
  }

  /** Answers of another data centre, and a pause, say nothing of the messages here. */
  @Test
  void whatIsNeverRankedIsNotOnTheWay() {
    Views views = new Views(REPLICAS);
    ReplicaRanking ranking = RankingKind.TRIMTAB.make(new RankingSettings(REPLICAS, 1, 7), views);
    int[] order = {0, 1};
    ranking.order(order, 2, 0);
    for (int i = 0; i < 1_000; i++) {
      answers(ranking, i % 2, i * MS, MS);
      answers(ranking, 2, i * MS, 80 * MS);
    }
    assertThat(ranking.explain(0, 1_000 * MS).score).isCloseTo(1.5 * MS, withinPercentage(3));
    for (int i = 0; i < 20; i++) {
      answers(ranking, i % 2, 1_200 * MS, 200 * MS);
    }
    assertThat(ranking.explain(0, 1_200 * MS).score).isLessThan(1.7 * MS);
  }
}

package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where differences do not come true and news are old, chance spreads reads of what is alike. */
class ChanceTest {
  private static final long MS = 1_000_000;
  private static final int ORDERS = 3_000;
  private static final int SLOW = 2;

  private final Views views = new Views(3);
  private final TrimtabRanking ranking = new TrimtabRanking(new RankingSettings(3, 1, 5), views);
  private long now;

  /** Small differences were noise 20,000 times; large ones came true. Two wait at each replica. */
  @BeforeEach
  void smallDifferencesAreNotTrusted() {
    Random random = new Random(3);
    Told told = new Told();
    for (int i = 0; i < 20_000; i++) {
      now += MS;
      int replica = i % 50 == 0 ? SLOW : i % 2;
      ranking.sent(replica, now);
      told.queued = 2;
      double mean = replica == SLOW ? 15 : 5;
      told.service = 1 + (long) (-Math.log(1 - random.nextDouble()) * mean * MS);
      told.recentService = (long) ((replica == SLOW ? 15 : 4 + 2 * random.nextDouble()) * MS);
      ranking.received(replica, now, told.service, told);
    }
    tells(0, 4.8);
    tells(1, 5.2);
    tells(SLOW, 15);
  }

  private void tells(int replica, double ms) {
    views.learn(replica, now, 2, ms * MS);
  }

  private int[] firsts(long at) {
    int[] firsts = new int[3];
    for (int i = 0; i < ORDERS; i++) {
      int[] order = {0, 1, 2};
      ranking.order(order, 3, at);
      firsts[order[0]]++;
    }
    return firsts;
  }

  @Test
  void whatIsAlikeIsReadAlikeWhereNewsAreOld() {
    assertThat(firsts(now)[SLOW]).as("new").isZero();
    int[] old = firsts(now + 150 * MS);
    assertThat(old[0]).isBetween(ORDERS / 3, ORDERS * 2 / 3);
    assertThat(old[1]).isBetween(ORDERS / 3, ORDERS * 2 / 3);
  }

  /** A difference that comes true makes a replica no likelier to be read than another one. */
  @Test
  void whatIsKnownToBeSlowComesFirstLessOftenThanOthers() {
    assertThat(firsts(now + 150 * MS)[SLOW]).isLessThan(ORDERS / 5);
  }

  @Test
  void whatIsKnownToBeSlowIsNotReadByChanceWhereReplicasAreIdle() {
    assertThat(firsts(now + 150 * MS)[SLOW]).as("busy").isPositive();
    for (int i = 0; i < 2_000; i++) {
      views.learn(i % 2, ++now, 0, 5 * MS);
    }
    views.learn(SLOW, ++now, 0, 15 * MS);
    assertThat(firsts(now + 150 * MS)[SLOW]).isZero();
  }

  /** What is farther away costs something, whatever is known of it. */
  @Test
  void whichIsFartherAwayIsNotLeftToChance() {
    ranking.penalize(new double[] {1.5, 1, 1});
    assertThat(firsts(now + 150 * MS)[1]).isEqualTo(ORDERS);
  }

  /** But among those that are as far away it is. */
  @Test
  void whatIsAlikeAndAsFarAwayIsReadAlike() {
    ranking.penalize(new double[] {1.5, 1, 1});
    now += MS;
    tells(0, 4.8);
    tells(1, 5.2);
    tells(SLOW, 5.2);
    int[] firsts = firsts(now);
    assertThat(firsts[0]).isZero();
    assertThat(firsts[1]).isBetween(ORDERS / 3, ORDERS * 2 / 3);
  }
}

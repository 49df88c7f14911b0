package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ForesightTest {
  private static final double MEAN = 3e6;

  /** Measured times are exponential. */
  private static void learn(Foresight foresight, int reads, double expected, double comesTrue) {
    Random random = new Random(5);
    for (int i = 0; i < reads; i++) {
      double mean = random.nextDouble() < comesTrue ? expected : MEAN;
      foresight.learn(expected, MEAN, -Math.log(1 - random.nextDouble()) * mean, MEAN);
    }
  }

  private static double after(int reads, double comesTrue) {
    Foresight foresight = new Foresight();
    learn(foresight, reads, MEAN * 1.6, comesTrue);
    return foresight.trust(MEAN * 1.6, MEAN);
  }

  @Test
  void whatComesTrueIsTrusted() {
    assertThat(new Foresight().trust(2 * MEAN, MEAN)).isEqualTo(1);
    assertThat(after(10_000, 1)).isGreaterThan(0.85);
    assertThat(after(10_000, 0.5)).isCloseTo(0.5, within(0.15));
    assertThat(after(10_000, 0)).isLessThan(0.15);
  }

  @Test
  void fewReadsSayLittle() {
    assertThat(after(30, 0)).isGreaterThan(0.6);
    assertThat(after(400, 0)).isLessThan(0.4);
  }

  @Test
  void whatIsAlwaysTheAverageIsNoReasonForDoubt() {
    Foresight foresight = new Foresight();
    for (int i = 0; i < 100_000; i++) {
      foresight.learn(MEAN, MEAN, MEAN, MEAN);
    }
    assertThat(foresight.trust(MEAN, MEAN)).isEqualTo(1);
  }

  /** A little more or less was chance; ten times as much is a slow disk nevertheless. */
  @Test
  void largeDeviationsAreTrustedThoughSmallOnesAreNot() {
    Foresight foresight = new Foresight();
    learn(foresight, 10_000, MEAN * 1.5, 0);
    learn(foresight, 10_000, MEAN * 0.6, 0);
    learn(foresight, 2_000, MEAN * 10, 1);

    assertThat(foresight.trust(MEAN * 1.4, MEAN)).isLessThan(0.2);
    assertThat(foresight.trust(MEAN * 0.7, MEAN)).isLessThan(0.2);
    assertThat(foresight.trust(MEAN * 12, MEAN)).isGreaterThan(0.6);
  }

  /** After many pauses that did not last comes a disk that stays slow. */
  @Test
  void trustInLargeDeviationsComesBack() {
    Foresight foresight = new Foresight();
    learn(foresight, 10_000, MEAN * 10, 0);
    assertThat(foresight.trust(MEAN * 10, MEAN)).isLessThan(0.1);
    learn(foresight, 150, MEAN * 10, 1);
    assertThat(foresight.trust(MEAN * 10, MEAN)).isGreaterThan(0.5);
  }

  /** One read of seconds is a pause, and no reason to believe or to doubt for a thousand more. */
  @Test
  void aSingleReadDecidesNothing() {
    Foresight foresight = new Foresight();
    learn(foresight, 5_000, MEAN * 1.6, 0.5);
    double before = foresight.trust(MEAN * 1.6, MEAN);
    foresight.learn(MEAN * 1.6, MEAN, MEAN * 1_000, MEAN);
    assertThat(foresight.trust(MEAN * 1.6, MEAN)).isCloseTo(before, within(0.1));
  }

  /**
   * Two replicas of which one is always said to be faster and is not: at first it gets nearly all
   * reads, then about half.
   */
  @Test
  void aReplicaThatIsNotAsFastAsItSaysGetsItsShare() {
    RankingSettings settings = new RankingSettings(2, 1, 1);
    Views views = new Views(2);
    TrimtabRanking ranking = new TrimtabRanking(settings, views);
    Random random = new Random(3);
    int[] firsts = new int[20_000];
    for (int i = 0; i < firsts.length; i++) {
      long now = i * 1_000_000L;
      // As others hear of both.
      views.learn(0, now, 0, MEAN * 0.7);
      views.learn(1, now, 0, MEAN * 1.3);
      int[] order = {0, 1};
      ranking.order(order, 2, now);
      firsts[i] = order[0];
      ranking.sent(order[0], now);
      Told told = new Told();
      told.queued = 0;
      told.service = 1 + (long) (random.nextDouble() * 2 * MEAN);
      told.recentService = (long) (MEAN * (order[0] == 0 ? 0.7 : 1.3));
      ranking.received(order[0], now + 1, told.service, told);
    }
    assertThat(share(firsts, 0, 50)).isGreaterThan(0.9);
    assertThat(share(firsts, 15_000, 20_000)).isBetween(0.4, 0.75);
  }

  private static double share(int[] firsts, int from, int to) {
    return IntStream.range(from, to).filter(i -> firsts[i] == 0).count() / (double) (to - from);
  }
}

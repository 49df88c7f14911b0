package io.trimtab.plugincore;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SplitTrackerTest {
  private static final byte[] OPEN = new byte[0];

  @Test
  void aFewRequestsAreWaitedFor() {
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    assertThat(tracker.advice().verdict()).isEqualTo(SplitAdvice.Verdict.WAIT);
    for (int i = 0; i < 10; i++) {
      tracker.add(key(i));
    }
    assertThat(tracker.advice().verdict()).isEqualTo(SplitAdvice.Verdict.WAIT);
    assertThat(tracker.advice().requests()).isEqualTo(10);
  }

  @Test
  void oneHotKeyIsNamedInsteadOfSplit() {
    Random random = new Random(1);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 5_000; i++) {
      tracker.add(key(random.nextInt(10) < 6 ? 4_711 : random.nextInt(10_000)));
    }
    SplitAdvice advice = tracker.advice();
    assertThat(advice.verdict()).isEqualTo(SplitAdvice.Verdict.UNSPLITTABLE_HOT_KEY);
    assertThat(new String(advice.key(), StandardCharsets.UTF_8)).isEqualTo("user000000004711");
  }

  @Test
  void aDaughterBelowAllThatWasSeenKnowsNothing() {
    Random random = new Random(4);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 5_000; i++) {
      tracker.add(key(random.nextInt(10_000)));
    }
    byte[] low = {'a'};
    assertThat(tracker.part(OPEN, low).advice().requests()).isZero();
    assertThat(tracker.part(low, OPEN).advice().requests()).isEqualTo(5_000);
  }

  /** A probe of the first row must not blur all keys into one. */
  @Test
  void aFewKeysUnlikeTheOthersDoNoHarm() {
    Random random = new Random(3);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    // Long enough for the estimator to thin its past more than once.
    for (int i = 0; i < 120_000; i++) {
      tracker.add(i % 500 == 0 ? new byte[] {0} : key(random.nextInt(10_000)));
    }
    SplitAdvice advice = tracker.advice();
    assertThat(advice.verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
    assertThat(new String(advice.key(), StandardCharsets.UTF_8)).startsWith("user00000000");
    assertThat(advice.leftShare()).isBetween(0.47, 0.53);
  }

  @Test
  void allRequestsToOneKeyAreNoReasonToSplit() {
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 5_000; i++) {
      tracker.add(new byte[] {7});
    }
    assertThat(tracker.advice().verdict()).isEqualTo(SplitAdvice.Verdict.UNSPLITTABLE_HOT_KEY);
  }

  @Test
  void scansThatWouldGoToBothHalvesSpeakAgainstASplit() {
    Random random = new Random(2);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 5_000; i++) {
      int from = random.nextInt(2_000);
      tracker.addScanCall(key(from), key(from + 8_000));
    }
    SplitAdvice advice = tracker.advice();
    assertThat(advice.verdict()).isEqualTo(SplitAdvice.Verdict.NOT_WORTH_IT);
    assertThat(advice.reason()).contains("scans");
  }

  /** A partition may live for weeks: the few calls of all that time are not the load of now. */
  @Test
  void fewScansNeverSpeakAgainstASplitHoweverLongTheyCome() {
    Random random = new Random(2);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 400_000; i++) {
      if (i % 20 == 0) {
        int from = random.nextInt(2_000);
        tracker.addScanCall(key(from), key(from + 8_000));
      } else {
        tracker.add(key(random.nextInt(10_000)));
      }
      if (i > 0 && i % 5_000 == 0) {
        assertThat(tracker.advice().verdict())
            .as("after %d requests", i)
            .isEqualTo(SplitAdvice.Verdict.SPLIT);
      }
    }
  }

  /** It knows its parent's requests, and has judged no scan of its own. */
  @Test
  void oneScanDoesNotDecideForADaughter() {
    Random random = new Random(2);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 20_000; i++) {
      tracker.add(key(random.nextInt(10_000)));
    }
    SplitTracker daughter = tracker.part(key(5_000), OPEN);
    daughter.addScanCall(key(5_100), key(9_900));
    assertThat(daughter.advice().verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
  }

  @Test
  void scansOfBeforeAreForgottenWhenReadsCome() {
    Random random = new Random(2);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 50_000; i++) {
      int from = random.nextInt(2_000);
      tracker.addScanCall(key(from), key(from + 8_000));
    }
    assertThat(tracker.advice().verdict()).isEqualTo(SplitAdvice.Verdict.NOT_WORTH_IT);
    for (int i = 0; i < 100_000; i++) {
      tracker.add(key(random.nextInt(10_000)));
    }
    assertThat(tracker.advice().verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
  }

  /** A long scan's calls halve where its rows do, and weigh as much as as many reads. */
  @Test
  void aCallOfAScanIsOneRequestWhereItsRowsAre() {
    Random random = new Random(3);
    SplitTracker tracker = new SplitTracker(OPEN, OPEN);
    for (int i = 0; i < 3_000; i++) {
      // Reads in the upper half, calls in the lower: as many.
      tracker.add(key(5_000 + random.nextInt(5_000)));
      int from = random.nextInt(4_900);
      tracker.addScanCall(key(from), key(from + 99));
    }
    SplitAdvice advice = tracker.advice();
    assertThat(advice.verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
    assertThat(advice.requests()).isBetween(5_900L, 6_000L);
    assertThat(new String(advice.key(), StandardCharsets.UTF_8))
        .isBetween("user000000004600", "user000000005400");
  }

  /** Any bytes at all, of any length: the split key is inside, and in order. */
  @Test
  void binaryKeysOfMixedLengthGiveALegalKeyInside() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      byte[] start = random.nextBoolean() ? OPEN : bytes(random, 3);
      byte[] end = random.nextBoolean() ? OPEN : bytes(random, 3);
      if (end.length > 0 && Arrays.compareUnsigned(start, end) >= 0) {
        byte[] swap = start;
        start = end;
        end = swap;
      }
      SplitTracker tracker = new SplitTracker(start, end);
      for (int i = 0; i < 4_000; i++) {
        tracker.add(bytes(random, 12));
      }
      SplitAdvice advice = tracker.advice();
      if (advice.verdict() == SplitAdvice.Verdict.SPLIT) {
        assertThat(Arrays.compareUnsigned(advice.key(), start)).as("seed %d", seed).isPositive();
        if (end.length > 0) {
          assertThat(Arrays.compareUnsigned(advice.key(), end)).as("seed %d", seed).isNegative();
        }
      }
    }
  }

  /** Mostly extremes: 0x00 and 0xFF are where signs and ends go wrong. */
  private static byte[] bytes(Random random, int longest) {
    byte[] key = new byte[random.nextInt(longest + 1)];
    for (int i = 0; i < key.length; i++) {
      int draw = random.nextInt(4);
      key[i] = draw == 0 ? 0 : draw == 1 ? (byte) 0xFF : (byte) random.nextInt(256);
    }
    return key;
  }

  @Test
  void imagesKeepTheOrderOfKeysAndComeBack() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] a = bytes(random, 8);
      byte[] b = bytes(random, 8);
      KeyImage images = new KeyImage(OPEN);
      int order = Integer.signum(Arrays.compareUnsigned(a, b));
      int imageOrder = Long.compare(images.image(a), images.image(b));
      // Trailing zeros are lost, so two keys may share a number, but never turn round.
      assertThat(imageOrder == 0 || imageOrder == order).as("seed %d", seed).isTrue();
      assertThat(images.image(images.key(images.image(a)))).isEqualTo(images.image(a));
    }
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "user%012d", number).getBytes(StandardCharsets.UTF_8);
  }
}

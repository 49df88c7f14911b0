package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.SplitAdvice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SplitCollectorTest {
  private static final byte[] OPEN = new byte[0];
  private static final int KEYS = 10_000;

  @Test
  void manyThreadsAtOnceAreCountedAlike() throws InterruptedException {
    SplitCollector collector = new SplitCollector(OPEN, OPEN);
    long requests = eightThreads(collector, 50_000, () -> {});

    SplitAdvice advice = collector.advice();
    assertThat(advice.verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
    assertThat(trueShare(advice.key())).isBetween(0.48, 0.52);
    assertThat(advice.requests() + collector.missed()).isLessThanOrEqualTo(requests);
  }

  /**
   * Handlers of a server wait between requests. Threads that never wait lose what comes while the
   * one at the tracker has no processor, which is up to the machine.
   */
  @Test
  void ofThreadsThatWaitBetweenRequestsFewAreMissed() throws InterruptedException {
    SplitCollector collector = new SplitCollector(OPEN, OPEN);
    long requests = eightThreads(collector, 5_000, () -> LockSupport.parkNanos(50_000));

    assertThat(collector.missed()).isLessThan(requests / 2);
  }

  private static long eightThreads(SplitCollector collector, int each, Runnable between)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  // Squares: half of the requests are for the lowest quarter of the keys.
                  double u = random.nextDouble();
                  add(collector, (int) (u * u * KEYS));
                  between.run();
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return 8L * each;
  }

  @Test
  void oneThreadMissesNothing() {
    SplitCollector collector = new SplitCollector(OPEN, OPEN);
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      add(collector, random.nextInt(KEYS));
    }

    assertThat(collector.missed()).isZero();
    assertThat(collector.advice().requests()).isBetween(20_000L - 4 * 32, 20_000L);
  }

  @Test
  void daughtersBeginWithWhatTheirParentKnew() {
    SplitCollector parent = new SplitCollector(OPEN, OPEN);
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      add(parent, random.nextInt(KEYS));
    }

    SplitAdvice left = parent.part(OPEN, key(KEYS / 2)).advice();
    SplitAdvice right = parent.part(key(KEYS / 2), OPEN).advice();

    assertThat(left.verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
    assertThat(number(left.key())).isBetween(2_200, 2_800);
    assertThat(number(right.key())).isBetween(7_200, 7_800);
    assertThat(left.requests() + right.requests()).isBetween(19_800L, 20_000L);
  }

  @Test
  void theDaughterOfWhatWasNeverAskedForKnowsNothing() {
    SplitCollector parent = new SplitCollector(OPEN, OPEN);

    assertThat(parent.part(OPEN, key(5)).advice().verdict()).isEqualTo(SplitAdvice.Verdict.WAIT);
  }

  @Test
  void aKeyWithAnotherPrefixChangesTheNumbersForAllThatFollow() {
    SplitCollector collector = new SplitCollector(OPEN, OPEN);
    Random random = new Random(3);
    for (int i = 0; i < 6_000; i++) {
      add(collector, random.nextInt(KEYS));
    }
    for (int i = 0; i < 60_000; i++) {
      byte[] key = ("zebra" + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
      collector.add(key, 0, key.length);
    }

    // Six in seven requests are for zebras by now.
    assertThat(new String(collector.advice().key(), StandardCharsets.UTF_8)).startsWith("zebra");
  }

  @Test
  void keysInsideAnArrayAreRead() {
    SplitCollector collector = new SplitCollector(OPEN, OPEN);
    Random random = new Random(4);
    for (int i = 0; i < 5_000; i++) {
      byte[] key = key(random.nextInt(KEYS));
      byte[] array = new byte[key.length + 9];
      System.arraycopy(key, 0, array, 4, key.length);
      collector.add(array, 4, key.length);
    }

    assertThat(trueSquareless(collector.advice().key())).isBetween(0.47, 0.53);
  }

  /** Asked: at most 16 KiB a region. */
  @Test
  void oneTakesNoMoreThanItsShareOfTheHeap() {
    int count = 200;
    Random random = new Random(5);
    List<SplitCollector> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new SplitCollector(OPEN, OPEN));
    }
    long before = used();
    for (SplitCollector collector : all) {
      for (int i = 0; i < 33_500; i++) {
        add(collector, random.nextInt(KEYS));
      }
      assertThat(collector.advice().verdict()).isEqualTo(SplitAdvice.Verdict.SPLIT);
    }
    long each = (used() - before) / count;

    assertThat(all).hasSize(count);
    assertThat(each).isBetween(1_000L, 16L << 10);
  }

  private static long used() {
    // The serial collector lets some dead objects lie, and moves everything each fourth time only.
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void add(SplitCollector collector, int key) {
    byte[] bytes = key(key);
    collector.add(bytes, 0, bytes.length);
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "user%012d", number).getBytes(StandardCharsets.UTF_8);
  }

  private static int number(byte[] key) {
    String text = new String(key, StandardCharsets.UTF_8);
    return Integer.parseInt((text + "0".repeat(16)).substring(4, 16));
  }

  private static double trueShare(byte[] key) {
    return Math.sqrt((double) number(key) / KEYS);
  }

  private static double trueSquareless(byte[] key) {
    return (double) number(key) / KEYS;
  }
}

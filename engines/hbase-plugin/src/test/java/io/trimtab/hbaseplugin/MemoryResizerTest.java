package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.hbasewire.ResizeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryResizerTest {

  /** A heap of 1000 bytes that keeps a diary, and checks the limit at every step. */
  private static final class Heap implements ServerMemory {
    final List<String> diary = new ArrayList<>();
    long cache;
    long memstore;
    long used;
    String notResizable = "";

    Heap(long cache, long memstore) {
      this.cache = cache;
      this.memstore = memstore;
    }

    private void note(String what) {
      diary.add(what);
      assertThat(cache + memstore).as("after " + diary).isLessThanOrEqualTo(800);
    }

    @Override
    public String notResizable() {
      return notResizable;
    }

    @Override
    public long heapMaxBytes() {
      return 1000;
    }

    @Override
    public long cacheMaxBytes() {
      return cache;
    }

    @Override
    public void setCacheMaxBytes(long bytes) {
      cache = bytes;
      note("cache " + bytes);
    }

    @Override
    public long memstoreMaxBytes() {
      return memstore;
    }

    @Override
    public long memstoreUsedBytes() {
      return used;
    }

    @Override
    public void setMemstoreMaxBytes(long bytes) {
      memstore = bytes;
      note("memstore " + bytes);
    }

    @Override
    public void flushDownTo(long bytes) {
      note("flush " + bytes);
    }
  }

  private static boolean resize(Heap heap, double cache, double memstore, boolean force) {
    return new MemoryResizer(heap).resize(new ResizeRequest(cache, memstore, force));
  }

  @Test
  void whatShrinksDoesSoFirst() {
    Heap toWrite = new Heap(550, 100);
    assertThat(resize(toWrite, 0.1, 0.55, false)).isFalse();
    assertThat(toWrite.diary).containsExactly("cache 100", "memstore 550");

    Heap toRead = new Heap(100, 550);
    assertThat(resize(toRead, 0.55, 0.1, false)).isFalse();
    assertThat(toRead.diary).containsExactly("memstore 100", "cache 550");
  }

  @Test
  void aSplitThatIsInForceIsLeftAlone() {
    Heap heap = new Heap(550, 100);
    assertThat(resize(heap, 0.55, 0.1, false)).isFalse();
    assertThat(heap.diary).isEmpty();
  }

  @Test
  void fullMemstoresAreFlushedBeforeTheirLimitFalls() {
    Heap heap = new Heap(100, 550);
    heap.used = 91;
    assertThat(resize(heap, 0.55, 0.1, false)).isTrue();
    assertThat(heap.diary).containsExactly("flush 90");
    // The cache has not grown into memory that is not free yet.
    assertThat(heap.cache).isEqualTo(100);
    heap.used = 90;
    assertThat(resize(heap, 0.55, 0.1, false)).isFalse();
    assertThat(heap.diary).containsExactly("flush 90", "memstore 100", "cache 550");
  }

  @Test
  void whoInsistsGetsTheLimitAtOnce() {
    Heap heap = new Heap(100, 550);
    heap.used = 500;
    assertThat(resize(heap, 0.55, 0.1, true)).isFalse();
    assertThat(heap.diary).containsExactly("memstore 100", "cache 550");
  }

  @ParameterizedTest
  @CsvSource({"0.5,0.4", "0.04,0.4", "0.4,0.04", "NaN,0.4", "0.4,NaN", "-1,0.4", "Infinity,0.4"})
  void badSplitsChangeNothing(double cache, double memstore) {
    Heap heap = new Heap(400, 400);
    assertThatThrownBy(() -> resize(heap, cache, memstore, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(heap.diary).isEmpty();
  }

  @Test
  void aServerThatCantSaysWhy() {
    Heap heap = new Heap(400, 400);
    heap.notResizable = "bucket cache";
    assertThatThrownBy(() -> resize(heap, 0.1, 0.55, false)).hasMessage("bucket cache");
    assertThat(heap.diary).isEmpty();
  }

  @Test
  void noWayBetweenTwoAllowedSplitsLeavesTheLimit() {
    long seed = 20260101;
    Random random = new Random(seed);
    Heap heap = new Heap(390, 260);
    for (int i = 0; i < 2000; i++) {
      double cache = 0.05 + 0.70 * random.nextDouble();
      double memstore = 0.05 + (0.75 - cache) * random.nextDouble();
      heap.used = random.nextInt(600);
      boolean pending = resize(heap, cache, memstore, random.nextBoolean());
      if (!pending) {
        assertThat(heap.cache).as("seed " + seed).isEqualTo((long) (1000 * cache));
        assertThat(heap.memstore).as("seed " + seed).isEqualTo((long) (1000 * memstore));
      }
    }
  }
}

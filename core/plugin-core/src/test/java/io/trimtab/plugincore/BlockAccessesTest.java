package io.trimtab.plugincore;

import static io.trimtab.plugincore.BlockAccesses.COUNT_MAX;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockAccessesTest {
  private static final byte[] OPEN = {};

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "user%012d", number).getBytes(UTF_8);
  }

  /** Blocks of ten rows each. */
  private static List<byte[]> blocks(int n) {
    List<byte[]> first = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      first.add(key(10 * i));
    }
    return first;
  }

  private static double sum(BlockAccesses.Histogram histogram) {
    double sum = 0;
    for (int i = 0; i < histogram.size(); i++) {
      sum += histogram.count(i) * histogram.blocks(i);
    }
    return sum;
  }

  private static double number(BlockAccesses.Histogram histogram) {
    double sum = 0;
    for (int i = 0; i < histogram.size(); i++) {
      sum += histogram.blocks(i);
    }
    return sum;
  }

  @Test
  void eachRequestCountsForTheBlockThatHoldsItsRow() {
    BlockAccesses accesses = new BlockAccesses(blocks(4), OPEN, OPEN);
    for (int row : new int[] {0, 5, 9, 10, 39, 39, 39, 1_000}) {
      accesses.add(key(row));
    }
    accesses.add("a".getBytes(UTF_8));
    accesses.add("z".getBytes(UTF_8));

    BlockAccesses.Histogram histogram = accesses.histogram();
    // Before the first block's first key there is a stretch too, for rows still in the memstore.
    assertThat(number(histogram)).isEqualTo(5);
    assertThat(sum(histogram)).isEqualTo(10);
    assertThat(histogram.count(histogram.size() - 1)).isEqualTo(5);
    assertThat(accesses.requests()).isEqualTo(10);
  }

  private static void assertCounts(
      BlockAccesses accesses, long opened, long calls, long rows, long cells, long blocks) {
    ScanCounts scans = accesses.scans();
    assertThat(List.of(scans.opened(), scans.calls(), scans.rows(), scans.cells(), scans.blocks()))
        .containsExactly(opened, calls, rows, cells, blocks);
  }

  @Test
  void aScanAsksForEachBlockOnce() {
    BlockAccesses accesses = new BlockAccesses(blocks(10), OPEN, OPEN);
    accesses.addScan();
    accesses.addCall(null, key(5), key(34), 30, 90);

    assertThat(accesses.requests()).isEqualTo(4);
    assertCounts(accesses, 1, 1, 30, 90, 4);
  }

  /** The same 30 rows: a scanner goes on in the block in which its last call ended. */
  @Test
  void aScanOfManyCallsAsksForNoMoreBlocks() {
    BlockAccesses accesses = new BlockAccesses(blocks(10), OPEN, OPEN);
    accesses.addScan();
    accesses.addCall(null, key(5), key(14), 10, 10);
    accesses.addCall(key(14), key(15), key(19), 5, 5);
    // The block before is at its end.
    accesses.addCall(key(19), key(20), key(34), 15, 15);
    accesses.addCall();

    assertThat(accesses.requests()).isEqualTo(4);
    assertCounts(accesses, 1, 4, 30, 30, 4);
  }

  @Test
  void aScanThatGoesDownAsksForTheSameBlocks() {
    BlockAccesses accesses = new BlockAccesses(blocks(10), OPEN, OPEN);
    accesses.addScan();
    accesses.addCall(null, key(34), key(15), 20, 20);
    accesses.addCall(key(15), key(14), key(5), 10, 10);

    assertThat(accesses.requests()).isEqualTo(4);
    assertCounts(accesses, 1, 2, 30, 30, 4);
  }

  /** Where some blocks stand for all, a scan within a gap must not count as one of all of it. */
  @Test
  void scansOfALargePartitionTouchAsManyBlocksAsOfASmallOne() {
    int n = 105_000;
    BlockAccesses accesses = new BlockAccesses(blocks(n), OPEN, OPEN);
    Random random = new Random(4);
    int scans = 20_000;
    for (int i = 0; i < scans; i++) {
      int from = random.nextInt(10 * n - 20);
      accesses.addScan();
      accesses.addCall(null, key(from), key(from + 19), 20, 20);
    }

    // 20 rows in blocks of ten: 1 + 19 / 10.
    double blocks = (double) accesses.scans().blocks() / scans;
    assertThat(blocks).isCloseTo(2.9, within(0.1));
    assertThat(accesses.requests()).isEqualTo(accesses.scans().blocks());
  }

  @Test
  void ofManyBlocksSomeStandForAll() {
    int n = 105_000;
    BlockAccesses accesses = new BlockAccesses(blocks(n), OPEN, OPEN);
    Random random = new Random(3);
    int requests = 7_000_000;
    for (int i = 0; i < requests; i++) {
      // A third of the blocks gets two thirds of the requests.
      int block = random.nextInt(3) > 0 ? random.nextInt(n / 3) : n / 3 + random.nextInt(2 * n / 3);
      accesses.add(key(10 * block + random.nextInt(10)));
    }

    BlockAccesses.Histogram histogram = accesses.histogram();
    assertThat(accesses.blocks()).isEqualTo(n + 1);
    assertThat(accesses.requests()).isEqualTo(requests);
    assertThat(histogram.size()).isLessThan(1_000);
    assertThat(number(histogram)).isCloseTo(n + 1, within(1e-6));
    assertThat(sum(histogram)).isCloseTo(requests, within(0.01 * requests));
    double hot = 0;
    for (int i = 0; i < histogram.size(); i++) {
      hot += histogram.count(i) > 80 ? histogram.blocks(i) : 0;
    }
    assertThat(hot).isCloseTo(n / 3.0, within(0.02 * n));
  }

  @Test
  void whereLessRoomIsGivenFewerBlocksStandForAll() {
    int n = 5_000;
    BlockAccesses accesses = new BlockAccesses(blocks(n), OPEN, OPEN, 1_000);
    Random random = new Random(3);
    for (int i = 0; i < 500_000; i++) {
      accesses.add(key(random.nextInt(10 * n)));
    }

    assertThat(accesses.stretches()).isBetween(900, 1_000);
    assertThat(accesses.blocks()).isEqualTo(n + 1);
    BlockAccesses.Histogram histogram = accesses.histogram();
    assertThat(number(histogram)).isCloseTo(n + 1, within(1e-6));
    assertThat(sum(histogram)).isCloseTo(500_000, within(5_000.0));
    assertThat(new BlockAccesses(blocks(999), OPEN, OPEN, 1_000).stretches()).isEqualTo(1_000);
  }

  @Test
  void otherBlocksInheritTheCountsOfTheirKeys() {
    BlockAccesses old = new BlockAccesses(blocks(100), OPEN, OPEN);
    for (int i = 0; i < 1_000; i++) {
      old.add(key(i));
    }
    List<byte[]> finer = new ArrayList<>();
    for (int i = 0; i < 1_000; i += 5) {
      finer.add(key(i));
    }

    BlockAccesses half = new BlockAccesses(finer, key(500), OPEN);
    half.inherit(old);

    assertThat(half.blocks()).isEqualTo(100);
    assertThat(half.requests()).isEqualTo(500);
    BlockAccesses.Histogram histogram = half.histogram();
    // Five rows a block, each asked for once.
    assertThat(histogram.count(0)).isEqualTo(5);
    assertThat(histogram.blocks(0)).isEqualTo(100);
  }

  @Test
  void newerRequestsWeighMore() {
    BlockAccesses accesses = new BlockAccesses(blocks(2), OPEN, OPEN);
    for (int i = 0; i < 250_000; i++) {
      accesses.add(key(0));
    }
    accesses.age(0);
    assertThat(accesses.requests()).isEqualTo(125_000);
    accesses.age(0);
    assertThat(accesses.requests()).isEqualTo(125_000);
  }

  /** Twenty requests a second, of which 300,000 would be remembered by their number alone. */
  @Test
  void aHotSpotOfHoursAgoIsForgottenWhereFewRequestsCome() {
    BlockAccesses accesses = new BlockAccesses(blocks(100), OPEN, OPEN);
    long now = 0;
    for (int minute = 0; minute < 6 * 60; minute++) {
      int block = minute < 3 * 60 ? 7 : 70;
      for (int i = 0; i < 1_200; i++) {
        accesses.add(key(10 * block));
      }
      now += 60_000;
      accesses.age(now);
    }

    BlockAccesses.Histogram histogram = accesses.histogram();
    double most = 0;
    double other = 0;
    for (int i = 0; i < histogram.size(); i++) {
      double count = histogram.count(i);
      other = count > most ? most : Math.max(other, count);
      most = Math.max(most, count);
    }
    assertThat(most).isGreaterThan(30_000);
    assertThat(other).isLessThan(most / 32);
  }

  /** Where each block was asked for once, half of them are still known. */
  @Test
  void halfOfWhatWasAskedForOnceIsRemembered() {
    BlockAccesses accesses = new BlockAccesses(blocks(4_000), OPEN, OPEN);
    for (int i = 0; i < 4_000; i++) {
      accesses.add(key(10 * i));
    }
    accesses.age(0);
    accesses.age(HalfLife.MILLIS - 1);
    assertThat(accesses.requests()).isEqualTo(4_000);

    accesses.age(HalfLife.MILLIS);
    assertThat(accesses.requests()).isBetween(1_800L, 2_200L);
    accesses.age(10 * HalfLife.MILLIS);
    assertThat(accesses.requests()).as("too few to tell").isBetween(400L, 999L);
  }

  @Test
  void ageGoesOnAfterACompaction() {
    BlockAccesses older = new BlockAccesses(blocks(10), OPEN, OPEN);
    older.age(0);
    BlockAccesses newer = new BlockAccesses(blocks(20), OPEN, OPEN);
    newer.inherit(older);
    for (int i = 0; i < 2_000; i++) {
      newer.add(key(5));
    }

    newer.age(HalfLife.MILLIS);
    assertThat(newer.requests()).isEqualTo(1_000);
  }

  @Test
  void oddKeysDoNoHarm() {
    BlockAccesses none = new BlockAccesses(List.of(), OPEN, OPEN);
    none.add(OPEN);
    none.add(new byte[] {0, (byte) 0xFF});
    assertThat(none.blocks()).isEqualTo(1);
    assertThat(none.requests()).isEqualTo(2);

    BlockAccesses alike =
        new BlockAccesses(
            List.of("a".getBytes(UTF_8), "a0123456789".getBytes(UTF_8), "b".getBytes(UTF_8)),
            OPEN,
            OPEN);
    alike.add("a01234567".getBytes(UTF_8));
    alike.add("b".getBytes(UTF_8));
    assertThat(alike.requests()).isEqualTo(2);
    assertThat(number(alike.histogram())).isEqualTo(4);

    // Rows outside the division count at its ends.
    BlockAccesses part = new BlockAccesses(blocks(10), key(20), key(40));
    part.inherit(none);
    part.add(key(0));
    part.add(key(90));
    assertThat(part.blocks()).isEqualTo(2);
    assertThat(part.requests()).isEqualTo(4);
  }

  @Test
  void allThatIsKnownGoesToAnotherServer() {
    BlockAccesses here = new BlockAccesses(blocks(30), key(10), key(200));
    for (int i = 0; i < 500; i++) {
      here.add(key(10 + i % 190));
    }
    here.addScan();
    here.addCall(null, key(15), key(44), 30, 60);

    BlockAccesses there = BlockAccesses.of(here.toBytes());

    assertThat(there.requests()).isEqualTo(here.requests());
    assertThat(there.blocks()).isEqualTo(here.blocks());
    assertCounts(there, 1, 1, 30, 60, here.scans().blocks());
    assertThat(there.toBytes()).isEqualTo(here.toBytes());
    there.add(key(100));
    assertThat(there.requests()).isEqualTo(here.requests() + 1);
  }

  @Test
  void whatIsCutOffOrOfAnotherFormIsRefused() {
    byte[] whole = new BlockAccesses(blocks(3), OPEN, OPEN).toBytes();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = java.util.Arrays.copyOf(whole, length);
      assertThatIllegalArgumentException().isThrownBy(() -> BlockAccesses.of(part));
    }
    whole[0] = 9;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockAccesses.of(whole))
        .withMessageContaining("form 9");
  }

  /** It told scanners, rows and blocks: these must not fall on calls that are counted now. */
  @Test
  void whatAnEarlierVersionKnowsIsTakenOverWithoutItsScans() {
    BlockAccesses here = new BlockAccesses(blocks(30), OPEN, OPEN);
    here.add(key(17));
    here.addScan();
    here.addCall(null, key(15), key(44), 30, 60);
    byte[] now = here.toBytes();
    byte[] older = java.util.Arrays.copyOf(now, now.length - 2 * Long.BYTES);
    older[0] = 1;

    BlockAccesses there = BlockAccesses.of(older);

    assertThat(there.requests()).isEqualTo(here.requests());
    assertCounts(there, 0, 0, 0, 0, 0);
  }

  /** With the first stretch's count written over, as after many requests. */
  private static BlockAccesses countedTo(BlockAccesses accesses, int count) {
    ByteBuffer bytes = ByteBuffer.wrap(accesses.toBytes());
    // The form, three keys (all empty here), the number of stretches, a start, two ints.
    bytes.putInt(1 + 4 * Integer.BYTES + Long.BYTES + 2 * Integer.BYTES, count);
    return BlockAccesses.of(bytes.array());
  }

  @Test
  void countsThatNobodyAsksForAreHalvedBeforeTheyOverflow() {
    BlockAccesses one = countedTo(new BlockAccesses(List.of(), OPEN, OPEN), COUNT_MAX - 1);
    one.add(key(1));
    assertThat(one.requests()).isEqualTo(COUNT_MAX);
    one.add(key(1));
    assertThat(one.requests()).isEqualTo(COUNT_MAX / 2);

    BlockAccesses scanned = countedTo(new BlockAccesses(List.of(), OPEN, OPEN), COUNT_MAX);
    scanned.addCall(null, key(1), key(2), 2, 2);
    assertThat(scanned.requests()).isEqualTo(COUNT_MAX / 2);
  }

  @Test
  void takenOverCountsDoNotOverflow() {
    BlockAccesses sum = new BlockAccesses(List.of(), OPEN, OPEN);
    for (int i = 0; i < 3; i++) {
      sum.inherit(countedTo(new BlockAccesses(List.of(), OPEN, OPEN), COUNT_MAX - 1));
    }
    assertThat(sum.requests()).isEqualTo(COUNT_MAX);
    assertThat(sum.histogram().count(0)).isPositive();
  }

  @Test
  void countsThatAnEarlierVersionOverflowedAreReadAsMany() {
    BlockAccesses read = countedTo(new BlockAccesses(List.of(), OPEN, OPEN), Integer.MIN_VALUE + 5);
    assertThat(read.requests()).isEqualTo(COUNT_MAX);
  }
}

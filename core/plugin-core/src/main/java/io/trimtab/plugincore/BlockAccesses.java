package io.trimtab.plugincore;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How often the data blocks of a partition are requested, told from the row keys of requests and
 * the first key of each block. Of a partition with more blocks than may be followed one of each run
 * of neighbours is, and the gaps between these are counted as wholes. Thread-safe; counting never
 * blocks.
 */
public final class BlockAccesses {
  /** Maximum number of key ranges that are counted individually. */
  public static final int STRETCHES_MAX = 40_000;

  /** Counts are halved when there are twice as many requests as this for each followed block. */
  private static final int WINDOW_PER_BLOCK = 200;

  private static final int WINDOW_MIN = 100_000;

  /** Requests that are not halved because they are old. */
  private static final int TELLING = 1_000;

  /**
   * No count passes this by more than the threads that count at the same time: counts are halved
   * there, also if nobody asks for them and {@link #age} is never called.
   */
  static final int COUNT_MAX = 1 << 30;

  /** Of the form in which {@link #toBytes} writes it. */
  private static final byte FORM = 2;

  /** The form before; its counts of scans are left out, since calls were not counted. */
  private static final byte FORM_WITHOUT_CALLS = 1;

  private final byte[] start;
  private final byte[] end;
  private final KeyImage images;

  /** Where each stretch of keys begins; the first begins below every key. */
  private final long[] starts;

  /** Whether a stretch is a block that is followed; else a gap between two of them. */
  private final boolean[] followed;

  /** Blocks in a stretch. */
  private final int[] blocks;

  private final AtomicIntegerArray counts;
  private final ScanCounts scans = new ScanCounts();
  private final HalfLife halfLife = new HalfLife();

  /** With as many stretches as there may be at all. */
  public BlockAccesses(List<byte[]> firstKeys, byte[] start, byte[] end) {
    this(firstKeys, start, end, STRETCHES_MAX);
  }

  /**
   * @param firstKeys of each block, ascending; those outside the partition count as its ends
   * @param start of the partition, inclusive; empty where it is open
   * @param end of the partition, exclusive; empty where it is open
   * @param stretchesMax into which the keys are divided, 2 or more
   */
  public BlockAccesses(List<byte[]> firstKeys, byte[] start, byte[] end, int stretchesMax) {
    this.start = start.clone();
    this.end = end.clone();
    byte[][] keys =
        firstKeys.stream()
            .filter(key -> Arrays.compareUnsigned(key, start) > 0)
            .filter(key -> end.length == 0 || Arrays.compareUnsigned(key, end) < 0)
            .toArray(byte[][]::new);
    images =
        new KeyImage(
            keys.length == 0 ? new byte[0] : KeyImage.common(keys[0], keys[keys.length - 1]));
    Stretches stretches = new Stretches(keys.length + 1);
    int all = keys.length + 1;
    // A gap beside each followed block.
    int runs = stretchesMax / 2;
    int every = all <= stretchesMax ? 1 : (all + runs - 1) / runs;
    for (int i = 0; i <= keys.length; i++) {
      long image = i == 0 ? KeyImage.LOWEST : images.image(keys[i - 1]);
      int run = i / every;
      int inRun = Math.min(every, keys.length + 1 - run * every);
      // Another place in each run, so that nothing periodic in the keys is seen or missed always.
      boolean chosen = i - run * every == Math.floorMod(run * 0x9E3779B9, inRun);
      stretches.add(image, chosen);
    }
    starts = Arrays.copyOf(stretches.starts, stretches.size);
    followed = Arrays.copyOf(stretches.followed, stretches.size);
    blocks = Arrays.copyOf(stretches.blocks, stretches.size);
    counts = new AtomicIntegerArray(stretches.size);
  }

  private BlockAccesses(byte[] start, byte[] end, byte[] prefix, int stretches) {
    this.start = start;
    this.end = end;
    images = new KeyImage(prefix);
    starts = new long[stretches];
    followed = new boolean[stretches];
    blocks = new int[stretches];
    counts = new AtomicIntegerArray(stretches);
  }

  /** Everything that is known, for another server; some 20 bytes a followed block. */
  public byte[] toBytes() {
    byte[] prefix = images.prefix();
    ByteBuffer bytes =
        ByteBuffer.allocate(
            1
                + 4 * Integer.BYTES
                + start.length
                + end.length
                + prefix.length
                + starts.length * (Long.BYTES + 3 * Integer.BYTES)
                + ScanCounts.BYTES);
    bytes.put(FORM);
    for (byte[] key : new byte[][] {start, end, prefix}) {
      bytes.putInt(key.length).put(key);
    }
    bytes.putInt(starts.length);
    for (int i = 0; i < starts.length; i++) {
      bytes.putLong(starts[i]).putInt(followed[i] ? 1 : 0).putInt(blocks[i]).putInt(counts.get(i));
    }
    scans.write(bytes);
    return bytes.array();
  }

  /**
   * @throws IllegalArgumentException where it was written by a version that wrote another form, or
   *     is cut off
   */
  public static BlockAccesses of(byte[] written) {
    ByteBuffer bytes = ByteBuffer.wrap(written);
    try {
      byte form = bytes.get();
      if (form != FORM && form != FORM_WITHOUT_CALLS) {
        throw new IllegalArgumentException("form " + form + " of block accesses is not known");
      }
      BlockAccesses read =
          new BlockAccesses(key(bytes), key(bytes), key(bytes), size(bytes, Long.BYTES));
      for (int i = 0; i < read.starts.length; i++) {
        read.starts[i] = bytes.getLong();
        read.followed[i] = bytes.getInt() > 0;
        read.blocks[i] = bytes.getInt();
        // Earlier versions could count beyond what an int holds.
        int count = bytes.getInt();
        read.counts.set(i, count < 0 ? COUNT_MAX : Math.min(count, COUNT_MAX));
      }
      if (form == FORM) {
        read.scans.read(bytes);
      }
      return read;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("block accesses are cut off", e);
    }
  }

  private static byte[] key(ByteBuffer bytes) {
    byte[] key = new byte[size(bytes, 1)];
    bytes.get(key);
    return key;
  }

  private static int size(ByteBuffer bytes, int each) {
    int size = bytes.getInt();
    if (size < 0 || size > bytes.remaining() / each) {
      throw new IllegalArgumentException("block accesses are cut off");
    }
    return size;
  }

  /** A request for one row; the array is not kept. */
  public void add(byte[] row, int offset, int length) {
    count(at(images.image(row, offset, length)), 1);
  }

  /** A request for one row. */
  public void add(byte[] row) {
    add(row, 0, row.length);
  }

  /** A scanner opens. */
  public void addScan() {
    scans.open();
  }

  /** A call of a scan that returned nothing. */
  public void addCall() {
    scans.call(0, 0, 0);
  }

  /**
   * A call of a scan that returned rows; it asks once for each block from the first row's to the
   * last row's, which come before each other either way. The block in which the scan's call before
   * ended is still in its hands, and is not asked for again.
   *
   * @param before last row of the same scan's call before; null where there was none
   * @param returned rows, &gt; 0
   * @param cells in these rows
   */
  public void addCall(byte[] before, byte[] firstRow, byte[] lastRow, long returned, long cells) {
    long begin = images.image(firstRow);
    long end = images.image(lastRow);
    long low = Math.min(begin, end);
    long high = Math.max(begin, end);
    int from = at(low);
    int to = at(high);
    int held = before != null && sameBlock(images.image(before), begin) ? at(begin) : -1;
    long read = 0;
    for (int i = from; i <= to; i++) {
      int last = i == to ? place(i, high) : blocks[i] - 1;
      int here = last + 1 - (i == from ? place(i, low) : 0) - (i == held ? 1 : 0);
      count(i, here);
      read += here;
    }
    scans.call(returned, cells, read);
  }

  private boolean sameBlock(long one, long other) {
    int stretch = at(one);
    return stretch == at(other) && place(stretch, one) == place(stretch, other);
  }

  /** Which of a stretch's blocks a key is in, from 0; they are taken to divide its keys evenly. */
  private int place(int stretch, long image) {
    if (blocks[stretch] == 1 || stretch + 1 == starts.length) {
      return 0;
    }
    // Halved, since a difference may be more than a long holds.
    double width = (starts[stretch + 1] - starts[stretch]) >>> 1;
    double into = (image - starts[stretch]) >>> 1;
    return width > 0 ? (int) Math.min(blocks[stretch] - 1, into / width * blocks[stretch]) : 0;
  }

  private void count(int stretch, int times) {
    int before = counts.getAndAdd(stretch, times);
    // Only one of the threads that count at the same time passes this number.
    if (before <= COUNT_MAX && before + times > COUNT_MAX) {
      halve();
    }
  }

  private int at(long image) {
    int low = 0;
    int high = starts.length;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= image) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Blocks of the partition. */
  public int blocks() {
    return Arrays.stream(blocks).sum();
  }

  /** Key ranges that are counted individually. */
  public int stretches() {
    return starts.length;
  }

  /** Requests that are remembered. */
  public long requests() {
    long sum = 0;
    for (int i = 0; i < starts.length; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  public ScanCounts scans() {
    return scans;
  }

  /**
   * Halves every count when there are many, and every 30 minutes, so that the newer requests weigh
   * more. Fewer than 1,000 are kept however old they are: half of them would tell nothing.
   *
   * @param nowMillis of a clock that is never set; the first time tells only when to begin
   */
  public void age(long nowMillis) {
    long window = Math.max(WINDOW_MIN, (long) WINDOW_PER_BLOCK * starts.length);
    if (requests() >= 2 * window) {
      halve();
    }
    for (int due = halfLife.due(nowMillis); due > 0 && requests() >= TELLING; due--) {
      halve();
    }
  }

  private void halve() {
    int round = halfLife.nextRound();
    for (int i = 0; i < starts.length; i++) {
      int place = i;
      counts.updateAndGet(i, count -> HalfLife.half(count, place, round));
    }
    scans.halve();
  }

  /**
   * Takes over the counts of another division of the same keys, as after a compaction, a split or a
   * move: a stretch's requests go where its keys are now, in equal parts where these are several.
   * Those of keys outside this partition are left out.
   */
  public void inherit(BlockAccesses older) {
    for (int i = 0; i < older.starts.length; i++) {
      int count = older.counts.get(i);
      if (count == 0 || outside(older, i)) {
        continue;
      }
      int from = i == 0 ? 0 : at(here(older, older.starts[i]));
      int to = starts.length - 1;
      if (i + 1 < older.starts.length) {
        long end = here(older, older.starts[i + 1]);
        to = Math.max(from, at(end == KeyImage.LOWEST ? end : end - 1));
      }
      spread(count, from, to);
    }
    scans.add(older.scans);
    halfLife.goOn(older.halfLife);
  }

  private boolean outside(BlockAccesses older, int stretch) {
    boolean before =
        stretch + 1 < older.starts.length
            && Arrays.compareUnsigned(older.images.key(older.starts[stretch + 1]), start) <= 0;
    boolean after =
        stretch > 0
            && end.length > 0
            && Arrays.compareUnsigned(older.images.key(older.starts[stretch]), end) >= 0;
    return before || after;
  }

  private long here(BlockAccesses older, long image) {
    return images.image(older.images.key(image));
  }

  private void spread(int count, int from, int to) {
    long all = 0;
    for (int i = from; i <= to; i++) {
      all += blocks[i];
    }
    long given = 0;
    long before = 0;
    for (int i = from; i <= to; i++) {
      before += blocks[i];
      long upTo = count * before / all;
      int share = (int) (upTo - given);
      counts.updateAndGet(i, have -> (int) Math.min(COUNT_MAX, (long) have + share));
      given = upTo;
    }
  }

  /**
   * The counts and how many blocks have each; at most some hundred pairs. Where blocks are left
   * out, those that are requested much more often than the mean are told by what was counted of
   * them, also in gaps, and the other followed blocks stand for all others, with as many requests
   * as these had together.
   */
  public Histogram histogram() {
    // Requests go on meanwhile; all that follows must be about the same counts.
    int[] now = new int[starts.length];
    Arrays.setAll(now, counts::get);
    return new SampledCounts(followed, blocks, now).histogram();
  }

  /** Pairs of a count and the number of blocks that have it, by count. */
  public static final class Histogram {
    private final double[] counts;
    private final double[] blocks;

    Histogram(double[] counts, double[] blocks) {
      this.counts = counts;
      this.blocks = blocks;
    }

    public int size() {
      return counts.length;
    }

    /** How often each of the pair's blocks was requested. */
    public double count(int pair) {
      return counts[pair];
    }

    /** Blocks that have the count. */
    public double blocks(int pair) {
      return blocks[pair];
    }
  }
}

package io.trimtab.plugincore;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * What scans of a partition asked for and got: scanners opened, calls that asked an open scanner
 * for rows, and the rows, cells and data blocks of these calls. All are sums over the same time, so
 * that any of them may be divided by any other. Thread-safe; counting never blocks.
 */
public final class ScanCounts {
  /** Bytes that {@link #write} writes. */
  static final int BYTES = 5 * Long.BYTES;

  private final LongAdder opened = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder cells = new LongAdder();
  private final LongAdder blocks = new LongAdder();
  private final LongAdder[] all = {opened, calls, rows, cells, blocks};

  /** A scanner opened. */
  void open() {
    opened.increment();
  }

  /** A call asked an open scanner for rows; each ≥ 0. */
  void call(long returnedRows, long returnedCells, long readBlocks) {
    calls.increment();
    rows.add(returnedRows);
    cells.add(returnedCells);
    blocks.add(readBlocks);
  }

  /** Scanners opened. */
  public long opened() {
    return opened.sum();
  }

  /** Calls that asked scanners for rows, the one that opens a scanner included. */
  public long calls() {
    return calls.sum();
  }

  /** Rows that the calls returned. */
  public long rows() {
    return rows.sum();
  }

  /** Cells in these rows. */
  public long cells() {
    return cells.sum();
  }

  /** Data blocks that the calls asked for. */
  public long blocks() {
    return blocks.sum();
  }

  void halve() {
    for (LongAdder adder : all) {
      adder.add(-adder.sum() / 2);
    }
  }

  void add(ScanCounts other) {
    for (int i = 0; i < all.length; i++) {
      all[i].add(other.all[i].sum());
    }
  }

  void write(ByteBuffer to) {
    for (LongAdder adder : all) {
      to.putLong(adder.sum());
    }
  }

  /** Adds what {@link #write} wrote. */
  void read(ByteBuffer from) {
    for (LongAdder adder : all) {
      adder.add(from.getLong());
    }
  }
}

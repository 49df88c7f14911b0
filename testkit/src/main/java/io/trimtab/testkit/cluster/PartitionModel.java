package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.HexFormat;

/** A partition, or a table's part on a node of a ring; guarded by its {@link ClusterState}. */
final class PartitionModel {
  /** A row key's grain: its first six bytes count. */
  private static final double KEYS = 1L << 48;

  final PartitionId id;
  final TableModel table;
  final KeyRange range;
  final double from;
  final double to;

  /** Null while no node serves it. */
  NodeModel node;

  double bytes;
  double locality = 1;
  int blockBytes;
  double reads;
  double scans;
  double rows;
  double writes;

  /** Of its table's requests; where tokens own the data, of its reads and of its writes. */
  double readShare;

  double writeShare;

  /** What its cache holds of what it will hold, in [0, 1]. */
  double warm;

  /** Hit ratio with a warm cache, as drawn. */
  double steadyHit;

  /** Bytes in the cache when that is warm, as drawn. */
  double resident;

  /** Blocks asked for a second. */
  double touches;

  /** Of its node's touches when its hit ratio was drawn. */
  double drawnShare;

  /** Requests since it was opened. */
  double seen;

  /** Where they halve; null until asked for. */
  SplitHint halves;

  PartitionModel(PartitionId id, TableModel table, KeyRange range, int blockBytes) {
    this.id = id;
    this.table = table;
    this.range = range;
    this.from = range.start().isEmpty() ? 0 : fraction(range.start());
    this.to = range.end().isEmpty() ? 1 : fraction(range.end());
    this.blockBytes = blockBytes;
  }

  /** Where a key is, in [0, 1). */
  static double fraction(RowKey key) {
    String digits = (key.hex() + "000000000000").substring(0, 12);
    return Long.parseLong(digits, 16) / KEYS;
  }

  static RowKey key(double fraction) {
    return new RowKey(HexFormat.of().toHexDigits((long) (fraction * KEYS), 12));
  }

  /** Counters and cache begin anew. */
  void reopened() {
    reads = 0;
    scans = 0;
    rows = 0;
    writes = 0;
    seen = 0;
    warm = 0;
  }
}

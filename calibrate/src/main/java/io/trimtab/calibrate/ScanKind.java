package io.trimtab.calibrate;

import io.trimtab.models.usage.ScanShape;
import io.trimtab.workload.TenantSpec;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A kind of scan that is measured: of 1 to {@code longest} rows, each length as often, from a row
 * chosen uniformly. A client's scan is one scanner, since the tables have one region.
 *
 * @param share of the cache that the scanned records take, for the main table
 * @param rowsPerCall the most that a call fetches
 */
record ScanKind(String table, int longest, double share, int rowsPerCall) {
  /** Of a cell in a store file, beside its value: lengths, key, names, time, version. */
  private static final int CELL_BYTES = 51;

  /** Scans of one call. */
  ScanKind(String table, int longest, double share) {
    this(table, longest, share, longest);
  }

  String name() {
    String name =
        String.format(Locale.ROOT, "scans of %d in %s, %.2f of the cache", longest, table, share);
    return rowsPerCall < longest ? name + ", " + rowsPerCall + " rows a call" : name;
  }

  /**
   * What such a scan asks for on average. A block ends with the cell that fills it, and a scan
   * begins anywhere in one.
   */
  ScanShape shape(TenantSpec scanned) {
    double rows = (1 + longest) / 2.0;
    double calls =
        IntStream.rangeClosed(1, longest)
            .map(length -> (length + rowsPerCall - 1) / rowsPerCall)
            .average()
            .orElse(1);
    double cellsPerBlock =
        Math.ceil((double) scanned.blockSize() / (CELL_BYTES + scanned.fieldLength()));
    double rowsPerBlock = cellsPerBlock / scanned.fields();
    return new ScanShape(calls, rows, scanned.fields(), 1 + (rows - 1) / rowsPerBlock);
  }
}

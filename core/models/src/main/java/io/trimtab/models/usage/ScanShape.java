package io.trimtab.models.usage;

/**
 * Means of a load's scans, each scan being a scanner that is opened on a partition: a client's scan
 * over several partitions is one on each of them.
 *
 * @param calls per scan that ask the scanner for rows, the one that opens it included, ≥ 1
 * @param rows per scan, over all its calls, ≥ 1: one that finds nothing looks for a row, too
 * @param columns per row that are returned (cells), ≥ 1
 * @param blocks data blocks per scan that it reads over all its calls, ≥ 1
 */
public record ScanShape(double calls, double rows, double columns, double blocks) {
  /** As a single-row read. */
  public static final ScanShape ONE_ROW = new ScanShape(1, 1, 1, 1);

  public ScanShape {
    UsageModel.check("calls per scan", calls, 1, UsageModel.SEARCH_MAX);
    UsageModel.check("the scan length", rows, 1, UsageModel.SEARCH_MAX);
    UsageModel.check("columns", columns, 1, UsageModel.SEARCH_MAX);
    UsageModel.check("blocks per scan", blocks, 1, UsageModel.SEARCH_MAX);
  }

  /**
   * Means over these scans and others.
   *
   * @param count of these
   * @param others of the others; below 0 where the others are part of these, and taken away
   */
  ScanShape mean(double count, ScanShape other, double others) {
    return others == 0
        ? this
        : new ScanShape(
            mean(count, calls, others, other.calls),
            mean(count, rows, others, other.rows),
            mean(count * rows, columns, others * other.rows, other.columns),
            mean(count, blocks, others, other.blocks));
  }

  private static double mean(double na, double a, double nb, double b) {
    double n = na + nb;
    return n > 1e-9 ? Math.max(1, (na * a + nb * b) / n) : 1;
  }
}

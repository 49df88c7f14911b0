package io.trimtab.experiments.placement;

import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;

/** A load under which a split is measured; the first is E6's own. */
enum SplitLoad {
  OWN("192 threads", 192, 0.8, true),
  FEW("64 threads", 64, 0.8, true),
  MANY("384 threads", 384, 0.8, true),
  READS("192 threads, reads only", 192, 1, true),
  NO_LOG("192 threads, no write-ahead log", 192, 0.8, false);

  final String title;

  /** Client threads of the whole table, an even number. */
  final int threads;

  /** Whether the table's updates are written to the write-ahead log. */
  final boolean logged;

  private final double reads;

  SplitLoad(String title, int threads, double reads, boolean logged) {
    this.title = title;
    this.threads = threads;
    this.reads = reads;
    this.logged = logged;
  }

  /**
   * E6's tenant with this load.
   *
   * @param clients its threads
   */
  TenantSpec tenant(TenantSpec own, int clients) {
    return own.asked(
        new Mix(reads, 1 - reads, null, null, null), own.distribution(), clients, null);
  }
}

package io.trimtab.experiments.placement;

import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;

/** A load under which a split is measured; the first is E6's own. */
enum SplitLoad {
  OWN("192 threads", 192, false, true),
  FEW("64 threads", 64, false, true),
  MANY("384 threads", 384, false, true),
  READS("192 threads, reads only", 192, true, true),
  NO_LOG("192 threads, no write-ahead log", 192, false, false);

  final String title;

  /** Client threads of the whole table, an even number. */
  final int threads;

  /** Whether the table's updates are written to the write-ahead log. */
  final boolean logged;

  private final boolean readsOnly;

  SplitLoad(String title, int threads, boolean readsOnly, boolean logged) {
    this.title = title;
    this.threads = threads;
    this.readsOnly = readsOnly;
    this.logged = logged;
  }

  /**
   * E6's tenant with this load.
   *
   * @param clients its threads
   */
  TenantSpec tenant(TenantSpec own, int clients) {
    Mix mix = readsOnly ? new Mix(1.0, null, null, null, null) : own.mix();
    return own.asked(mix, own.distribution(), clients, null);
  }
}

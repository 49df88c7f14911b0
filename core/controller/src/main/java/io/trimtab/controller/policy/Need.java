package io.trimtab.controller.policy;

/** An input that a policy may need in addition to snapshots; provided by its caller. */
public enum Need {
  /**
   * The keys that halve the requests of partitions; collected unless {@code split.enabled} is
   * false.
   */
  HINTS,

  /** Access counts of the blocks of partitions. */
  HISTOGRAMS,

  /** What requests have cost so far, and what tables have been asked for. */
  RECORD,

  /** A usage model: the file of {@code usage.model}. */
  MODEL,

  /** Agreements and clients' reports: {@code slo.sla} and {@code slo.tables}. */
  SERVICE
}

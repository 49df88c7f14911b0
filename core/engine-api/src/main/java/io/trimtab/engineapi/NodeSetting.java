package io.trimtab.engineapi;

/** What an engine lets a node have more or less of while it runs, beside its profile. */
public enum NodeSetting {
  /** Memory for where partitions begin in their files, in MiB, ≥ 0. */
  KEY_CACHE("key cache", "MiB"),
  /** What compactions, and cleaning up, may write at most, in MiB/s; 0: as much as they can. */
  COMPACTION_THROUGHPUT("compaction throughput", "MiB/s");

  private final String title;
  private final String unit;

  NodeSetting(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /** For people. */
  public String title() {
    return title;
  }

  public String unit() {
    return unit;
  }
}

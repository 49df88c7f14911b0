package io.trimtab.engineapi;

/** A setting of a node, other than its profile, that can be changed online. */
public enum NodeSetting {
  /** Memory for the key cache (positions of partition keys in files), in MiB, ≥ 0. */
  KEY_CACHE("key cache", "MiB"),
  /** Maximum write rate of compactions and cleanups, in MiB/s; 0: unlimited. */
  COMPACTION_THROUGHPUT("compaction throughput", "MiB/s");

  private final String title;
  private final String unit;

  NodeSetting(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /** The setting's name for display. */
  public String title() {
    return title;
  }

  public String unit() {
    return unit;
  }
}

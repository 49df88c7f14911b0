package io.trimtab.experiments.placement;

/** How partitions are placed and nodes configured (Cruz 2016, §3.1.3). */
public enum Strategy {
  RANDOM_HOMOGENEOUS("Random-Homogeneous"),
  MANUAL_HOMOGENEOUS("Manual-Homogeneous"),
  MANUAL_HETEROGENEOUS("Manual-Heterogeneous");

  private final String title;

  Strategy(String title) {
    this.title = title;
  }

  @Override
  public String toString() {
    return title;
  }
}

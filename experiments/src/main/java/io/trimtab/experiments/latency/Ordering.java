package io.trimtab.experiments.latency;

/** How coordinators order the replicas of a read in E12. */
enum Ordering {
  /** Cassandra's own, with the threshold of 5.0. */
  DYNAMIC_SNITCH("dynamic snitch", null, 1.0),
  /** With the threshold of earlier versions. */
  DYNAMIC_SNITCH_STRICT("dynamic snitch, threshold 0.1", null, 0.1),
  NONE("no ranking", "off", 0),
  C3("C3", "c3", 0),
  THESIS("the thesis's", "thesis", 0),
  TRIMTAB("trimtab", "trimtab", 0);

  private final String title;
  private final String ranking;
  private final double threshold;

  Ordering(String title, String ranking, double threshold) {
    this.title = title;
    this.ranking = ranking;
    this.threshold = threshold;
  }

  /** Whether Cassandra itself ranks. */
  boolean isStock() {
    return ranking == null;
  }

  /** The plug-in's name of it. */
  String ranking() {
    return ranking;
  }

  /** The dynamic snitch's badness threshold. */
  double threshold() {
    return threshold;
  }

  @Override
  public String toString() {
    return title;
  }
}

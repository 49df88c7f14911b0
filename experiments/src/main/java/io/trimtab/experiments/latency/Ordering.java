package io.trimtab.experiments.latency;

import java.util.List;

/** How coordinators order the replicas of a read. */
enum Ordering {
  /** Cassandra's own, with the threshold of 5.0. */
  DYNAMIC_SNITCH("dynamic snitch", null, 1.0),
  /** With the threshold of earlier versions. */
  DYNAMIC_SNITCH_STRICT("dynamic snitch, threshold 0.1", null, 0.1),
  NONE("no ranking", "off"),
  C3("C3", "c3"),
  THESIS("the thesis's", "thesis"),
  TRIMTAB("trimtab", "trimtab"),
  /** A coordinator that has a copy reads that one, as the thesis has it. */
  OWN_FIRST("own copy always first", "trimtab", true, false),
  /** Reads of the own copy run in the thread of the request (Wu 2018, §4.3). */
  INLINE("own reads in the request's thread", "trimtab", false, true),
  OWN_FIRST_INLINE("own copy first, in the request's thread", "trimtab", true, true);

  /** Those of E12. */
  static final List<Ordering> RANKINGS =
      List.of(DYNAMIC_SNITCH, DYNAMIC_SNITCH_STRICT, NONE, C3, THESIS, TRIMTAB);

  /** What may be done with a coordinator's own copy. */
  static final List<Ordering> OWN_COPY = List.of(TRIMTAB, OWN_FIRST, INLINE, OWN_FIRST_INLINE);

  private final String title;
  private final String ranking;
  private final double threshold;
  private final boolean localFirst;
  private final boolean inline;

  Ordering(String title, String ranking, double threshold) {
    this(title, ranking, threshold, false, false);
  }

  Ordering(String title, String ranking) {
    this(title, ranking, 0);
  }

  Ordering(String title, String ranking, boolean localFirst, boolean inline) {
    this(title, ranking, 0, localFirst, inline);
  }

  Ordering(String title, String ranking, double threshold, boolean localFirst, boolean inline) {
    this.title = title;
    this.ranking = ranking;
    this.threshold = threshold;
    this.localFirst = localFirst;
    this.inline = inline;
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

  /** Whether a coordinator's own copy comes first, whatever is known of the others. */
  boolean localFirst() {
    return localFirst;
  }

  /** Whether reads of a coordinator's own copy may run in the thread of the request. */
  boolean inline() {
    return inline;
  }

  @Override
  public String toString() {
    return title;
  }
}

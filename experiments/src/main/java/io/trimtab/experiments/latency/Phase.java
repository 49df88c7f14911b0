package io.trimtab.experiments.latency;

import java.util.List;

/** Parts of a run, by what disturbs in them. Seconds count from the end of settling. */
enum Phase {
  QUIET("nothing", 0, RankingTrial.SECONDS),
  SLOW_DISK("slow disk", RankingTrial.SLOW_FROM, RankingTrial.SLOW_TO + 1),
  GARBAGE("garbage", RankingTrial.STOP_AT, RankingTrial.STOP_AT + 2),
  COMPACTION("compaction", RankingTrial.COMPACT_AT, RankingTrial.SECONDS);

  private final String title;
  private final int from;
  private final int to;

  Phase(String title, int from, int to) {
    this.title = title;
    this.from = from;
    this.to = to;
  }

  /** Those in which a node is disturbed. */
  static List<Phase> disturbing() {
    return List.of(SLOW_DISK, GARBAGE, COMPACTION);
  }

  /** Of the reads that end in a second. */
  static Phase of(int second) {
    for (Phase phase : values()) {
      if (phase != QUIET && second >= phase.from && second < phase.to) {
        return phase;
      }
    }
    return QUIET;
  }

  @Override
  public String toString() {
    return title;
  }
}

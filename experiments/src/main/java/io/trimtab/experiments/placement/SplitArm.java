package io.trimtab.experiments.placement;

/** What is measured under each load, always from a new table. */
enum SplitArm {
  SIZE("HBase's split by size", SplitTrial.Way.SIZE, 0),
  LOAD("split by load", SplitTrial.Way.LOAD, 0),
  FIRST("the first node alone, half of the threads", SplitTrial.Way.ALONE, 0),
  SECOND("the second node alone, half of the threads", SplitTrial.Way.ALONE, 1);

  final String title;
  final SplitTrial.Way way;

  /** On which the table is before a split: 0 or 1. */
  final int node;

  SplitArm(String title, SplitTrial.Way way, int node) {
    this.title = title;
    this.way = way;
    this.node = node;
  }

  /** Threads of the whole table's. */
  int threads(SplitLoad load) {
    return way == SplitTrial.Way.ALONE ? load.threads / 2 : load.threads;
  }
}

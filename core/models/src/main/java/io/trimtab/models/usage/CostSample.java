package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Load;

/**
 * What a node has served for some time, and what that used.
 *
 * @param reads single-row reads per second
 * @param scanCalls per second
 * @param rows that scan calls returned, per second
 * @param misses blocks that were not in the cache, per second
 * @param updates per second
 * @param cpu share of the node, in [0, 1]
 * @param disk share of the time in which it waited for its disk, in [0, 1]
 */
public record CostSample(
    double reads,
    double scanCalls,
    double rows,
    double misses,
    double updates,
    double cpu,
    double disk) {

  /** Costs that are told apart: of being there, and of each kind of request. */
  static final int COSTS = 6;

  /** What each of the costs is multiplied by. */
  double[] amounts() {
    return new double[] {1, reads, scanCalls, rows, misses, updates};
  }

  /** The same of a load. */
  static double[] amounts(Load load) {
    double blocks = load.reads() + load.scans() * load.scan().blocks();
    return new double[] {
      1,
      load.reads(),
      load.scans() * load.scan().calls(),
      load.scans() * load.scan().rows(),
      blocks * (1 - load.hitRatio()),
      load.updates()
    };
  }
}

package io.trimtab.experiments.placement;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a split by load gains over one by size in one run under one load, and of what that which is
 * missing to a factor of two consists: {@link #engine} + {@link #key} + {@link #between}.
 *
 * @param size throughput after the split by size, operations per second, &gt; 0
 * @param load after the split by load
 * @param first of the first node alone with half of the clients
 * @param second of the second node, likewise
 * @param share of the requests that the second node serves after the split by load, in [0, 1]
 */
record SplitGain(double size, double load, double first, double second, double share) {
  private static final double PERFECT = 2;

  /** Empty while one of the four measurements is missing. */
  static Optional<SplitGain> of(List<SplitPart> ofOneRun) {
    Map<SplitArm, SplitPart> by = new EnumMap<>(SplitArm.class);
    ofOneRun.forEach(part -> by.put(part.arm(), part));
    return by.size() < SplitArm.values().length
        ? Optional.empty()
        : Optional.of(
            new SplitGain(
                by.get(SplitArm.SIZE).result().measured(),
                by.get(SplitArm.LOAD).result().measured(),
                by.get(SplitArm.FIRST).result().measured(),
                by.get(SplitArm.SECOND).result().measured(),
                by.get(SplitArm.LOAD).secondShare()));
  }

  double measured() {
    return load / size;
  }

  double missing() {
    return PERFECT - measured();
  }

  /** What both nodes could reach, each with half of the clients and as if it were alone. */
  double alone() {
    return (first + second) / size;
  }

  /**
   * The part that no split can gain: nodes that are not in each other's way do not serve twice as
   * much either, because with half of the clients each does less.
   */
  double engine() {
    return PERFECT - alone();
  }

  /** The part that is missing because the key does not halve the requests: one node is idle. */
  double key() {
    return alone() - Math.min(first / (1 - share), second / share) / size;
  }

  /** The rest: what nodes that serve at once take from each other, as by copies of their logs. */
  double between() {
    return missing() - engine() - key();
  }
}

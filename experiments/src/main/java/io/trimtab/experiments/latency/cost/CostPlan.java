package io.trimtab.experiments.latency.cost;

/**
 * How much COST measures.
 *
 * @param rounds each with new nodes: two JVMs never compile the same code in the same way
 * @param blocks of a round, in each of which all arms are measured once
 * @param halfS seconds of a measurement
 * @param settleS seconds under the same load before it
 * @param sliceS seconds of an arm at full speed, in turns, before the first measurement
 * @param turns at most; they end when hardly anything is compiled any more
 * @param rate reads a second, open loop
 * @param lowRate reads a second, for what nodes take beside their reads
 */
record CostPlan(
    int rounds,
    int blocks,
    int halfS,
    int settleS,
    int sliceS,
    int turns,
    double rate,
    double lowRate) {

  /**
   * 35 minutes with three rounds, which make 21 pairs; up to 40 where code is compiled for long.
   */
  static CostPlan standard(int rounds) {
    return new CostPlan(rounds, 7, 9, 2, 5, 6, 1_000, 100);
  }
}

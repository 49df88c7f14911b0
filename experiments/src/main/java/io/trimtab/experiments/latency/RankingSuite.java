package io.trimtab.experiments.latency;

import io.trimtab.workload.CassandraTarget.Routing;
import io.trimtab.workload.Distribution;
import java.util.List;

/**
 * What an experiment on the order of replicas compares.
 *
 * @param name of the experiment
 * @param title of its report
 * @param orderings in all of their loads
 * @param pairs whose results are told as ratios
 */
record RankingSuite(
    String name,
    String title,
    List<Ordering> orderings,
    List<Pair> pairs,
    List<Comparison> comparisons) {

  /** An ordering and the one that it is compared with. */
  record Pair(Ordering of, Ordering to) {}

  /**
   * A load.
   *
   * @param asked the most that the first pair may have as the ratio of their p99.9 (throughput: the
   *     least); NaN where nothing is asked
   */
  record Comparison(RankingCase load, boolean disturbed, double asked) {
    /** Whether it is told by throughput: operations are as many as are served. */
    boolean closed() {
      return load.rate() == 0;
    }
  }

  /** Records of unequal size are fewer: the average one is longer. */
  private static final int UNEQUAL = 200_000;

  /** E12 (Wu 2018, ch. 5). */
  static final RankingSuite E12 =
      new RankingSuite(
          "E12",
          "E12: the slowest reads, by the ranking of replicas",
          Ordering.RANKINGS,
          List.of(
              new Pair(Ordering.TRIMTAB, Ordering.DYNAMIC_SNITCH),
              new Pair(Ordering.TRIMTAB, Ordering.C3)),
          List.of(
              zipf("read-only, Zipf, large", 1, RankingCase.LARGE, 0.40),
              new Comparison(
                  new RankingCase(
                      "update-heavy, uniform, large",
                      0.5,
                      Distribution.UNIFORM,
                      RankingCase.LARGE,
                      false,
                      RankingCase.UNIFORM_RATE,
                      Routing.ROUND_ROBIN),
                  true,
                  0.77),
              new Comparison(
                  new RankingCase(
                      "read-only, Zipf, sizes by Zipf",
                      1,
                      RankingCase.ZIPF,
                      UNEQUAL,
                      true,
                      RankingCase.UNEQUAL_RATE,
                      Routing.ROUND_ROBIN),
                  true,
                  0.42),
              new Comparison(
                  new RankingCase(
                      "read-only, uniform, large, closed loop",
                      1,
                      Distribution.UNIFORM,
                      RankingCase.LARGE,
                      false,
                      0,
                      Routing.ROUND_ROBIN),
                  true,
                  1.19),
              zipf("read-only, Zipf, small", 1, RankingCase.SMALL, Double.NaN),
              zipf("read-heavy, Zipf, large", 0.95, RankingCase.LARGE, Double.NaN),
              new Comparison(
                  readOnly("read-only, Zipf, large, token aware", Routing.TOKEN_AWARE),
                  true,
                  Double.NaN),
              new Comparison(
                  readOnly("read-only, Zipf, large, undisturbed", Routing.ROUND_ROBIN),
                  false,
                  Double.NaN)));

  /** OWN: what may be done with a coordinator's own copy (Wu 2018, §4.3). */
  static final RankingSuite OWN =
      new RankingSuite(
          "OWN",
          "OWN: a coordinator's own copy, in turn, first, and in the request's thread",
          Ordering.OWN_COPY,
          List.of(
              new Pair(Ordering.OWN_FIRST, Ordering.TRIMTAB),
              new Pair(Ordering.INLINE, Ordering.TRIMTAB),
              new Pair(Ordering.OWN_FIRST_INLINE, Ordering.TRIMTAB)),
          List.of(
              zipf("read-only, Zipf, small", 1, RankingCase.SMALL, Double.NaN),
              new Comparison(
                  new RankingCase(
                      "read-only, Zipf, small, closed loop",
                      1,
                      RankingCase.ZIPF,
                      RankingCase.SMALL,
                      false,
                      0,
                      Routing.ROUND_ROBIN),
                  false,
                  Double.NaN),
              zipf("read-only, Zipf, large", 1, RankingCase.LARGE, Double.NaN)));

  private static RankingCase readOnly(String title, Routing routing) {
    return new RankingCase(
        title, 1, RankingCase.ZIPF, RankingCase.LARGE, false, RankingCase.RATE, routing);
  }

  private static Comparison zipf(String title, double reads, int records, double asked) {
    return new Comparison(
        new RankingCase(
            title, reads, RankingCase.ZIPF, records, false, RankingCase.RATE, Routing.ROUND_ROBIN),
        true,
        asked);
  }
}

package io.trimtab.controller.policy;

import static io.trimtab.controller.policy.SloPolicyTest.SETTINGS;
import static io.trimtab.controller.policy.SloPolicyTest.check;
import static io.trimtab.controller.policy.SloPolicyTest.checks;
import static io.trimtab.controller.policy.SloPolicyTest.decide;
import static io.trimtab.controller.policy.SloPolicyTest.held;
import static io.trimtab.controller.policy.SloPolicyTest.objective;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Service.Basis;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.observe.Service.Percentiles;
import io.trimtab.models.capacity.Objective;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What not all clients report, by the cluster and the tables of {@link SloPolicyTest}. */
class SloMeasuredTest {
  /** The plan's reason with an objective of 90 ms. The first check is of another basis. */
  private static String withP99(Percentiles percentiles) {
    Percentiles first = new Percentiles(Double.NaN, 95, Basis.ALL_REQUESTS);
    List<Check> checks = new ArrayList<>(List.of(new Check(100, 33, first, 10, 990, 1_000)));
    checks.addAll(
        java.util.Collections.nCopies(19, new Check(100, 33, percentiles, 10, 990, 1_000)));
    return ((Decision.Act) decide(3, checks, SETTINGS, objective(40, 90, Double.NaN)))
        .plan()
        .summary();
  }

  @Test
  void whatClientsDoNotSayIsNotTakenForKept() {
    // Neither for broken: 4 nodes are more than 100 clients need, and none is added or given back.
    for (int nodes : new int[] {3, 4}) {
      double ms = 100.0 / nodes;
      assertThat(held(decide(nodes, checks(20, 100, ms), SETTINGS, objective(40, 90, Double.NaN))))
          .contains("not measured: p99 of all operations, which not all clients report")
          .doesNotContain("kept");
      Objective p95 = new Objective("zipf", 100, 40, 70, Double.NaN, Double.NaN, 7);
      assertThat(held(decide(nodes, checks(20, 100, ms), SETTINGS, p95)))
          .contains("not measured: p95 of all operations, which not all clients report")
          .doesNotContain("kept");
    }
    assertThat(withP99(new Percentiles(Double.NaN, 95, Basis.ALL_REQUESTS)))
        .contains("99th percentile 95.0 ms > 90.0 (of all requests)");
    assertThat(withP99(new Percentiles(Double.NaN, 95, Basis.GREATEST)))
        .contains("99th percentile 95.0 ms > 90.0 (the greatest that a client reports)");
    Decision rate = decide(3, checks(20, 100, 33), SETTINGS, objective(40, Double.NaN, 12));
    assertThat(((Decision.Act) rate).plan().summary()).contains("throughput 10.0 MB/s < 12.0");
  }

  @Test
  void oneReportWithoutPercentilesBuysNoNode() {
    Percentiles fast = new Percentiles(30, 60, Basis.ALL_REQUESTS);
    List<Check> checks =
        new ArrayList<>(
            java.util.Collections.nCopies(19, new Check(100, 33, fast, 10, 990, 1_000)));
    checks.add(check(100, 33, 990));
    assertThat(held(decide(3, checks, SETTINGS, objective(40, 90, Double.NaN))))
        .contains("not measured: p99 of all operations");
  }

  @Test
  void whatIsKnownToBeBrokenTakesNodesWhateverIsNotMeasured() {
    Decision slow = decide(3, checks(20, 100, 55), SETTINGS, objective(40, 90, Double.NaN));
    assertThat(((Decision.Act) slow).plan().summary())
        .contains("shop: mean response time 55.0 ms > 40.0; ")
        .contains("not measured: p99 of all operations");
  }

  /** All clients send histograms, and there is nothing in them. */
  @Test
  void whereNobodyAskedNoPercentileIsMissing() {
    Percentiles idle = new Percentiles(Double.NaN, Double.NaN, Basis.ALL_REQUESTS);
    Percentiles slow = new Percentiles(95, 95, Basis.ALL_REQUESTS);
    List<Check> checks =
        new ArrayList<>(java.util.Collections.nCopies(19, new Check(100, 33, idle, 0, 990, 1_000)));
    checks.add(new Check(100, 33, slow, 10, 990, 1_000));
    assertThat(
            ((Decision.Act) decide(3, checks, SETTINGS, objective(40, 90, Double.NaN)))
                .plan()
                .summary())
        .as("the mean of those who asked")
        .contains("99th percentile 95.0 ms > 90.0");
    checks.set(19, checks.get(0));
    assertThat(held(decide(3, checks, SETTINGS, objective(40, 90, Double.NaN))))
        .contains("kept")
        .doesNotContain("not measured: ");
  }

  /** Clients go on to tell the response time that they had when they last asked. */
  @Test
  void whoeverAsksNoLongerIsNotSlow() {
    Percentiles idle = new Percentiles(Double.NaN, Double.NaN, Basis.ALL_REQUESTS);
    List<Check> checks = java.util.Collections.nCopies(20, new Check(100, 55, idle, 0, 0, 1_000));
    assertThat(held(decide(3, checks, SETTINGS, objective(40, Double.NaN, Double.NaN))))
        .contains("kept");
  }
}

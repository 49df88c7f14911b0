package io.trimtab.controller.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Basis;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.observe.Service.Percentiles;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComplianceTest {
  private static final int CHECKS = 3;
  private static final long CACHE = 1_000;

  private static Service service(double p99Limit, List<Check> checks) {
    Cell cell = new Cell("zipf", "small", 100, 3, 33, 10, Double.NaN, Double.NaN, 1);
    return new Service(
        "shop",
        new Objective("zipf", 100, 40, Double.NaN, p99Limit, Double.NaN, 7),
        new ProvisioningTable(List.of(cell)),
        "small",
        checks);
  }

  private static Check check(double ms, long cached) {
    return new Check(80, ms, Percentiles.UNKNOWN, 10, cached, CACHE);
  }

  private static List<Check> checks(int number, double ms) {
    return Collections.nCopies(number, check(ms, 990));
  }

  private static Optional<Verdict> verdict(double p99Limit, List<Check> checks) {
    return Compliance.lately(service(p99Limit, checks), CHECKS).map(Compliance::verdict);
  }

  @Test
  void theMeanOfTheLastChecksIsKeptOrMissed() {
    List<Check> checks = new ArrayList<>(checks(5, 300));
    checks.addAll(checks(CHECKS, 40));
    assertThat(verdict(Double.NaN, checks)).contains(Verdict.KEPT);
    checks.add(check(40.5, 990));
    assertThat(verdict(Double.NaN, checks)).contains(Verdict.MISSED);
    assertThat(Compliance.lately(service(Double.NaN, checks), CHECKS).orElseThrow().clients())
        .isEqualTo(80);
  }

  @Test
  void withoutEnoughChecksNothingIsSaid() {
    assertThat(verdict(Double.NaN, checks(CHECKS - 1, 300))).isEmpty();
  }

  @Test
  void whileCachesFillNothingIsSaid() {
    List<Check> filling = List.of(check(300, 100), check(300, 300), check(300, 500));
    assertThat(verdict(Double.NaN, filling)).isEmpty();
  }

  /** What is missed is missed, whatever else is not known. */
  @Test
  void aPartThatIsNotMeasuredIsNotKept() {
    assertThat(verdict(60, checks(CHECKS, 30))).contains(Verdict.UNKNOWN);
    assertThat(verdict(60, checks(CHECKS, 50))).contains(Verdict.MISSED);
  }

  /** 100 clients are promised 10 MB/s, and nothing else. */
  private static Compliance byThroughput(double ms, double rate, Percentiles percentiles) {
    Check check = new Check(100, ms, percentiles, rate, 990, CACHE);
    double any = Double.NaN;
    Objective promised = new Objective("zipf", 100, any, any, any, 10, 7);
    List<Check> checks = Collections.nCopies(CHECKS, check);
    Service shop = new Service("shop", promised, service(any, checks).table(), "small", checks);
    return Compliance.lately(shop, CHECKS).orElseThrow();
  }

  /** By Little's law nobody waits where nothing is answered; all of them do. */
  @Test
  void aThroughputOfNothingIsNotKeptWhileClientsWait() {
    Percentiles waited = new Percentiles(30_000, 30_000, Basis.ALL_REQUESTS);
    assertThat(byThroughput(30_000, 0.001, waited).verdict()).isEqualTo(Verdict.MISSED);
    Compliance outage = byThroughput(30_000, 0, waited);
    assertThat(outage.verdict()).isEqualTo(Verdict.MISSED);
    assertThat(outage.misses()).containsExactly("throughput 0.0 MB/s < 10.0");
    assertThat(outage.description()).isEqualTo("100 clients, 30000.0 ms, 0.0 MB/s over 3 checks");
  }

  @Test
  void aThroughputOfNothingIsKeptWhereNobodyAsks() {
    Percentiles idle = new Percentiles(Double.NaN, Double.NaN, Basis.ALL_REQUESTS);
    assertThat(byThroughput(50, 0, idle).verdict()).isEqualTo(Verdict.KEPT);
    // Numbers alone are those of before, and don't tell.
    assertThat(byThroughput(50, 0, Percentiles.UNKNOWN).verdict()).isEqualTo(Verdict.KEPT);
  }
}

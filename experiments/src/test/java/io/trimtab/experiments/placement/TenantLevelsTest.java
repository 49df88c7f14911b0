package io.trimtab.experiments.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.lab.testbed.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TenantLevelsTest {
  /** One level, and another one in the measured seconds. */
  private static double[] then(double before, double after) {
    double[] series = new double[20];
    Arrays.fill(series, 0, 10, before);
    Arrays.fill(series, 10, 20, after);
    return series;
  }

  static RunResult run(double large, double small) {
    Map<String, double[]> series = Map.of("large", then(1_000, large), "small", then(100, small));
    return new RunResult("run", 1, series, 10, 20, 0, 0, 0, 0, 0);
  }

  @Test
  void aTenantThatLosesCountsAsMuchAsOneThatGains() {
    RunResult run = run(2_000, 50);
    TenantLevels ofBefore = TenantLevels.measured(run).over(TenantLevels.of(run, 0, 10));

    assertThat(ofBefore.mean()).isCloseTo(1, within(1e-9));
    assertThat(ofBefore.least()).isEqualTo("small");
    assertThat(ofBefore.each()).containsEntry("large", 2.0).containsEntry("small", 0.5);
  }

  @Test
  void oneThatStandsStillHasAMeanToo() {
    assertThat(TenantLevels.measured(run(1_000, 0)).mean()).isCloseTo(1, within(1e-9));
  }

  /** Not the least of each run, which may be another one's by chance. */
  @Test
  void theWorstTenantIsThatOfTheMedians() {
    List<TenantLevels> runs =
        List.of(
            TenantLevels.measured(run(5, 9)),
            TenantLevels.measured(run(20, 4)),
            TenantLevels.measured(run(30, 8)));

    assertThat(TenantLevels.least(runs)).isEqualTo("small: 8.00 (4.00–9.00)");
  }

  @Test
  void aSumThatIsKeptByOneTenantIsToldAsSuch() {
    assertThat(E2.ofReferences(List.of(run(1_100, 50)), List.of(run(1_000, 100), run(1_000, 100))))
        .containsExactly("1.05 (1.05–1.05)", "0.74 (0.74–0.74)", "small: 0.50 (0.50–0.50)");
    assertThat(E2.ofReferences(List.of(run(1_100, 50)), List.of()))
        .containsOnly("not measured")
        .hasSize(3);
  }
}

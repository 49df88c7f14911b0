package io.trimtab.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.lab.testbed.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DemoTest {
  /** Tenant a gets much more, and d less. */
  private static RunResult run() {
    Map<String, double[]> all = new TreeMap<>();
    for (String tenant : SixTenants.TENANTS) {
      double[] series = new double[20];
      Arrays.fill(series, 100);
      Arrays.fill(series, 10, 20, tenant.equals("a") ? 800 : tenant.equals("d") ? 50 : 100);
      all.put(tenant, series);
    }
    return new RunResult("demo", 1, all, 10, 20, 0, 0, 0, 0, 0);
  }

  @Test
  void besideTheTotalThereIsWhatEachTenantHas() {
    List<List<String>> rows = Demo.rows(run(), new int[] {0, 10});

    assertThat(rows).hasSize(2 + SixTenants.TENANTS.size());
    assertThat(rows.get(0)).containsExactly("total", "600", "1,250", "2.08");
    assertThat(rows.get(1))
        .containsExactly("geometric mean over the tenants", "100", "126", "1.26");
  }

  @Test
  void whoLosesIsNamed() {
    assertThat(Demo.worst(run(), new int[] {0, 10}))
        .isEqualTo("The worst tenant, d, has 0.50 of what it had.");
  }
}

package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class RivalSettingsTest {
  @Test
  void aPolicysRunsKnowAllItsSettingsByTheirKeys() throws IOException {
    assertThat(RivalSettings.madeBy(Rival.AUTOPILOT, 5))
        .contains(
            "policy: autopilot",
            "choice.horizon: 360s",
            "split.hysteresis: 360s",
            "stability.window: 720s",
            "guard.maxNodes: 5",
            "guard.cooldown: 60s",
            "hbase.table.normalization.enabled=true")
        .anyMatch(line -> line.startsWith("bed: classes "))
        .anyMatch(line -> line.startsWith("controller: classes "));
  }

  @Test
  void aBalancersRunsKnowItsOwn() throws IOException {
    assertThat(RivalSettings.madeBy(Rival.BALANCER_BY_REQUESTS, 5))
        .contains("hbase.master.balancer.stochastic.readRequestCost=500")
        .noneMatch(line -> line.startsWith("controller"))
        .noneMatch(line -> line.startsWith("policy"));
  }

  @Test
  void linesHaveTheNamesOfTheirGroups() {
    assertThat(
            RivalSettings.flat(
                String.join(
                    "\n",
                    "  policy: met",
                    "  observe:",
                    "    period: 5s",
                    "    samples: 4",
                    "  balancer: hold")))
        .containsExactly(
            "policy: met", "observe.period: 5s", "observe.samples: 4", "balancer: hold");
  }
}

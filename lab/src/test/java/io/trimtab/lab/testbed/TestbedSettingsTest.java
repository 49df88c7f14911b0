package io.trimtab.lab.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestbedSettingsTest {
  /** The demo and half of the experiments begin with these; nothing else makes them in a test. */
  @Test
  void everyBedCanBeMade() {
    for (TestbedSettings bed :
        List.of(
            TestbedSettings.standard(),
            TestbedSettings.quick(),
            TestbedSettings.pair(),
            TestbedSettings.single(),
            TestbedSettings.modelled(),
            TestbedSettings.four())) {
      assertThat(bed.memory().value()).isGreaterThan(bed.heap().value() + bed.pageCache().value());
      assertThat(bed.nodes()).isPositive();
    }
    assertThat(TestbedSettings.standard().pageCache().value())
        .as("all that its limit leaves")
        .isZero();
  }
}

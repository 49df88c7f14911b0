package io.trimtab.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BedSettingsTest {
  /** The demo and half of the experiments begin with these; nothing else makes them in a test. */
  @Test
  void everyBedCanBeMade() {
    for (BedSettings bed :
        List.of(
            BedSettings.standard(),
            BedSettings.quick(),
            BedSettings.pair(),
            BedSettings.single(),
            BedSettings.modelled(),
            BedSettings.four())) {
      assertThat(bed.memory().value()).isGreaterThan(bed.heap().value() + bed.pageCache().value());
      assertThat(bed.nodes()).isPositive();
    }
    assertThat(BedSettings.standard().pageCache().value()).as("all that its limit leaves").isZero();
  }
}

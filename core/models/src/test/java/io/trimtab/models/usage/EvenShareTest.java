package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EvenShareTest {
  @Test
  void eachHasAsMuchAndIdlesOnce() {
    // Three nodes idle at 0.1 and do 0.2 each for clients; two have 0.3 of that each.
    assertThat(EvenShare.usage(0.1, 0.9, 3, 2)).isCloseTo(0.4, within(1e-12));
    assertThat(EvenShare.usage(0, 0.9, 3, 2)).isCloseTo(0.45, within(1e-12));
  }

  @Test
  void aSlowNodeIsAPartOfOne() {
    assertThat(EvenShare.usage(0, 1.5, 2.5, 1.5)).isCloseTo(1, within(1e-12));
  }
}

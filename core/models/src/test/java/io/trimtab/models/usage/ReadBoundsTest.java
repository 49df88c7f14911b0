package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReadBoundsTest {
  @Test
  void onlyHigherHitRatiosBoundALowerOne() {
    ReadBounds bounds = new ReadBounds();
    assertThat(bounds.of(0.5, 0.4)).isInfinite();

    bounds.found(1, 0.4, 1_000);
    bounds.found(0.8, 0.4, 200);
    bounds.found(0.25, 0.4, 50);
    bounds.found(0.8, 0.6, 30);

    assertThat(bounds.of(0.9, 0.4)).isCloseTo(1_100, within(1e-9));
    assertThat(bounds.of(0.5, 0.4)).isCloseTo(220, within(1e-9));
    assertThat(bounds.of(0.8, 0.4)).isCloseTo(1_100, within(1e-9));
    assertThat(bounds.of(0.5, 0.2)).isInfinite();
  }
}

package io.trimtab.testkit.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RequestCostsTest {
  private static final Offset<Double> EXACT = within(1e-12);

  @Test
  void nothingIsSavedUpToHalfOfANodeAndAllOnAFullOne() {
    assertThat(RequestCosts.fullness(0.3)).isZero();
    assertThat(RequestCosts.fullness(0.5)).isZero();
    assertThat(RequestCosts.fullness(0.75)).isCloseTo(0.5, EXACT);
    assertThat(RequestCosts.fullness(1)).isCloseTo(1, EXACT);
    assertThat(RequestCosts.fullness(1.3)).isCloseTo(1, EXACT);
  }

  @Test
  void whatIsUsedIsWhatRequestsCostAtThatUse() {
    for (double whole : new double[] {0.2, 0.5, 0.6, 0.9, 1.2, 1.49}) {
      double saved = whole / 3;
      double used = RequestCosts.used(whole, saved);

      assertThat(used)
          .as("of %s", whole)
          .isLessThan(1)
          .isCloseTo(whole - saved * RequestCosts.fullness(used), EXACT);
    }
  }

  @Test
  void aFullNodeIsAskedForItsCheapestRequests() {
    assertThat(RequestCosts.used(1.5, 0.5)).isCloseTo(1, EXACT);
    assertThat(RequestCosts.used(3, 1)).isCloseTo(2, EXACT);
  }

  @Test
  void costsThatDoNotFallAreTheirSum() {
    assertThat(RequestCosts.used(0.9, 0)).isEqualTo(0.9);
    assertThat(RequestCosts.used(1.7, 0)).isEqualTo(1.7);
  }

  @Test
  void whatCostsNothingIsRefused() {
    assertThatThrownBy(() -> new RequestCosts(0, 0, 1, 0, 0, 0, 1, 1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RequestCosts(1, 0, 1, 0, 0, 0, 1, 0, 1, 0))
        .hasMessageContaining("full node");
    assertThatThrownBy(() -> new RequestCosts(1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0.9, 0.5))
        .hasMessageContaining("remote blocks");
  }
}

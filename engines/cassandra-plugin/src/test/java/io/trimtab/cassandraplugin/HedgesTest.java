package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What it does to tables is tested on real nodes. */
class HedgesTest {
  private final List<String> complaints = new ArrayList<>();

  @Test
  void theShareIsThatOfThePropertyAndAnyWhereThereIsNone() {
    assertThat(Hedges.given(null, complaints::add)).isEqualTo(1);
    assertThat(Hedges.given("0.05", complaints::add)).isEqualTo(0.05);
    assertThat(Hedges.given("0", complaints::add)).isZero();
    assertThat(complaints).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5 %", "-0.1", "1.01", "NaN", ""})
  void aBadShareIsToldAndTheNodeServes(String text) {
    assertThat(Hedges.given(text, complaints::add)).isEqualTo(1);
    assertThat(complaints)
        .containsExactly(
            "trimtab.hedgeShare: " + text + " is not a number from 0 to 1; hedges are unlimited");
    assertThatThrownBy(() -> new Hedges(1).share(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package io.trimtab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PairedRatioTest {
  @Test
  void pairsThatAgreeHaveANarrowInterval() {
    PairedRatio of = PairedRatio.of(new double[] {1, 20, 300}, new double[] {2, 40, 600});

    assertThat(of.ratio()).isCloseTo(0.5, within(1e-12));
    assertThat(of.high() - of.low()).isLessThan(1e-9);
    assertThat(of.pairs()).isEqualTo(3);
  }

  /** By hand: logarithms ±ln 2, their error ln 2, and t of one degree of freedom 12.706. */
  @Test
  void theIntervalIsStudents() {
    PairedRatio of = PairedRatio.of(new double[] {2, 1}, new double[] {1, 2});

    assertThat(of.ratio()).isCloseTo(1, within(1e-12));
    assertThat(of.high()).isCloseTo(Math.exp(12.7062 * Math.log(2)), within(1.0));
    assertThat(of.low()).isCloseTo(1 / of.high(), within(1e-9));
  }

  @Test
  void onePairHasNoInterval() {
    PairedRatio of = PairedRatio.of(new double[] {3}, new double[] {2});

    assertThat(of.ratio()).isCloseTo(1.5, within(1e-12));
    assertThat(of.low()).isNaN();
  }

  @Test
  void pairsMustBePairs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PairedRatio.of(new double[] {3}, new double[] {2, 1}));
  }
}

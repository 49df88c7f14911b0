package io.trimtab.plugincore.hedging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgeBudgetTest {
  private static final int PER_TICK = 100;
  private static final double SHARE = 0.1;

  private final HedgeBudget budget = new HedgeBudget();

  @Test
  void fewHedgesAreNeverStopped() {
    for (int tick = 0; tick < 200; tick++) {
      assertThat(budget.isSpent(tick * PER_TICK, tick * 4, SHARE)).as("tick %s", tick).isFalse();
    }
  }

  /** All reads become slow: four ticks are 200 ms. */
  @Test
  void anOverloadStopsThemWithinFourTicks() {
    for (int tick = 0; tick < 100; tick++) {
      assertThat(budget.isSpent(tick * PER_TICK, 0, SHARE)).isFalse();
    }
    int ticks = 1;
    while (!budget.isSpent((99L + ticks) * PER_TICK, (long) ticks * PER_TICK, SHARE)) {
      ticks++;
    }
    assertThat(ticks).isLessThanOrEqualTo(4);
  }

  /** Each read would be hedged: what a tick uses too much is paid for later. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.05, 0.1, 0.5})
  void theShareHoldsInTheLongRunHoweverManyWouldBeHedged(double share) {
    Random random = new Random(1);
    long reads = 0;
    long hedges = 0;
    boolean spent = false;
    for (int tick = 0; tick < 20_000; tick++) {
      int now = random.nextInt(2 * PER_TICK);
      reads += now;
      hedges += spent ? 0 : now;
      spent = budget.isSpent(reads, hedges, share);
    }
    assertThat((double) hedges / reads).isBetween(0.8 * share, 1.1 * share);
  }

  @Test
  void oneASecondIsAlwaysAllowedUnlessTheShareIsNothing() {
    assertThat(budget.isSpent(0, 0, SHARE)).isFalse();
    assertThat(budget.isSpent(1, 1, SHARE)).isTrue();
    boolean spent = true;
    for (int tick = 0; tick <= HedgeBudget.TICKS; tick++) {
      spent = budget.isSpent(1, 1, SHARE);
    }
    assertThat(spent).isFalse();
    assertThat(new HedgeBudget().isSpent(100, 0, 0)).isTrue();
  }
}

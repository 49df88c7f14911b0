package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.runtime.SimulatedMonth.Kind;
import io.trimtab.runtime.SimulatedMonth.Month;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A month of the loop, timed; not part of the tests that always run. See docs/benchmarks.md for the
 * command.
 */
class SimulatedWholeMonth {
  @Test
  @Timeout(600)
  void aWholeMonthIsTheSameInTwoJvms() throws Exception {
    Duration length = Duration.ofDays(30);
    long began = System.nanoTime();
    Month month = SimulatedMonth.run(Kind.MET_1, SimulatedMonthTest.SEED, length);
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "a month of met-1, %d steps and %d plans: %.1f s%n",
        month.steps(),
        SimulatedMonthTest.started(month.journal()),
        seconds);
    assertThat(month.steps()).isGreaterThan(80_000);
    assertThat(SimulatedMonthTest.kinds(month.journal()))
        .contains("plan-started", "node-added", "held");
    // After the measurement: two months at once would share the machine.
    Process other = SimulatedMonthTest.fork(Kind.MET_1, length);
    try {
      assertThat(SimulatedMonthTest.digest(other))
          .as("seed %d", SimulatedMonthTest.SEED)
          .isEqualTo(month.digest());
    } finally {
      other.destroyForcibly();
    }
  }
}

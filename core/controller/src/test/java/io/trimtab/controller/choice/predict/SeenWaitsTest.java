package io.trimtab.controller.choice.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.snapshot.WaitSource;
import org.junit.jupiter.api.Test;

/** How busy disks are is more than what is seen of it. */
class SeenWaitsTest {
  private static double share(WaitSource source, double cpu, double wait, double predicted) {
    SeenWaits waits = new SeenWaits();
    waits.add(source, cpu, wait, predicted);
    return waits.share();
  }

  /** A disk that is busy for half of the time, of which CPUs were idle while it was learned. */
  @Test
  void howIdleCpusAreByNowDoesNotMatter() {
    double busy = 0.5;
    double learned = busy * 0.8;

    for (double cpu : new double[] {0.2, 0.5, 0.7}) {
      double share = share(WaitSource.MACHINE, cpu, busy * (1 - cpu), learned);
      assertThat(learned / share).as("at %s", cpu).isCloseTo(busy, within(1e-9));
    }
  }

  /** The delays of tasks count whatever a CPU does meanwhile. */
  @Test
  void whatIsWaitedForWhileCpusWorkIsNotCountedTwice() {
    assertThat(share(WaitSource.DELAY_ACCOUNTING, 0.6, 0.3, 0.3)).isEqualTo(1);
    assertThat(share(WaitSource.MACHINE, 0.6, 0.3, 0.3)).isCloseTo(0.4, within(1e-9));
  }

  /** Of such a source no more is told than the CPU is idle. */
  @Test
  void theDiskOfANodeThatIsNeverIdleIsFull() {
    assertThat(share(WaitSource.DELAY_ACCOUNTING, 0.4, 0.6, 0.6)).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void whereNobodyTellsWhatIsPredictedIsAll() {
    assertThat(new SeenWaits().share()).isEqualTo(1);
    assertThat(share(WaitSource.NONE, Double.NaN, Double.NaN, 0.5)).isEqualTo(1);
    assertThat(share(WaitSource.MACHINE, 0.9, 0, 0.5)).isEqualTo(1);
  }

  /** Something else is wrong then, and corrected node by node. */
  @Test
  void theShareIsNeitherMoreThanAllNorNextToNothing() {
    assertThat(share(WaitSource.MACHINE, 0.1, 0.09, 0.9)).isEqualTo(1);
    assertThat(share(WaitSource.MACHINE, 0.1, 0.9, 1e-6)).isEqualTo(0.2);
  }
}

package io.trimtab.models.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.capacity.MachineBudget.Machine;
import io.trimtab.models.capacity.MachineBudget.Size;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineBudgetTest {
  private static final long GIBIBYTE = 1L << 30;
  private static final Size SMALL = size(2, 8, 100);

  private static Size size(double cores, long memoryGibibytes, long diskGibibytes) {
    return new Size(cores, memoryGibibytes * GIBIBYTE, diskGibibytes * GIBIBYTE);
  }

  private static Machine machine(String name, Size has, Size... nodes) {
    return new Machine(name, has, List.of(nodes));
  }

  @Test
  void whatNodesOfAllClustersUseIsSummed() {
    MachineBudget budget =
        new MachineBudget(
            List.of(
                machine("m1", size(8, 64, 1_000), size(3, 8, 100), size(3, 8, 100)),
                machine("m2", size(8, 64, 1_000), size(3, 8, 100), size(3.5, 8, 100)),
                machine("m3", size(8, 64, 1_000))));

    assertThat(budget.room(SMALL)).isEqualTo(2);
    assertThat(budget.full(SMALL)).containsExactly("m2 lacks 0.5 cores");
  }

  @Test
  void eachResourceMayBeTheOneThatIsLacking() {
    MachineBudget budget =
        new MachineBudget(
            List.of(
                machine("cpu", size(1.5, 64, 1_000)),
                machine("memory", size(8, 12, 1_000), size(1, 6, 100)),
                machine("disk", size(8, 64, 150), size(1, 8, 100)),
                machine("all", size(1, 4, 50))));

    assertThat(budget.room(SMALL)).isZero();
    assertThat(budget.full(SMALL))
        .containsExactly(
            "cpu lacks 0.5 cores",
            "memory lacks 2.0 GiB of memory",
            "disk lacks 50.0 GiB of disk",
            "all lacks 1.0 cores, 4.0 GiB of memory, 50.0 GiB of disk");
  }

  @Test
  void tenthsOfCoresThatFillAMachineFit() {
    Size tenth = size(0.1, 1, 1);
    Machine full = new Machine("m", size(0.8, 64, 64), Collections.nCopies(7, tenth));
    assertThat(new MachineBudget(List.of(full)).room(tenth)).isEqualTo(1);
  }

  /** Half of the agreed clients use half of what all of them will. */
  @Test
  void usageIsThatOfTheAgreedClients() {
    assertThat(SMALL.predicted(0.6, 50, 100).cores()).isCloseTo(1.2, within(1e-9));
    assertThat(SMALL.predicted(0.6, 50, 100).memoryBytes()).isEqualTo(8 * GIBIBYTE);
    // More than its own cores it can't have, and fewer clients than now were not agreed to come.
    assertThat(SMALL.predicted(1.5, 10, 100).cores()).isEqualTo(2);
    assertThat(SMALL.predicted(0.6, 200, 100).cores()).isEqualTo(0.6);
  }

  @Test
  void aNodeOfWhichNothingIsKnownCountsWhole() {
    assertThat(SMALL.predicted(Double.NaN, 50, 100)).isEqualTo(SMALL);
    assertThat(SMALL.predicted(0.6, 0, 100)).isEqualTo(SMALL);
    assertThat(SMALL.predicted(0.6, 50, 0)).isEqualTo(SMALL);
    assertThat(SMALL.predicted(0, 50, 100).cores()).isLessThan(0.001);
  }

  @Test
  void aSizeHasSomeOfEverything() {
    assertThatThrownBy(() -> new Size(0, 1, 1)).hasMessageContaining("must be > 0");
    assertThatThrownBy(() -> new Size(Double.NaN, 1, 1)).hasMessageContaining("must be > 0");
    assertThatThrownBy(() -> new Size(1, 0, 1)).hasMessageContaining("must be > 0");
  }
}

package io.trimtab.models.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** n nodes answer c clients in c / n ms and give them 0.4 · n MB/s; 2, 3 and 5 were measured. */
class AdmissionTest {
  private static final double ANY = Double.NaN;

  private static final ProvisioningTable TABLE = table();

  private static ProvisioningTable table() {
    List<Cell> cells = new ArrayList<>();
    for (int measured : new int[] {2, 3, 5}) {
      for (int asking : new int[] {20, 100, 300}) {
        double ms = asking / (double) measured;
        cells.add(new Cell("zipf", "small", asking, measured, ms, 0.4 * measured, ANY, ANY, 1));
      }
    }
    return new ProvisioningTable(cells);
  }

  private static double admitted(int clients, int nodes, double throughputMBps) {
    Objective agreed = new Objective("zipf", 100, 40, ANY, ANY, throughputMBps, 7);
    return Admission.megabytesPerSecond(TABLE, "small", agreed, clients, nodes);
  }

  @Test
  void moreClientsThanAgreedGetWhatTheAgreedNumberWouldGet() {
    assertThat(admitted(150, 3, ANY)).isEqualTo(0.4 * 3);
    assertThat(admitted(1_000, 3, ANY)).as("however many they are").isEqualTo(0.4 * 3);
  }

  @Test
  void asManyAsWereAgreedNeverHoldBack() {
    // Two nodes miss the objective for 100 clients, which is not the clients' fault.
    assertThat(admitted(100, 2, ANY)).isInfinite();
  }

  @Test
  void nobodyHoldsBackWhileTheNodesAreEnoughForAll() {
    assertThat(admitted(150, 5, ANY)).isInfinite();
    assertThat(admitted(250, 5, ANY)).isEqualTo(0.4 * 5);
  }

  @Test
  void theAgreedThroughputIsAdmittedInAnyCase() {
    assertThat(admitted(150, 3, 1.5)).isEqualTo(1.5);
  }

  @Test
  void theNextSmallerNumberOfNodesThatWasMeasuredCounts() {
    assertThat(admitted(150, 4, ANY)).isEqualTo(0.4 * 3);
    assertThat(admitted(1_000, 6, ANY)).isEqualTo(0.4 * 5);
  }

  /** One node of the two that were measured last would be asked for what two give. */
  @Test
  void fewerNodesThanAnyThatWereMeasuredGiveAsMuchLess() {
    assertThat(admitted(150, 1, ANY)).isEqualTo(0.4);
    assertThat(admitted(150, 1, 0.5)).as("the agreed throughput").isEqualTo(0.5);

    Objective agreed = new Objective("zipf", 20, 40, ANY, ANY, ANY, 7);
    assertThat(Admission.megabytesPerSecond(TABLE, "small", agreed, 60, 2)).isInfinite();
    assertThat(Admission.megabytesPerSecond(TABLE, "small", agreed, 60, 1))
        .as("two nodes would be enough for 60 clients, and nothing tells that one is")
        .isEqualTo(0.4);
  }
}

package io.trimtab.models.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WaitingClientsTest {
  private static final Offset<Double> NEAR = within(2e-3);
  private static final double[] TWO_STATIONS = {0, 0};

  private static double[] of(double... values) {
    return values;
  }

  /** A disk that is used half by one client of two that think as long: 0.5 at it, 1.5 elsewhere. */
  @Test
  void oneClientNeverWaits() {
    WaitingClients one = new WaitingClients(of(1), of(0.5));

    assertThat(one.served(new double[][] {{0.5}}, of(0))[0]).isCloseTo(1, NEAR);
    // Half as much service: 0.25 and 0.5 of the time that there was.
    assertThat(one.served(new double[][] {{0.25}}, of(0))[0]).isCloseTo(1 / 0.75, NEAR);
  }

  /** Many clients and no thinking: as much as the busiest station can do. */
  @Test
  void manyClientsFillTheBusiestStation() {
    WaitingClients many = new WaitingClients(of(200), of(0));

    assertThat(many.served(new double[][] {{0.5, 0.2}}, TWO_STATIONS)[0])
        .isCloseTo(2, within(0.02));
    // A fifth of it is used by something else.
    assertThat(many.served(new double[][] {{0.5, 0.2}}, of(0.2, 0))[0])
        .isCloseTo(1.6, within(0.02));
  }

  /** Those of a table that uses little wait behind those of another that fills the station. */
  @Test
  void apartFromAnothersClientsATableIsServedMore() {
    double[][] together = {{0.9, 0}, {0.1, 0}};
    double[][] apart = {{0.9, 0}, {0, 0.1}};
    WaitingClients both = new WaitingClients(of(18, 2), of(0, 0));

    double[] before = both.served(together, TWO_STATIONS);
    double[] after = both.served(apart, TWO_STATIONS);

    assertThat(before[0]).isCloseTo(1, within(0.01));
    assertThat(before[1]).isCloseTo(1, within(0.01));
    assertThat(after[0]).isCloseTo(1 / 0.9, NEAR);
    assertThat(after[1]).isCloseTo(1 / 0.1, within(0.05));
  }

  @Test
  void whoAsksNothingIsServedAsNow() {
    WaitingClients none = new WaitingClients(of(0, 3), of(0, 1));

    assertThat(none.served(new double[][] {{0.5, 0}, {0, 0}}, TWO_STATIONS)).containsExactly(1, 1);
  }
}

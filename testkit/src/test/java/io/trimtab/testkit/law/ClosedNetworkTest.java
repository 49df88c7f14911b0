package io.trimtab.testkit.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.testkit.law.ClosedNetwork.Customers;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Against what can be computed by hand from the method's equations. */
class ClosedNetworkTest {
  private static final Offset<Double> HAND = within(1e-4);

  private static double[] solved(Customers... classes) {
    return ClosedNetwork.solved(List.of(classes)).throughput();
  }

  private static Customers saving(int clients, double think, double seconds, double saved) {
    return new Customers(
        clients, think, Double.POSITIVE_INFINITY, new double[] {seconds}, new double[] {saved});
  }

  /** Somebody is always served, however many wait. */
  @Test
  void oneStationThatIsAskedAtOnceIsUsedFully() {
    assertThat(solved(Customers.of(1, 0, 0.25))[0]).isCloseTo(4, HAND);
    assertThat(solved(Customers.of(20, 0, 0.25))[0]).isCloseTo(4, HAND);
  }

  /** Q = 2 (1 + Q/2) ÷ (2 + Q/2), so that Q = √5 − 1; the exact result is 0.8. */
  @Test
  void clientsThatThinkLeaveItIdleForAWhile() {
    assertThat(solved(Customers.of(2, 1, 1))[0]).isCloseTo(3 - Math.sqrt(5), HAND);
  }

  /** N ÷ (N + 1) of each of two stations, which is exact. */
  @Test
  void ofTwoStationsInTurnNeitherIsUsedFully() {
    assertThat(solved(Customers.of(1, 0, 1, 1))[0]).isCloseTo(0.5, HAND);
    assertThat(solved(Customers.of(4, 0, 1, 1))[0]).isCloseTo(0.8, HAND);
  }

  /** Each finds the other one there: 2 s and 4 s until an answer. */
  @Test
  void twoClassesShareOneStation() {
    double[] rates = solved(Customers.of(1, 0, 1), Customers.of(1, 0, 2));

    assertThat(rates[0]).isCloseTo(0.5, HAND);
    assertThat(rates[1]).isCloseTo(0.25, HAND);
  }

  /**
   * The first is always at station 1, so that the second spends 2 s there and 1 s at station 2; the
   * first finds it there two thirds of the time.
   */
  @Test
  void whoHasAStationOfTheirOwnDisturbsLess() {
    double[] rates = solved(Customers.of(1, 0, 1, 0), Customers.of(1, 0, 1, 1));

    assertThat(rates[0]).isCloseTo(0.6, HAND);
    assertThat(rates[1]).isCloseTo(1 / 3.0, HAND);
  }

  /** It is there for 0.25 × 2 s of each second, as the other one always is. */
  @Test
  void aLimitLeavesMoreToOthers() {
    double[] rates = solved(Customers.of(1, 0, 1).atMost(0.25), Customers.of(1, 0, 1));

    assertThat(rates[0]).isCloseTo(0.25, HAND);
    assertThat(rates[1]).isCloseTo(2 / 3.0, HAND);
  }

  @Test
  void requestsCostLessWhereAStationIsFull() {
    assertThat(solved(saving(10, 0, 0.34, 0.14))[0]).isCloseTo(1 / 0.2, HAND);
    // Used to a quarter, at the whole cost.
    assertThat(solved(saving(1, 1, 0.34, 0.14))[0]).isCloseTo(1 / 1.34, HAND);
  }

  /**
   * One client who thinks 0.1 s: used = c ÷ (0.1 + c), and c = 0.4 − 0.2 × (used − 0.5) ÷ 0.5, so
   * that c = 0.3 and used = 0.75.
   */
  @Test
  void costAndUseAreSolvedForTogether() {
    assertThat(solved(saving(1, 0.1, 0.4, 0.2))[0]).isCloseTo(1 / 0.4, HAND);
  }

  @Test
  void noStationIsUsedBeyondWhatItHas() {
    double[] rates =
        solved(Customers.of(20, 0.001, 0.01, 0.003), Customers.of(4, 0.005, 0.002, 0.008));

    assertThat(rates[0] * 0.01 + rates[1] * 0.002).isBetween(0.9, 1.0);
    assertThat(rates[0] * 0.003 + rates[1] * 0.008).isBetween(0.3, 1.0);
  }

  @Test
  void whereNobodyAsksNothingIsServed() {
    assertThat(ClosedNetwork.solved(List.of()).throughput()).isEmpty();
  }

  @Test
  void whatHasNoSolutionIsRefused() {
    assertThatThrownBy(() -> Customers.of(1, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes no time");
    assertThatThrownBy(() -> saving(1, 0, 1, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}

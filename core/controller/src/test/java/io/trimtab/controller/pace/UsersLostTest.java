package io.trimtab.controller.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsersLostTest {
  private final UsersLost lost = new UsersLost();

  private static UsersLevel.Level level(String table, double before, double ofMean) {
    return new UsersLevel.Level(table, before, ofMean, Math.min(1, ofMean));
  }

  @Test
  void nothingIsKnownWhereNothingCanBeCompared() {
    lost.add(List.of(), 10);

    assertThat(lost.seconds()).isEmpty();
  }

  @Test
  void aLevelBelowThatBeforeIsLostForAsLongAsItLasts() {
    lost.add(List.of(level("a", 100, 0.5)), 10);
    lost.add(List.of(level("a", 100, 1)), 30);

    assertThat(lost.seconds()).hasValue(5);
  }

  @Test
  void whatVariesByChanceCostsNothing() {
    lost.add(List.of(level("a", 100, 0.8)), 10);
    lost.add(List.of(level("a", 100, 1.2)), 10);

    assertThat(lost.seconds().getAsDouble()).isCloseTo(0, within(1e-9));
  }

  @Test
  void whatIsLostWhileAPlanWaitsIsNotItsCost() {
    lost.add(List.of(level("a", 100, 0.5)), 10);
    lost.waits();
    lost.waits();
    lost.add(List.of(level("a", 100, 0.5)), 3_600);
    lost.add(List.of(level("a", 100, 0.5)), 20);

    assertThat(lost.seconds()).hasValue(15);
  }

  @Test
  void oneTableDoesNotMakeUpForAnother() {
    lost.add(List.of(level("many", 900, 3), level("few", 100, 0)), 10);

    // A tenth of the requests, and one of two tables.
    assertThat(lost.seconds().getAsDouble()).isCloseTo(10 * (0.1 + 0.5) / 2, within(1e-9));
  }
}

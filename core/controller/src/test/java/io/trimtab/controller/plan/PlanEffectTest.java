package io.trimtab.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PlanEffectTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
  private static final Instant SOON = NOW.plus(Duration.ofMinutes(10));

  private static final PlanEffect PROMISED = PlanEffect.unknown(NOW).promising(0.9, 0.7, NOW);

  @Test
  void whatComesAsItWasPromisedIsBelieved() {
    assertThat(PROMISED.seen(0.7, SOON).believed()).isEqualTo(1);
    assertThat(PROMISED.seen(0.6, SOON).told()).isEmpty();
  }

  @Test
  void eachPlanThatBringsNothingIsBelievedHalfAsMuchAsTheOneBefore() {
    PlanEffect once = PROMISED.seen(0.9, SOON);
    assertThat(once.believed()).isEqualTo(0.5);
    Instant later = SOON.plus(Duration.ofMinutes(10));
    PlanEffect twice = once.promising(0.9, 0.7, SOON).seen(0.92, later);
    assertThat(twice.believed()).isBetween(0.25, 0.29);
    assertThat(twice.told()).contains("counts as 0.26 of what is predicted");
    // As much as has come of it counts.
    assertThat(PROMISED.seen(0.8, SOON).believed()).isCloseTo(0.75, within(1e-9));
  }

  @Test
  void aDisbeliefIsForgotten() {
    PlanEffect once = PROMISED.seen(0.9, SOON);
    assertThat(once.seen(0.9, SOON.plus(Duration.ofHours(2))).believed())
        .isCloseTo(0.75, within(1e-9));
    assertThat(once.seen(0.9, SOON.plus(Duration.ofHours(20))).believed()).isGreaterThan(0.99);
  }

  /** How much a full node is asked for nobody knows, and after an hour the load is another one. */
  @Test
  void whatCanNotBeComparedSaysNothing() {
    assertThat(PROMISED.seen(1, SOON).believed()).isEqualTo(1);
    PlanEffect full = PlanEffect.unknown(NOW).promising(0.99, 0.7, NOW);
    assertThat(full.seen(0.9, SOON).believed()).isEqualTo(1);
    assertThat(PROMISED.seen(0.9, NOW.plus(Duration.ofMinutes(61))).believed()).isEqualTo(1);
    assertThat(PlanEffect.unknown(NOW).promising(0.9, 0.9, NOW).seen(0.9, SOON).believed())
        .isEqualTo(1);
  }
}

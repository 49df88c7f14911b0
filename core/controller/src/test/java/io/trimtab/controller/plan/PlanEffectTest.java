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

  private static double believed(PlanEffect promised, double most) {
    return promised.compared(most, SOON).believed(SOON);
  }

  @Test
  void whatComesAsItWasPromisedIsBelieved() {
    assertThat(believed(PROMISED, 0.7)).isEqualTo(1);
    assertThat(PlanEffect.told(believed(PROMISED, 0.6))).isEmpty();
  }

  @Test
  void eachPlanThatBringsNothingIsBelievedHalfAsMuchAsTheOneBefore() {
    PlanEffect once = PROMISED.compared(0.9, SOON);
    assertThat(once.believed(SOON)).isEqualTo(0.5);
    Instant later = SOON.plus(Duration.ofMinutes(10));
    PlanEffect twice = once.promising(0.9, 0.7, SOON).compared(0.92, later);
    assertThat(twice.believed(later)).isBetween(0.25, 0.29);
    assertThat(PlanEffect.told(twice.believed(later)))
        .isEqualTo(
            "; the last plans brought less than predicted, so only 0.26 of what the next one is to"
                + " save counts, unless it adds or removes nodes");
    // As much as has come of it counts.
    assertThat(believed(PROMISED, 0.8)).isCloseTo(0.75, within(1e-9));
  }

  /** Whatever the load does afterwards. */
  @Test
  void aPromiseIsComparedOnce() {
    PlanEffect kept = PROMISED.compared(0.7, SOON);
    assertThat(kept.isOpen()).isFalse();
    assertThat(kept.compared(0.9, SOON).believed(SOON)).isEqualTo(1);
    // Nobody could compare it until the next plan was decided: it was not enough, then.
    assertThat(PROMISED.promising(0.9, 0.8, SOON).believed(SOON)).isEqualTo(0.5);
  }

  @Test
  void aDisbeliefIsForgotten() {
    PlanEffect once = PROMISED.compared(0.9, SOON);
    assertThat(once.believed(SOON.plus(Duration.ofHours(2)))).isCloseTo(0.75, within(1e-9));
    assertThat(once.believed(SOON.plus(Duration.ofHours(20)))).isGreaterThan(0.99);
    // On a host whose clock is hours behind.
    assertThat(once.believed(SOON.minus(Duration.ofHours(9)))).isEqualTo(0.5);
  }

  /** How much a full node is asked for nobody knows, and after hours the load is another one. */
  @Test
  void whatCanNotBeComparedSaysNothing() {
    assertThat(believed(PROMISED, 1)).isEqualTo(1);
    assertThat(believed(PlanEffect.unknown(NOW).promising(0.99, 0.7, NOW), 0.9)).isEqualTo(1);
    assertThat(believed(PlanEffect.unknown(NOW).promising(0.9, 0.9, NOW), 0.9)).isEqualTo(1);
    Instant late = NOW.plus(Duration.ofMinutes(121));
    assertThat(PROMISED.compared(0.9, late).believed(late)).isEqualTo(1);
  }
}

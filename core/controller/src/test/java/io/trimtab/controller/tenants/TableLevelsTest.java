package io.trimtab.controller.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableLevelsTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final Instant SOON = NOW.plus(Duration.ofMinutes(10));
  private static final Duration HORIZON = Duration.ofHours(1);

  private static final TableLevels BEFORE =
      TableLevels.NONE.after(Map.of("a", 100.0, "b", 100.0), NOW, HORIZON);

  private static Map<String, Double> lacking(TableLevels levels, double a, Instant now) {
    return levels.lacking(Map.of("a", a, "b", 100.0), now, HORIZON);
  }

  @Test
  void whatIsServedMuchLessThanBeforeAPlanLacksTheRest() {
    assertThat(lacking(BEFORE, 80, SOON)).isEmpty();
    assertThat(lacking(BEFORE, 79.9, SOON)).containsOnlyKeys("a");
    assertThat(lacking(BEFORE, 62.5, SOON)).containsExactly(Map.entry("a", 1.6));
    // It may ask for less by itself.
    assertThat(lacking(BEFORE, 10, SOON)).containsExactly(Map.entry("a", 2.0));
    assertThat(lacking(BEFORE, 0, SOON)).isEmpty();
  }

  @Test
  void itIsForgottenWhenALoadIsNoLongerCountedOn() {
    assertThat(lacking(BEFORE, 50, NOW.plus(HORIZON).minusSeconds(1))).isNotEmpty();
    assertThat(lacking(BEFORE, 50, NOW.plus(HORIZON))).isEmpty();
  }

  @Test
  void theNextPlanDoesNotMakeForgottenWhatTheOneBeforeHasTaken() {
    TableLevels next = BEFORE.after(Map.of("a", 50.0, "b", 120.0, "c", 7.0), SOON, HORIZON);

    // Half of what it lacks is believed after a plan that was made for it.
    assertThat(next.all())
        .containsExactlyInAnyOrder(
            new TableLevels.Level("a", Math.sqrt(100 * 50), NOW),
            new TableLevels.Level("b", 120, SOON),
            new TableLevels.Level("c", 7, SOON));
    Instant late = NOW.plus(HORIZON);
    assertThat(next.after(Map.of("a", 50.0), late, HORIZON).all())
        .containsExactly(new TableLevels.Level("a", 50, late));
  }

  @Test
  void whatIsLessByLittleStaysAsItWas() {
    assertThat(BEFORE.after(Map.of("a", 90.0), SOON, HORIZON).all())
        .containsExactly(new TableLevels.Level("a", 100, NOW));
  }

  @Test
  void aTableThatHardlyAnybodyAsksForSaysNothing() {
    TableLevels little = TableLevels.NONE.after(Map.of("meta", 0.5), NOW, HORIZON);

    assertThat(little.lacking(Map.of("meta", 0.2), SOON, HORIZON)).isEmpty();
  }

  @Test
  void ofManyTheWorstAreTold() {
    Map<String, Double> many = Map.of("a", 1.5, "b", 2.0, "c", 1.3, "d", 1.4, "e", 1.25);

    assertThat(TableLevels.told(many))
        .contains("(b: 0.50 of it, a: 0.67 of it, d: 0.71 of it and 2 more)");
  }

  @Test
  void itIsTold() {
    assertThat(TableLevels.told(Map.of())).isEmpty();
    assertThat(TableLevels.told(lacking(BEFORE, 50, SOON)))
        .isEqualTo(
            "; on full nodes tables are served less than before the last plans (a: 0.50 of it), so"
                + " these nodes are taken to be asked for more than they serve");
  }
}

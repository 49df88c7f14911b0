package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.outlook.RateSeries;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What is expected of the load decides, and is told. */
public class ForeseenTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  /** Of table t, whenever one looks. */
  static Ahead foreseen(double factor) {
    Outlook rising = new Outlook(factor, factor, factor, "it goes on", Optional.empty());
    return new Ahead(within -> Map.of("t", rising), Optional.empty(), Optional.empty());
  }

  /** What is foreseen of a table that is asked for half as much since two minutes. */
  public static Ahead fallen(String table) {
    RateSeries series = RateSeries.of(Duration.ofMinutes(5), 4_320);
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    for (int i = 0; i < 724; i++) {
      series = series.with(begin.plusSeconds(30L * i), i < 720 ? 1_000 : 500);
    }
    RateSeries seen = series;
    return new Ahead(
        within -> Map.of(table, Outlook.of(seen, within)), Optional.empty(), Optional.empty());
  }

  private static Decision decide(Observation.Usable seen, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
  }

  private static String summary(Observation.Usable seen) {
    Decision decision = decide(seen, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan().summary();
  }

  /** Two nodes that are used to six tenths each. */
  private static Observation.Usable well() throws Exception {
    TableSpec even = TableSpec.of("t", 12, 64 << 20, Access.reads(15_000));
    return AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 2, even));
  }

  @Test
  void aLoadThatHasFallenIsNotPlannedForOnceMore() throws Exception {
    Decision decision = decide(well().with(fallen("t")), SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("health.high");
  }

  /** Half as much again, from half an hour on. */
  private static Ahead inHalfAnHour() {
    Outlook rising = new Outlook(1.5, 1.6, 1.7, "yesterday", Optional.empty());
    Outlook stays = new Outlook(0.9, 1, 1.1, "it is now", Optional.empty());
    return new Ahead(
        within -> Map.of("t", within.compareTo(Duration.ofMinutes(30)) >= 0 ? rising : stays),
        Optional.empty(),
        Optional.empty());
  }

  private static Optional<NodeCapacity> booting(Duration boot) {
    return Optional.of(
        new NodeCapacity(9, OptionalInt.empty(), OptionalDouble.empty(), Optional.of(boot)));
  }

  @Test
  void aRiseIsActedOnAsFarAheadAsANodeTakes() throws Exception {
    Observation.Usable seen = well().with(inHalfAnHour());
    Settings farSighted =
        SETTINGS.with(new ChoiceSettings(Duration.ofDays(1), null, null, null, null, null));

    assertThat(decide(seen.withOffer(booting(Duration.ofMinutes(2))), SETTINGS))
        .isInstanceOf(Decision.Hold.class);
    assertThat(decide(seen, farSighted)).isInstanceOf(Decision.Hold.class);
    // 10 minutes of guard.cooldown, and the boot.
    assertThat(summary(seen.withOffer(booting(Duration.ofMinutes(25)))))
        .contains(
            "; within 35 min table t is expected to be asked for 1.50 to 1.70 times as much,"
                + " as yesterday");
  }

  @Test
  void whatTheLastNodeTookCountsMoreThanWhatItsProviderTells() throws Exception {
    Observation.Usable seen = well().withOffer(booting(Duration.ofMinutes(2)));
    Ahead slow = inHalfAnHour().having(Optional.of(Duration.ofMinutes(25)));

    assertThat(summary(seen.with(slow))).contains("; within 35 min table t");
  }

  @Test
  void whereNothingCanBeForeseenItIsToldUntilWhen() throws Exception {
    Outlook unknown = new Outlook(0.74, 1, 1.35, "it is now", Optional.of(Duration.ofMinutes(90)));
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());

    assertThat(
            summary(
                seen.with(
                    new Ahead(within -> Map.of("t", unknown), Optional.empty(), Optional.empty()))))
        .contains("; of 1 table nothing can be foreseen until 90 min of load are recorded");
  }

  /** Six nodes of which most are not needed. */
  private static Observation.Usable idle() throws Exception {
    TableSpec little = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    return AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, little));
  }

  /** Of nothing there is no multiple. */
  @Test
  void ofATableThatHardlyIsAskedForWhatComesIsCountedAllTheSame() throws Exception {
    TableSpec next = TableSpec.of("t", 24, 64 << 20, Access.reads(0));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, next));
    Outlook peak = new Outlook(0.9, 30_000, 40_000, "yesterday", Optional.empty());
    Ahead rising = new Ahead(within -> Map.of("t", peak), Optional.empty(), Optional.empty());

    assertThat(decide(seen, SETTINGS)).isInstanceOf(Decision.Act.class);
    Decision decision = decide(seen.with(rising), SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(decision.weighed()).isEmpty();
  }

  private static Ahead lasting(Duration time) {
    return new Ahead(within -> Map.of(), Optional.of(time), Optional.empty());
  }

  private static double gainOfRemoving(Observation.Usable seen) {
    return decide(seen, SETTINGS).weighed().stream()
        .filter(alternative -> alternative.title().equals("remove a node"))
        .mapToDouble(Alternative::gain)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsSavedIsCountedAsLongAsLoadsLast() throws Exception {
    Observation.Usable seen = idle();
    double hour = gainOfRemoving(seen);

    assertThat(hour).isBetween(15.0 * 60, 3_600.0);
    assertThat(gainOfRemoving(seen.with(lasting(Duration.ofMinutes(15))))).isLessThan(15 * 60);
    assertThat(gainOfRemoving(seen.with(lasting(Duration.ofHours(5))))).isEqualTo(hour);
    assertThat(summary(seen.with(lasting(Duration.ofMinutes(15)))))
        .contains("; counted over 15 min, as long as loads last here");
    assertThat(summary(seen)).doesNotContain("counted over");
  }

  @Test
  void noLoadIsExpectedToLastLessThanCanBeTold() {
    ChoiceSettings defaults = SETTINGS.choice();

    assertThat(lasting(Duration.ofMinutes(5)).horizon(defaults)).isEqualTo(Duration.ofMinutes(10));
    assertThat(lasting(Duration.ofMinutes(40)).horizon(defaults)).isEqualTo(Duration.ofMinutes(40));
    assertThat(Ahead.NONE.horizon(defaults)).isEqualTo(defaults.horizon());
  }

  /** As where the load of tables changes places. */
  @Test
  void ofALoadThatMayRiseLaterNothingIsGivenUp() throws Exception {
    Observation.Usable seen = idle();
    Outlook peak = new Outlook(0.9, 4, 18, "a week ago", Optional.empty());
    Ahead rising = new Ahead(within -> Map.of("t", peak), Optional.empty(), Optional.empty());
    Decision decision = decide(seen.with(rising), SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .contains("; within 60 min table t is expected to be asked for 0.90 to 18.00 times")
        .endsWith("as a week ago");
  }
}

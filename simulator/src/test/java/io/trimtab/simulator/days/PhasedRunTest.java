package io.trimtab.simulator.days;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PhasedRunTest {
  private static final Duration BEFORE = Duration.ofMinutes(4);
  private static final Duration AFTER = Duration.ofMinutes(12);
  private static final Duration LEVEL = Duration.ofSeconds(60);
  private static final ClosedBed.Load READS = load(1, 0);
  private static final ClosedBed.Load WRITES = load(0, 1);

  private static ClosedBed.Load load(double reads, double writes) {
    return new ClosedBed.Load(10, reads, 0, 0, writes, 0, Double.POSITIVE_INFINITY, 0.5, 0.5);
  }

  /** Four small tables, all on the first of two nodes. */
  private static ClosedBed bed(ClosedBed.Phase... phases) {
    List<ClosedBed.Tenant> tenants =
        List.of("a", "b", "c", "d").stream()
            .map(table -> new ClosedBed.Tenant(table, 1_000_000, 1_000, 32 << 10, List.of(0)))
            .toList();
    return new ClosedBed(2, 300 << 20, 150, tenants, List.of(phases));
  }

  private static ClosedBed.Phase phase(String title, Duration time, ClosedBed.Load a) {
    return new ClosedBed.Phase(title, time, Map.of("a", a, "b", READS, "c", READS, "d", READS));
  }

  private static Settings settings() {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(4).build())
        .with(
            GuardSettings.builder()
                .minNodes(2)
                .maxNodes(2)
                .cooldown(Duration.ofSeconds(60))
                .build())
        .with(Policies.AUTOPILOT);
  }

  @Test
  void aClusterThatIsLeftAloneHasWhatItsNodeCanDo() throws Exception {
    PhasedResult result =
        PhasedRun.run(
            bed(phase("before", BEFORE, READS), phase("after", BEFORE, WRITES)),
            1,
            Optional.empty(),
            LEVEL);

    assertThat(result.phases())
        .extracting(PhasedResult.Phase::title)
        .containsExactly("before", "after");
    // A read takes 0.2 ms of a full node.
    assertThat(result.phases().get(0).perSecond())
        .hasSize(4)
        .allSatisfy((table, rate) -> assertThat(rate).isCloseTo(1_250, within(15.0)));
    // With forty at a full node each waits forty times as long as it is served: 0.4 ms of a write.
    Map<String, Double> written = result.phases().get(1).perSecond();
    assertThat(written.get("a")).isCloseTo(10 / (40 * 0.4e-3), within(8.0));
    assertThat(written.get("b")).isCloseTo(10 / (40 * 0.2e-3), within(15.0));
    assertThat(result.phases()).allMatch(p -> p.plans() == 0 && p.moves() == 0);
    assertThat(result.afterFirstPlan()).isEmpty();
  }

  @Test
  void aPolicyWatchesFirstAndThenMakesItBetter() throws Exception {
    ClosedBed bed = bed(phase("before", BEFORE, READS), phase("after", AFTER, READS));
    PhasedResult result = PhasedRun.run(bed, 1, Optional.of(settings()), LEVEL);

    PhasedResult.Phase before = result.phases().get(0);
    PhasedResult.Phase after = result.phases().get(1);
    assertThat(before.moves()).isZero();
    assertThat(PhasedResult.level(before.perSecond())).isCloseTo(1_250, within(15.0));
    assertThat(after.plans()).isPositive();
    assertThat(after.moves()).isPositive();
    assertThat(PhasedResult.level(after.perSecond())).isGreaterThan(1.3 * 1_250);
    assertThat(PhasedResult.level(result.afterFirstPlan())).isGreaterThan(1.2 * 1_250);
  }

  @Test
  void theSameArgumentsGiveTheSame() throws Exception {
    ClosedBed bed = bed(phase("before", BEFORE, READS), phase("after", AFTER, WRITES));

    assertThat(PhasedRun.run(bed, 3, Optional.of(settings()), LEVEL))
        .isEqualTo(PhasedRun.run(bed, 3, Optional.of(settings()), LEVEL));
  }

  @Test
  void theLevelIsTheGeometricMean() {
    assertThat(PhasedResult.level(Map.of("a", 100.0, "b", 400.0))).isCloseTo(200, within(1e-9));
  }

  @Test
  void aBedThatIsNotWholeIsRefused() {
    ClosedBed.Phase all = phase("before", BEFORE, READS);
    ClosedBed.Phase some = new ClosedBed.Phase("after", BEFORE, Map.of("a", READS));

    assertThatThrownBy(() -> bed(all, some)).hasMessageContaining("phase after");
    assertThatThrownBy(() -> bed(all)).hasMessageContaining("one more");
    ClosedBed.Tenant nowhere = new ClosedBed.Tenant("a", 1, 1, 1, List.of(2));
    assertThatThrownBy(() -> new ClosedBed(2, 1, 1, List.of(nowhere), List.of(all, all)))
        .hasMessageContaining("no such node");
  }
}

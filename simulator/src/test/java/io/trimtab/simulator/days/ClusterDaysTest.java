package io.trimtab.simulator.days;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterDaysTest {
  private static final Duration HOURS = Duration.ofHours(4);

  private static Optional<Settings> tiramola() {
    return Optional.of(Settings.defaults().with(Policies.TIRAMOLA));
  }

  @Test
  void aClusterThatIsLeftAloneIsAsUsedAsItsLoadSays() throws Exception {
    // 20,000 reads a second, 80 µs each, are more than one node can do.
    TableSpec one = TableSpec.of("t", 1, 1 << 20, Access.reads(20_000));
    DayResult result = ClusterDays.run(ClusterSpec.assigned(1, 3, one), Optional.empty(), HOURS);

    assertThat(result.nodeHours()).isCloseTo(12, within(0.01));
    assertThat(result.overloadedMinutes()).isCloseTo(240, within(1.0));
    assertThat(result.served()).isCloseTo(1 / 1.6, within(0.01));
    assertThat(result.plans()).isZero();
  }

  @Test
  void aPolicyIsInChargeAndWhatItDoesIsCounted() throws Exception {
    TableSpec many = TableSpec.of("t", 20, 1 << 20, Access.reads(20_000));
    ClusterSpec spec = ClusterSpec.assigned(1, 1, many);
    DayResult alone = ClusterDays.run(spec, Optional.empty(), HOURS);
    DayResult result = ClusterDays.run(spec, tiramola(), HOURS);

    assertThat(alone.overloadedMinutes()).isCloseTo(240, within(1.0));
    assertThat(result.resized()).isPositive();
    assertThat(result.moves()).isPositive();
    assertThat(result.movedBytes()).isPositive();
    assertThat(result.overloadedMinutes()).isLessThan(30);
    assertThat(result.nodeHours()).isGreaterThan(alone.nodeHours());
  }

  @Test
  void theSameSeedGivesTheSame() throws Exception {
    for (long seed = 1; seed <= 2; seed++) {
      ClusterSpec spec = DayClusters.spec(seed);
      DayResult first = ClusterDays.run(spec, tiramola(), HOURS);
      DayResult again = ClusterDays.run(DayClusters.spec(seed), tiramola(), HOURS);
      assertThat(again).usingRecursiveComparison().ignoringFields("decisionMs").isEqualTo(first);
    }
  }
}

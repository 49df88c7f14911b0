package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.NodeCapacity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RunWarningTest {
  @Test
  void actingWithTheBalancerRestoredBetweenPlansIsWarnedOf() {
    Settings restored = Settings.defaults().with(BalancerMode.RESTORE);

    assertThat(RunCommand.warnings(true, restored))
        .singleElement()
        .satisfies(
            line -> assertThat(line).startsWith("warning: balancer: restore").doesNotContain("\n"));
    assertThat(RunCommand.warnings(false, restored)).isEmpty();
    assertThat(RunCommand.warnings(true, Settings.defaults())).isEmpty();
  }

  @Test
  void anAgreementThatThePolicyDoesNotKeepIsWarnedOf() {
    Settings agreed =
        Settings.defaults()
            .with(SloSettings.builder().sla("shop.yaml").tables(List.of("zipf.csv")).build());

    Settings met = agreed.with(Policies.ALL.named("met"));
    String warning =
        "warning: slo.sla is set, but policy: met keeps no agreement; policy: autopilot and slo do";
    assertThat(RunCommand.warnings(false, met)).containsExactly(warning);
    assertThat(RunCommand.warnings(false, agreed)).isEmpty();
    assertThat(RunCommand.warnings(false, agreed.with(Policies.ALL.named("slo")))).isEmpty();
    assertThat(RunCommand.warnings(true, met.with(BalancerMode.RESTORE)))
        .as("one warning hides no other")
        .hasSize(2)
        .contains(warning);
  }

  private static NodeCapacity booting(Duration boot) {
    return new NodeCapacity(
        1, OptionalInt.empty(), OptionalDouble.empty(), Optional.ofNullable(boot));
  }

  @Test
  void nodesThatBootLongerThanCountsAreWarnedOf() {
    assertThat(RunCommand.warning(booting(Duration.ofMinutes(45)), Settings.defaults()))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .contains("boots in about 45 min", "choice.horizon (60 min)")
                    .doesNotContain("\n"));
    assertThat(RunCommand.warning(booting(Duration.ofMinutes(30)), Settings.defaults())).isEmpty();
    assertThat(RunCommand.warning(booting(null), Settings.defaults())).isEmpty();
  }
}

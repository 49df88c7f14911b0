package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.Settings;
import org.junit.jupiter.api.Test;

class RunWarningTest {
  @Test
  void actingWithTheBalancerRestoredBetweenPlansIsWarnedOf() {
    Settings restored = Settings.defaults().with(BalancerMode.RESTORE);

    assertThat(RunCommand.warning(true, restored).orElseThrow())
        .startsWith("warning: balancer: restore")
        .doesNotContain("\n");
    assertThat(RunCommand.warning(false, restored)).isEmpty();
    assertThat(RunCommand.warning(true, Settings.defaults())).isEmpty();
  }
}

package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.OperatorRelease;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person orders is told from what the autopilot does. */
class OperatorCommandsTest extends SafetyFixture {
  private static final String HOME = "trimtab.home";

  @TempDir Path home;
  private String before;

  @BeforeEach
  void set() {
    before = System.getProperty(HOME);
    System.setProperty(HOME, home.toString());
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, before);
    }
  }

  private List<Entry.Took> took() throws Exception {
    return StateDir.of(cluster.engine().snapshot().clusterId()).journals().acted().stream()
        .filter(Entry.Took.class::isInstance)
        .map(Entry.Took.class::cast)
        .toList();
  }

  @Test
  void aReleaseClaimsNeitherPolicyNorSettings() throws Exception {
    OperatorRelease.release(
        cluster.engine(), Optional.empty(), false, LoopListener.SILENT, SystemPorts.ports());

    assertThat(took())
        .singleElement()
        .satisfies(
            took -> {
              assertThat(took.command()).isEqualTo("release");
              assertThat(took.policy()).isEmpty();
              assertThat(took.settings()).isEmpty();
            });
  }

  @Test
  void anOrderedPlanNamesItsCommandAndTheSettingsThatLimitIt() throws Exception {
    Plan plan = plan();
    // The guard refuses it: the cluster's virtual time is not that of this machine.
    assertThatThrownBy(
            () ->
                OperatorPlan.carryOut(
                    new LoopContext(
                        cluster.engine(),
                        Optional.empty(),
                        Settings.defaults(),
                        LoopListener.SILENT,
                        SystemPorts.ports(),
                        FaultPoints.NONE),
                    "split apply",
                    new Decision.Act(plan, PolicyState.INITIAL),
                    UnaryOperator.identity(),
                    () -> false))
        .isInstanceOf(EngineException.class);

    assertThat(took())
        .singleElement()
        .satisfies(
            took -> {
              assertThat(took.command()).isEqualTo("split apply");
              assertThat(took.policy()).isEmpty();
              assertThat(took.settings()).contains("maxMoves: 500");
            });
  }
}

package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.UnreadableStateException;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A standby is for the moment when something is wrong: it does not end with the first error. */
class StandbyTest extends SafetyFixture {
  private final List<String> waits = new ArrayList<>();

  private final LoopListener listener =
      new LoopListener() {
        @Override
        public void waiting(String why) {
          waits.add(why);
        }

        @Override
        public void planEnded(Plan plan, PlanOutcome outcome, String why) {
          cluster.control().requestStop("test");
        }
      };

  private Optional<io.trimtab.runtime.Executor.Outcome> standBy() throws EngineException {
    return new ControlLoop(
            cluster.engine(),
            Optional.empty(),
            settings,
            listener,
            ports(elsewhere),
            FaultPoints.NONE)
        .run(true, 0, false, true);
  }

  private void failTwice() {
    cluster.faults().on(Verb.TAKE_CONTROL, 1, Kind.FAIL);
    cluster.faults().on(Verb.TAKE_CONTROL, 2, Kind.FAIL);
  }

  @Test
  void aDatabaseThatIsAwayIsWaitedForAndToldOnce() throws Exception {
    Plan plan = leave(here);
    failTwice();

    assertThat(standBy().orElseThrow().done()).isTrue();
    assertMoved(plan);
    assertThat(waits).containsExactly("the lock can't be taken: scripted fault");
  }

  @Test
  void withoutStandbyItIsAnError() throws Exception {
    leave(here);
    failTwice();
    assertThatThrownBy(() -> run(elsewhere, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("scripted fault");
  }

  @Test
  void whatCantBeReadIsNotMendedByWaiting() throws Exception {
    leave(here);
    cluster.control().overwrite("plan", "{\"format\":9}".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(this::standBy).isInstanceOf(UnreadableStateException.class);
    try (ControlLock next = cluster.engine().takeControl("next")) {
      assertThat(next.held()).isTrue();
    }
  }
}

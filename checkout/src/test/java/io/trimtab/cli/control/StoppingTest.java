package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.Terminal;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.testkit.control.MemoryControl;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StoppingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String LEFT_OPEN =
      "plan grow is left open, 0 of 1 actions have ended; a node goes on joining inside the"
          + " database; the next `trimtab run --act` continues it";
  private static final String UNDO = "to undo it instead: trimtab release --abandon";

  private final MemoryControl control = new MemoryControl(Clock.fixed(NOW, ZoneOffset.UTC));
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path home;

  @BeforeEach
  void home() {
    System.setProperty("trimtab.home", home.toString());
  }

  @AfterEach
  void noHome() {
    System.clearProperty("trimtab.home");
  }

  private Stopping stopping(Duration wait, boolean undo) {
    return new Stopping(new Terminal(out, err, false, false, false), wait, undo, "an operator");
  }

  /** A controller during a plan that adds a node. */
  private Tenure growing(ClusterState state) throws EngineException {
    ControlLock lock = control.take("somebody");
    Tenure tenure =
        Tenure.begin(
            lock,
            control,
            state,
            new Entry.Took(NOW, lock.epoch(), lock.holder(), "1", "", "", ""));
    Action add = new Action.AddNode(1, Profile.HOMOGENEOUS);
    PlannedAction planned = new PlannedAction(1, add, "", "", "", "");
    Plan plan = new Plan("grow", "c", NOW, "test", "", 1, List.of(planned));
    tenure.record(
        new Entry.PlanStarted(NOW, plan, new BalancerState(true, true), PolicyState.INITIAL));
    tenure.record(new Entry.ActionStarted(NOW, 1));
    return tenure;
  }

  /** The cluster's; the controller in charge ends when somebody has looked for it some times. */
  private ControlAccess access(Tenure tenure) {
    int[] looks = new int[1];
    SharedState shared =
        new SharedState() {
          @Override
          public Optional<byte[]> read(String document) throws EngineException {
            return control.read(document);
          }

          @Override
          public Optional<Holder> holder() throws EngineException {
            if (++looks[0] == 3 && tenure != null) {
              tenure.close();
            }
            return control.holder();
          }

          @Override
          public void requestStop(String by) throws EngineException {
            control.requestStop(by);
          }

          @Override
          public Set<String> stopRequests() throws EngineException {
            return control.stopRequests();
          }
        };
    return new ControlAccess() {
      @Override
      public String clusterId() {
        return "c";
      }

      @Override
      public SharedState shared() {
        return shared;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void whatIsTidiedAndWhatGoesOnIsSaid() throws Exception {
    Tenure tenure = growing(new MemoryState());

    assertThat(stopping(Duration.ofSeconds(30), false).throughCluster(access(tenure))).isTrue();

    assertThat(err.toString())
        .contains("to stop, 0 s: tidying up after plan grow: 0 of 1 actions have ended, add-node");
    assertThat(out.toString()).contains("has ended\n", LEFT_OPEN + "\n", UNDO + "\n");
  }

  @Test
  void withNobodyInChargeTheCommandThatUndoesIsSaid() throws Exception {
    growing(new MemoryState()).close();

    assertThat(stopping(Duration.ofSeconds(30), true).throughCluster(access(null))).isTrue();

    assertThat(out.toString())
        .contains("no autopilot is in charge", "begun and not ended: add-node new-1", UNDO);
  }

  @Test
  void withNothingLeftThereIsNothingToUndo() throws Exception {
    stopping(Duration.ofSeconds(30), true).throughCluster(access(null));

    assertThat(out.toString()).contains("there is nothing to undo").doesNotContain(UNDO);
  }

  @Test
  void aRequestThroughTheClusterIsAlsoPutBesideTheControllersOfThisMachine() throws Exception {
    StateDir state = StateDir.of("c");
    state.register();

    assertThat(stopping(Duration.ZERO, true).throughCluster(access(null))).isFalse();

    assertThat(control.stopRequests()).hasSize(1);
    assertThat(state.undoAsked()).isTrue();
    assertThat(out.toString()).contains("not ended yet: process ");
    state.unregister();
  }

  @Test
  void withoutTheClusterTheJournalTells() throws Exception {
    StateDir state = StateDir.of("c");
    state.register();
    try (Tenure tenure = growing(state)) {
      tenure.record(new Entry.ActionEnded(NOW, 1, ActionOutcome.FAILED, ""));

      assertThat(stopping(Duration.ofMillis(300), false).here(List.of(StateDir.of("c")))).isFalse();

      assertThat(err.toString())
          .contains("stopping the autopilot of cluster c, 0 s: tidying up after step 1, failed");
      assertThat(out.toString()).contains("is still shutting down");
    }
    Thread ending =
        new Thread(
            () -> {
              while (!state.undoAsked()) {
                Thread.onSpinWait();
              }
              state.unregister();
            });
    ending.start();
    assertThat(stopping(Duration.ofSeconds(30), true).here(List.of(StateDir.of("c")))).isTrue();
    ending.join();
    assertThat(out.toString()).contains("has ended\n", "cluster c: " + LEFT_OPEN, UNDO);
  }

  @Test
  void undoingWithNobodyHereSaysTheCommandToo() throws Exception {
    StateDir state = StateDir.of("c");
    growing(state).close();

    assertThat(stopping(Duration.ofSeconds(30), true).here(List.of(state))).isTrue();

    assertThat(out.toString()).contains("no autopilot is running here", UNDO);
  }
}

package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorRelease;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.BalancerPause;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.WatchedStore;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a controller held is given back, by it or by a person; what could not be is told. */
class ReleaseTest extends SafetyFixture {
  private static final BalancerState ON = new BalancerState(true, true);

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private FaultPoints killed(String at) {
    return point -> {
      if (point.equals(at)) {
        cluster.control().lose();
        throw new Killed();
      }
    };
  }

  private void isKilledInItsPlan() throws Exception {
    NodeId drained = cluster.engine().snapshot().nodes().get(0).id();
    leave(here, plan(new Action.DrainNode(drained), new Action.SetBlockSize("t", 65536, 8192)));
    assertThatThrownBy(() -> run(here, killed("action-ended-1"))).isInstanceOf(Killed.class);
    assertThat(cluster.truth().balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(cluster.truth().node(drained).orElseThrow().draining()).isTrue();
  }

  private Optional<BalancerState> release(boolean abandon) throws EngineException {
    return OperatorRelease.release(
        cluster.engine(),
        Optional.of(cluster.provider()),
        abandon,
        LoopListener.SILENT,
        ports(elsewhere));
  }

  private void assertWhole() throws EngineException {
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
    assertThat(cluster.truth().nodes()).noneMatch(node -> node.draining());
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
    assertThat(ControlDocuments.keptOff(cluster.control())).isEmpty();
  }

  @Test
  void anOpenPlanIsTidiedUpAndTheBalancerGivenBack() throws Exception {
    settings = settings.with(BalancerMode.RESTORE);
    isKilledInItsPlan();
    assertThat(ControlDocuments.keptOff(cluster.control())).contains(ON);
    assertThatThrownBy(() -> release(false))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("trimtab release --abandon");

    assertThat(release(true)).contains(ON);

    assertWhole();
  }

  @Test
  void soItIsWhereTheBalancerIsHeld() throws Exception {
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      BalancerPause pause =
          new BalancerPause(
              cluster.engine(), Duration.ofMinutes(1), () -> false, what -> {}, ports(here));
      new BalancerHold(cluster.engine(), tenure, true, pause, ports(here))
          .engage(cluster.engine().snapshot());
    }
    isKilledInItsPlan();

    assertThat(release(true)).contains(ON);

    assertWhole();
  }

  /** Whoever is told that it stays off would look for what is wrong with it. */
  @Test
  void thatItIsGivenBackDoesNotDependOnTheJournal() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    MemoryState home =
        new MemoryState() {
          @Override
          protected JournalStore store(long epoch) {
            return new WatchedStore(
                () -> {
                  if (full.get()) {
                    throw new UserError("journal: can't be written: No space left on device");
                  }
                });
          }
        };
    try (Tenure tenure = TestTenure.of(cluster.engine(), home)) {
      BalancerPause pause =
          new BalancerPause(
              cluster.engine(), Duration.ofMinutes(1), () -> false, what -> {}, ports(home));
      BalancerHold hold = new BalancerHold(cluster.engine(), tenure, true, pause, ports(home));
      hold.engage(cluster.engine().snapshot());
      full.set(true);

      hold.release();

      assertThat(hold.original(BalancerState.PAUSED))
          .as("held no more")
          .isEqualTo(BalancerState.PAUSED);
    }
    assertWhole();
  }

  @Test
  void aReleaseThatFailsSaysSo() throws Exception {
    settings = settings.with(BalancerMode.RESTORE);
    isKilledInItsPlan();
    cluster.faults().always(Verb.SET_BALANCER, Kind.FAIL);

    assertThatThrownBy(() -> release(true))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("clean-up failed");
    cluster.faults().clear();

    assertThat(release(true)).contains(ON);
    assertWhole();
  }

  @Test
  void aPlanThatIsAbandonedOnRequestCountsAsOne() throws Exception {
    leave(here);

    Optional<Executor.Outcome> outcome = loop(here, FaultPoints.NONE).run(true, 1, true);

    assertThat(outcome).as("nothing went wrong").isEmpty();
    assertThat(ended).containsExactly("abandoned: --abandon was given");
    assertThat(held).as("it has not gone on").isEmpty();
  }

  /** At its end the balancer can't be switched on again. */
  @Test
  void aBalancerThatCannotBeGivenBackIsTold() throws Exception {
    leave(here);
    run(here, FaultPoints.NONE);
    ended.clear();
    // Holds the balancer, since there was a plan, and ends at the first reason for doing nothing.
    cluster.faults().on(Verb.SET_BALANCER, 2, Kind.FAIL).on(Verb.SET_BALANCER, 3, Kind.FAIL);
    Optional<Executor.Outcome> outcome = run(here, FaultPoints.NONE);

    assertThat(outcome.orElseThrow().how()).isEqualTo(PlanOutcome.UNFINISHED);
    assertThat(outcome.orElseThrow().why())
        .contains("balancing stays off", "scripted fault", "trimtab release");
    assertThat(ControlDocuments.keptOff(cluster.control())).contains(ON);
    assertThat(here.recorded().get(here.recorded().size() - 1))
        .isInstanceOfSatisfying(
            Entry.Held.class, told -> assertThat(told.reason()).contains("stays off"));

    cluster.faults().clear();
    assertThat(release(false)).contains(ON);
    assertWhole();
  }
}

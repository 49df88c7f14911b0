package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.UnreadableStateException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.testkit.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Taking control, giving it up, and what is held meanwhile. */
class ControlTest extends SafetyFixture {
  private static final BalancerState ON = new BalancerState(true, true);

  @Test
  void aStopRequestThroughTheClusterEndsAPlanAndThoseThatWait() throws Exception {
    leave(here);
    run(
        here,
        point -> {
          if (point.equals("action-ended-2")) {
            cluster.control().requestStop("an operator on another host, undo");
          }
        });
    String why = "a stop was requested by an operator on another host";
    assertThat(ended).containsExactly("stopped: " + why);
    assertThat(here.recorded())
        .filteredOn(Entry.PlanEnded.class::isInstance)
        .extracting(e -> ((Entry.PlanEnded) e).why())
        .containsExactly(why);
    assertThat(moves()).isEqualTo(2);

    // One that begins later is not meant.
    Plan plan = leave(here);
    run(elsewhere, FaultPoints.NONE);
    assertThat(ended).last().asString().startsWith("done");
    assertMoved(plan);
  }

  @Test
  void theJournalSaysWhichCommandTookControl() throws Exception {
    leave(here);
    run(elsewhere, FaultPoints.NONE);

    assertThat(elsewhere.recorded().get(0))
        .isInstanceOfSatisfying(
            Entry.Took.class,
            took -> {
              assertThat(took.command()).isEqualTo("run");
              assertThat(took.policy()).isEqualTo("tiramola");
            });
  }

  @Test
  void aStandbyWaitsTakesOverAndEndsWhenAsked() throws Exception {
    Plan plan = leave(here);
    ControlLock other = cluster.engine().takeControl("other");
    assertThatThrownBy(() -> run(elsewhere, FaultPoints.NONE))
        .isInstanceOf(ControlTakenException.class)
        .hasMessageContaining("other");

    int[] waits = new int[1];
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void waiting(String why) {
            waits[0]++;
            other.close();
          }

          @Override
          public void planEnded(
              Plan ended, io.trimtab.runtime.journal.PlanOutcome outcome, String why) {
            cluster.control().requestStop("test");
          }
        };
    loop[0] = controller(listener);
    assertThat(loop[0].run(true, 0, false, true).orElseThrow().done()).isTrue();
    assertThat(waits[0]).isEqualTo(1);
    assertMoved(plan);

    try (ControlLock again = cluster.engine().takeControl("other")) {
      assertThat(again.held()).isTrue();
      LoopListener stopping =
          new LoopListener() {
            @Override
            public void waiting(String why) {
              cluster.control().requestStop("test");
            }
          };
      assertThat(controller(stopping).run(true, 0, false, true)).isEmpty();
    }
  }

  /** Its host may have been lost a moment ago, or it may run: only time tells. */
  @Test
  void withoutStandbyASilentHoldersLockIsWaitedForOnce() throws Exception {
    Plan plan = leave(here);
    cluster.engine().takeControl("on a lost host");
    cluster.control().cutOff();
    List<String> told = new ArrayList<>();
    LoopListener listener =
        new LoopListener() {
          @Override
          public void watching(String holder, Duration most) {
            told.add(holder + ", " + most.toSeconds() + " s");
          }

          @Override
          public void planned(Plan resumed, boolean act) {
            told.add("resumes " + resumed.id() + " after " + since().toSeconds() + " s");
          }
        };
    assertThat(controller(listener).run(true, 1, false).orElseThrow().done()).isTrue();
    assertMoved(plan);
    assertThat(told).hasSize(2);
    assertThat(told.get(0)).startsWith("on a lost host (").endsWith(", 12 s");
    assertThat(told.get(1)).isEqualTo("resumes " + plan.id() + " after 12 s");
  }

  @Test
  void aHolderThatStaysIsNotWaitedForLongerThanALease() throws Exception {
    leave(here);
    try (ControlLock other = cluster.engine().takeControl("other")) {
      assertThatThrownBy(() -> run(elsewhere, FaultPoints.NONE))
          .isInstanceOf(ControlTakenException.class)
          .hasMessageContaining("other");
      assertThat(since()).isBetween(Duration.ofSeconds(12), Duration.ofSeconds(15));
      assertThat(other.held()).isTrue();
    }
    assertThat(moves()).isZero();
  }

  /** As an engine says that has seen a sign of life since its first look. */
  @Test
  void aHolderThatIsSeenToLiveIsNotWaitedFor() throws Exception {
    leave(here);
    cluster.control().seenAliveAfter(Duration.ofSeconds(3));
    try (ControlLock other = cluster.engine().takeControl("other")) {
      assertThatThrownBy(() -> run(elsewhere, FaultPoints.NONE))
          .isInstanceOf(ControlTakenException.class);
      assertThat(since()).isEqualTo(Duration.ofSeconds(3));
      assertThat(other.held()).isTrue();
    }
  }

  private Duration since() {
    return Duration.between(VirtualClock.START, cluster.clock().instant());
  }

  private ControlLoop controller(LoopListener listener) {
    Ports ports = ports(elsewhere);
    return new ControlLoop(
        cluster.engine(), Optional.empty(), settings, listener, ports, FaultPoints.NONE);
  }

  @Test
  void theBalancerIsHeldBetweenPlansWatchedAndGivenBack() throws Exception {
    leave(here);
    run(here, FaultPoints.NONE);
    int[] samples = new int[1];
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void sampled(int of, int needed) {
            assertThat(balancer()).isEqualTo(BalancerState.PAUSED);
            if (++samples[0] == 3) {
              balancer(ON);
            } else if (samples[0] == 6) {
              loop[0].stop();
            }
          }
        };
    loop[0] = controller(listener);
    loop[0].run(true, 0, false);

    assertThat(balancer()).isEqualTo(ON);
    assertThat(ControlDocuments.hold(cluster.control())).isEmpty();
    assertThat(elsewhere.recorded())
        .filteredOn(Entry.BalancerHeld.class::isInstance)
        .extracting(e -> ((Entry.BalancerHeld) e).again())
        .containsExactly(false, true);
  }

  /**
   * The placement stays until somebody decides; the next controller knows the state from before.
   */
  @Test
  void aHoldOutlivesItsControllerAndTheNextOneGivesItBack() throws Exception {
    leave(here);
    run(here, FaultPoints.NONE);
    LoopListener losing =
        new LoopListener() {
          @Override
          public void sampled(int samples, int needed) {
            cluster.control().lose();
          }
        };
    assertThatThrownBy(() -> controller(losing).run(true, 0, false))
        .isInstanceOf(EngineException.class);
    assertThat(balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(ControlDocuments.hold(cluster.control())).contains(ON);

    settings = settings.with(BalancerMode.RESTORE);
    ControlLoop next = controller(LoopListener.SILENT);
    next.stop();
    next.run(true, 0, false);
    assertThat(balancer()).isEqualTo(ON);
  }

  @Test
  void whatANewerVersionLeftIsRefusedUntilItIsDiscarded() throws Exception {
    leave(here);
    cluster.control().overwrite("plan", "{\"format\":9}".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> run(here, FaultPoints.NONE))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("format 9")
        .hasMessageContaining("--abandon");
    assertThat(moves()).isZero();
    cluster.control().overwrite("plan", new byte[] {1, 2});
    assertThatThrownBy(() -> run(here, FaultPoints.NONE)).hasMessageContaining("damaged");

    ControlLoop loop = loop(here, FaultPoints.NONE);
    loop.stop();
    loop.run(true, 0, true);
    assertThat(ControlDocuments.read(cluster.control()).nothing()).isTrue();
    assertThat(moves()).isZero();
  }

  private BalancerState balancer() {
    try {
      return cluster.engine().snapshot().balancer();
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  private void balancer(BalancerState state) {
    try {
      cluster.engine().setBalancer(state);
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }
}

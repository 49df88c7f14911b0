package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.testkit.control.MemoryControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One writer: who has lost control touches nothing, and who takes over knows everything. */
class LostControlTest extends SafetyFixture {
  /** Runs a controller that loses control at a point of its plan. */
  private void losesControlAt(String at) {
    FaultPoints lost =
        point -> {
          if (point.equals(at)) {
            cluster.control().lose();
          }
        };
    assertThatThrownBy(() -> run(here, lost)).isInstanceOf(LostControlException.class);
  }

  @Test
  void aControllerThatLosesItsLockInAPlanTouchesNothing() throws Exception {
    leave(here);
    losesControlAt("action-started-3");

    assertThat(moves()).isEqualTo(2);
    // Not even the balancer: the successor restores it.
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(ended).singleElement().asString().startsWith("lost: control of the cluster was");
    List<Entry> journal = here.recorded();
    assertThat(journal.get(journal.size() - 1)).isInstanceOf(Entry.ControlLost.class);
    assertThat(journal).noneMatch(Entry.PlanEnded.class::isInstance);
  }

  @Test
  void aSuccessorWithAnotherHomeFinishesThePlanAndRestoresTheBalancer() throws Exception {
    Plan plan = leave(here);
    BalancerState before = cluster.engine().snapshot().balancer();
    losesControlAt("action-performed-4");

    run(elsewhere, FaultPoints.NONE);

    assertThat(ended).last().asString().startsWith("done");
    assertMoved(plan);
    assertThat(moves()).as("none is done twice").isEqualTo(MOVES);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(before);
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
  }

  /** Its begin was written here, and did not reach the cluster. */
  @Test
  void aPlanThatOnlyThisMachineKnowsIsGivenToTheClusterFirst() throws Exception {
    Plan plan = leave(here);
    BalancerState before = cluster.engine().snapshot().balancer();
    try (ControlLock lock = cluster.engine().takeControl("test")) {
      lock.write(ControlDocuments.PLAN, new byte[0]);
    }
    losesControlAt("action-performed-4");

    run(elsewhere, FaultPoints.NONE);

    assertThat(ended).last().asString().startsWith("done");
    assertMoved(plan);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(before);
  }

  /**
   * It was frozen, woke up, and the other one has taken over: its first word to the cluster fails.
   */
  @Test
  void aDocumentOfAnOlderEpochIsRefused() throws Exception {
    ControlLock frozen = cluster.engine().takeControl("first");
    cluster.control().cutOff();
    cluster.clock().advance(MemoryControl.TRUST);
    assertThat(frozen.held()).isFalse();
    assertThatThrownBy(() -> cluster.engine().takeControl("too early"))
        .hasMessageContaining("another controller is in charge");
    cluster.clock().advance(Duration.ofSeconds(4));
    try (ControlLock second = cluster.engine().takeControl("second")) {
      assertThat(second.epoch()).isGreaterThan(frozen.epoch());
      second.write("plan", new byte[] {1});
      assertThatThrownBy(() -> frozen.write("plan", new byte[] {2}))
          .isInstanceOf(LostControlException.class);
      assertThat(cluster.control().read("plan").orElseThrow()).containsExactly(1);
    }
  }

  @Test
  void losingControlBetweenTwoPlansIsAnErrorAndNotTheEnd() throws Exception {
    LoopListener losing =
        new LoopListener() {
          @Override
          public void sampled(int samples, int needed) {
            cluster.control().lose();
          }
        };
    ControlLoop loop =
        new ControlLoop(
            cluster.engine(), Optional.empty(), settings, losing, ports(here), FaultPoints.NONE);

    assertThatThrownBy(() -> loop.run(true, 0, false)).isInstanceOf(LostControlException.class);
    assertThat(moves()).isZero();
  }
}

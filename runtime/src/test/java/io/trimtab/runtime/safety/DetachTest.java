package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StoppedWorkers;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A controller that ends while a node joins a ring leaves it joining, unless told to undo it. */
class DetachTest {
  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.ring(1, 3, 2, TableSpec.of("k.t", 3, 1L << 30, Access.reads(100))));
  private final MemoryState home = new MemoryState();
  private PlanOutcome ended;

  private void run(boolean stop, String by) throws Exception {
    Ports plain = SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home);
    Ports ports =
        new Ports(
            plain.clock(),
            plain.time(),
            plain.waiter(),
            stop ? new StoppedWorkers() : plain.workers(),
            plain.listeners(),
            plain.owner(),
            plain.version(),
            plain.states());
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            ended = outcome;
            loop[0].stop();
          }
        };
    FaultPoints stopping =
        point -> {
          if (stop && point.equals("action-started-1")) {
            cluster.control().requestStop(by);
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            Settings.defaults().with(Policies.MET_1),
            listener,
            ports,
            stopping);
    loop[0].run(true, 1, false);
  }

  private void leave() throws Exception {
    ClusterSnapshot now = cluster.engine().snapshot();
    Plan plan = TestPlans.of("grow", now, new Action.AddNode(1, Profile.HOMOGENEOUS));
    TestTenure.begun(cluster, home, plan);
  }

  @Test
  void aJoinGoesOnAndTheNextControllerContinuesIt() throws Exception {
    leave();
    run(true, "an upgrade");
    assertThat(ended).isEqualTo(PlanOutcome.DETACHED);
    assertThat(ControlDocuments.read(cluster.control()).open()).isPresent();
    assertThat(cluster.faults().calls(Verb.REMOVE)).isZero();

    run(false, "");
    assertThat(ended).isEqualTo(PlanOutcome.DONE);
    assertThat(cluster.engine().snapshot().liveNodes()).hasSize(4);
    assertThat(cluster.faults().calls(Verb.ADD)).as("one node was requested").isEqualTo(1);
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
  }

  @Test
  void askedToUndoItEndsThePlan() throws Exception {
    leave();
    run(true, "an operator, undo");
    assertThat(ended).isEqualTo(PlanOutcome.STOPPED);
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
  }
}

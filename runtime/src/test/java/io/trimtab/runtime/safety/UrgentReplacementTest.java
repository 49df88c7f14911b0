package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dead node of a ring is replaced before anything else is done, and at once when it is due. */
class UrgentReplacementTest extends SafetyFixture {
  private static final Duration AFTER = Duration.ofMinutes(1);
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final String DONE = "done: every action has ended; users' requests did not fall";

  UrgentReplacementTest() {
    super(ClusterSpec.ring(1, 4, 2, TableSpec.of("k.t", 3, 1L << 30, Access.reads(100))));
  }

  /** So many samples that a decision which waits for them is made an hour later. */
  @BeforeEach
  void patience() {
    settings =
        settings
            .with(ObserveSettings.builder().period(PERIOD).samples(720).build())
            .with(HealthSettings.builder().replaceAfter(AFTER).build())
            .with(limits().build());
  }

  private static GuardSettings.Builder limits() {
    return GuardSettings.builder().maxNodes(8).cooldown(Duration.ofHours(5));
  }

  private List<NodeId> nodes() throws EngineException {
    return cluster.engine().snapshot().nodes().stream().map(NodeState::id).toList();
  }

  /** A plan that touches all nodes but the last, one after the other. */
  private Plan cleanups() throws EngineException {
    List<NodeId> nodes = nodes();
    return plan(
        new Action.Cleanup(nodes.get(0)),
        new Action.Cleanup(nodes.get(1)),
        new Action.Cleanup(nodes.get(2)));
  }

  /** The last node dies after the first action, and has been dead for long enough in the second. */
  private FaultPoints dying(NodeId victim) {
    AtomicBoolean killed = new AtomicBoolean();
    return point -> {
      if (point.equals("action-ended-1") && killed.compareAndSet(false, true)) {
        cluster.kill(victim);
      }
    };
  }

  /** To switch the engine's own balancing off is no action. */
  private boolean acting;

  @Override
  ControlLoop loop(ClusterState home, FaultPoints faults) {
    return super.loop(
        home,
        point -> {
          acting =
              point.startsWith("action-started-")
                  || acting && !point.startsWith("action-performed-");
          faults.reached(point);
        });
  }

  /**
   * Each action takes longer than {@link #AFTER}, and is waited for as by a controller's thread.
   */
  private final class LongActions implements Workers {
    private boolean waiting;

    @Override
    public <R> Task<R> begin(Callable<R> work) {
      Task<R> task = Workers.IN_TURN.begin(work);
      return waiting || !acting ? task : new LongAction<>(task);
    }

    private final class LongAction<R> implements Task<R> {
      private final Task<R> task;

      LongAction(Task<R> task) {
        this.task = task;
      }

      @Override
      public Optional<R> await(BooleanSupplier stop) throws ExecutionException {
        waiting = true;
        for (int s = 0; s <= AFTER.toSeconds(); s++) {
          cluster.clock().advance(Duration.ofSeconds(1));
          if (stop.getAsBoolean()) {
            waiting = false;
            return Optional.empty();
          }
        }
        waiting = false;
        return task.await(stop);
      }

      @Override
      public void cancel() {}

      @Override
      public boolean ended(Duration limit) {
        return true;
      }
    }
  }

  @Override
  Ports ports(ClusterState home) {
    return SimulatedTime.ports(cluster.clock(), new LongActions(), id -> home);
  }

  private void assertReplaced(NodeId victim) throws EngineException {
    assertThat(cluster.engine().snapshot().liveNodes()).hasSize(4);
    assertThat(cluster.engine().snapshot().node(victim)).isEmpty();
    assertThat(cluster.faults().calls(Verb.REPLACE)).isEqualTo(1);
  }

  @Test
  void aReplacementWaitsNeitherForSamplesNorForTheCooldown() throws Exception {
    Plan before = leave(here, cleanups());
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      Instant now = cluster.clock().instant();
      tenure.record(new Entry.PlanEnded(now, before.id(), PlanOutcome.DONE, "done"));
    }
    NodeId victim = nodes().get(3);
    cluster.kill(victim);
    Instant died = cluster.clock().instant();
    AtomicReference<Instant> begun = new AtomicReference<>();

    run(
        here,
        point -> {
          if (point.equals("plan-started")) {
            begun.set(cluster.clock().instant());
          }
        });

    assertThat(held).isEmpty();
    assertThat(ended).containsExactly("done: every action has ended");
    assertThat(begun.get()).isBetween(died.plus(AFTER), died.plus(AFTER).plus(PERIOD));
    assertReplaced(victim);
  }

  @Test
  void aPlanGivesWayToAReplacement() throws Exception {
    NodeId victim = nodes().get(3);
    leave(here, cleanups());
    plansMax = 2;

    run(here, dying(victim));

    assertThat(ended)
        .containsExactly(
            "abandoned: gives way: node " + victim + " is dead and is replaced first",
            "done: every action has ended");
    assertReplaced(victim);
  }

  /** It may have been alive meanwhile. */
  @Test
  void aTimeInWhichNobodyLookedIsNotBridged() throws Exception {
    NodeId victim = nodes().get(3);
    leave(here, cleanups());

    FaultPoints dies = dying(victim);
    run(
        here,
        point -> {
          dies.reached(point);
          if (point.equals("action-started-2")) {
            cluster.faults().always(Verb.SNAPSHOT, Kind.FAIL);
          } else if (point.equals("action-ended-2")) {
            cluster.faults().clear();
          }
        });

    assertThat(ended).containsExactly(DONE);
    assertThat(cluster.faults().calls(Verb.REPLACE)).isZero();
  }

  @Test
  void aPlanDoesNotGiveWayWhereNothingWouldBeReplaced() throws Exception {
    settings = settings.with(HealthSettings.builder().build());
    leave(here, cleanups());

    run(here, dying(nodes().get(3)));

    assertThat(ended).containsExactly(DONE);
  }

  @Test
  void aPlanThatIsAboutTheDeadNodeDoesNotGiveWay() throws Exception {
    NodeId victim = nodes().get(3);
    List<NodeId> nodes = nodes();
    leave(
        here,
        plan(
            new Action.Cleanup(nodes.get(0)),
            new Action.Cleanup(nodes.get(1)),
            new Action.RemoveNode(victim)));

    run(here, dying(victim));

    assertThat(ended).containsExactly(DONE);
    assertThat(cluster.faults().calls(Verb.REPLACE)).isZero();
  }

  @Test
  void aBlackoutHoldsAReplacement() throws Exception {
    NodeId victim = nodes().get(3);
    cluster.kill(victim);
    LocalTime now = cluster.clock().instant().atZone(ZoneOffset.UTC).toLocalTime();
    settings = settings.with(limits().blackouts(List.of(now + "-" + now.plusMinutes(10))).build());

    run(here, FaultPoints.NONE);

    assertThat(held).singleElement().asString().startsWith("guard: ").contains("blackout");
    assertThat(cluster.faults().calls(Verb.REPLACE)).isZero();
  }

  @Test
  void aReplacementThatFailsIsNotTriedAtEverySample() throws Exception {
    cluster.kill(nodes().get(3));
    cluster.faults().always(Verb.REPLACE, Kind.FAIL);
    plansMax = 2;

    run(here, FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("abandoned");
    assertThat(held).singleElement().asString().contains("the same changes were abandoned once");
  }
}

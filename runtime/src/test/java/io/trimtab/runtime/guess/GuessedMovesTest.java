package io.trimtab.runtime.guess;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster that was not watched before, so that the first plan goes by requests alone, without a
 * cooldown after it. Of two nodes one has too much; only one of its two partitions may move. After
 * the plan the other node seems to have too much for a while.
 */
@Timeout(60)
class GuessedMovesTest {
  private static final Duration JUDGED_AFTER = Duration.ofMinutes(5);

  private static final Settings SETTINGS =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(3).build())
          .with(GuardSettings.builder().minNodes(2).maxNodes(2).cooldown(Duration.ZERO).build())
          .with(HealthSettings.builder().slowFor(Duration.ofHours(2)).build())
          .with(SplitSettings.builder().enabled(false).build())
          .with(new TableSettings(null, List.of("stays", "other")))
          .with(Policies.AUTOPILOT);

  /** When the first plan ended, in seconds since the beginning. */
  private double after = Double.POSITIVE_INFINITY;

  /** For how long the load is another one then. */
  private Duration lasting = Duration.ZERO;

  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(
              1,
              2,
              table("stays", reads(6_500, 1_000)),
              table("other", reads(500, 6_500)),
              table("moves", reads(4_500, 4_500))));

  private final NodeId first = cluster.truth().nodes().get(0).id();
  private final NodeId second = cluster.truth().nodes().get(1).id();
  private final List<Plan> plans = new ArrayList<>();
  private final List<Double> moving = new ArrayList<>();
  private final List<String> held = new ArrayList<>();

  private LoadScript reads(double usual, double meanwhile) {
    return seconds ->
        Access.reads(seconds >= after && seconds < after + lasting.toSeconds() ? meanwhile : usual);
  }

  private static TableSpec table(String name, LoadScript load) {
    return TableSpec.of(name, 1, 64 << 20, Access.NONE).with(load);
  }

  private double seconds() {
    return Duration.between(VirtualClock.START, cluster.clock().instant()).toMillis() / 1e3;
  }

  /** Until the first plan its nodes tell nothing of their caches, so that no costs are learned. */
  private Engine engine() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            Object answer = method.invoke(cluster.engine(), arguments);
            return answer instanceof ClusterSnapshot seen && plans.isEmpty()
                ? untold(seen)
                : answer;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, handler);
  }

  private static ClusterSnapshot untold(ClusterSnapshot seen) {
    return seen.with(
        seen.nodes().stream().map(node -> node.with(node.usage(), NodeGauges.UNKNOWN)).toList(),
        seen.partitions(),
        seen.gaps());
  }

  /** Runs a controller until some time after its first plan. */
  private void run(Duration rest) throws EngineException {
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void sampled(int samples, int needed) {
            // Or ten minutes after its start, if it makes no plan.
            if (seconds() >= Math.min(after, 600) + rest.toSeconds()) {
              loop[0].stop();
            }
          }

          @Override
          public void planned(Plan plan, boolean act) {
            plans.add(plan);
            if (!plan.actions(Action.Move.class).isEmpty()) {
              moving.add(seconds());
            }
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            assertThat(outcome).as(why).isEqualTo(PlanOutcome.DONE);
            after = Math.min(after, seconds());
          }

          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason);
          }
        };
    MemoryState home = new MemoryState();
    loop[0] =
        new ControlLoop(
            engine(),
            Optional.of(cluster.provider()),
            SETTINGS,
            listener,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home),
            FaultPoints.NONE);
    loop[0].run(true, 0, false);
  }

  private NodeId servesWhatMoves() {
    return cluster.truth().partitions().stream()
        .filter(partition -> partition.id().table().equals("moves"))
        .findFirst()
        .flatMap(partition -> partition.node())
        .orElseThrow();
  }

  private void assertFirstWentByRequestsAlone() {
    assertThat(plans).as("plans; held: %s", held).isNotEmpty();
    assertThat(plans.get(0).summary()).contains("predicted from requests alone");
  }

  @Test
  void whatRequestsAloneHaveMovedIsNotMovedBackBecauseOfHowItLooksAtFirst() throws Exception {
    lasting = Duration.ofMinutes(2);
    assertThat(servesWhatMoves()).isEqualTo(first);

    run(JUDGED_AFTER.plusMinutes(3));

    assertFirstWentByRequestsAlone();
    assertThat(held)
        .as("while it looked wrong")
        .anyMatch(
            why ->
                why.startsWith("guard: partition moves/")
                    && why.contains(" would go back to node " + first));
    assertThat(cluster.faults().calls(Verb.MOVE)).as("%s", plans).isEqualTo(1);
    assertThat(servesWhatMoves()).isEqualTo(second);
  }

  /** So a guess that was wrong is put right, by what is known then. */
  @Test
  void whatStillLooksWrongThenGoesBack() throws Exception {
    lasting = Duration.ofHours(1);

    run(JUDGED_AFTER.plusMinutes(3));

    assertFirstWentByRequestsAlone();
    assertThat(cluster.faults().calls(Verb.MOVE)).as("held: %s", held).isEqualTo(2);
    assertThat(servesWhatMoves()).isEqualTo(first);
    assertThat(moving).hasSize(2);
    assertThat(moving.get(1) - after)
        .isBetween(JUDGED_AFTER.toSeconds() - 2.0, JUDGED_AFTER.toSeconds() + 60.0);
  }
}

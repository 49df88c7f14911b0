package io.trimtab.runtime.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.guard.MachineMap;
import io.trimtab.controller.guard.MachineMap.Listed;
import io.trimtab.controller.guard.MachineMap.Machine;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.capacity.MachineBudget.Size;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two clusters on the same two machines, of six cores each, with nodes that may use four. The plan
 * of one cluster would have its second node use three.
 */
@Timeout(60)
class SharedMachinesLoopTest {
  private static final double PLANNED = 0.75;
  private static final Size MACHINE = new Size(6, 64L << 30, 1L << 40);
  private static final Size NODE = new Size(4, 8L << 30, 100L << 30);

  private final VirtualClock clock = new VirtualClock();
  private final List<String> held = new ArrayList<>();
  private final List<PlanOutcome> ended = new ArrayList<>();
  private final InMemoryCluster shop = cluster(1, 1_000);

  private InMemoryCluster cluster(long seed, double reads) {
    // All of it fits into the caches, so that nothing waits for disks.
    TableSpec table = TableSpec.of("t", 4, 8L << 20, Access.reads(reads));
    return new InMemoryCluster(ClusterSpec.assigned(seed, 2, table), clock);
  }

  private static NodeId node(InMemoryCluster cluster, int index) {
    return cluster.truth().nodes().get(index).id();
  }

  /** The first machine has the clusters' first nodes, the second one their second nodes. */
  private SharedUsage machines(InMemoryCluster logs) {
    List<Machine> machines = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      machines.add(
          new Machine(
              "m" + (i + 1),
              MACHINE,
              List.of(
                  new Listed("shop", node(shop, i), NODE),
                  new Listed("logs", node(logs, i), NODE))));
    }
    return new SharedUsage(new MachineMap(machines, List.of(NODE)));
  }

  /** Moves all that the first node serves to the second one, if it is to act. */
  private record Gathering(boolean acts) implements Policy {
    @Override
    public String name() {
      return "gathering";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      NodeId from = seen.snapshot().nodes().get(0).id();
      NodeId to = seen.snapshot().nodes().get(1).id();
      List<PartitionId> there =
          seen.snapshot().partitions().stream()
              .filter(p -> p.node().filter(from::equals).isPresent())
              .map(PartitionState::id)
              .toList();
      if (!acts || there.isEmpty()) {
        return new Decision.Hold("there is nothing to gather", "", state);
      }
      Action[] moves = there.stream().map(p -> new Action.Move(p, from, to)).toArray(Action[]::new);
      Plan plan = TestPlans.of("gathering-1", seen.snapshot(), moves);
      double waits = seen.usage().get(to) / seen.cpu().get(to);
      Map<NodeId, Double> then = Map.of(from, 0.01, to, PLANNED * waits);
      return new Decision.Act(plan, state)
          .predicting(new UsagePrediction(UsagePrediction.Origin.LEARNED, new TreeMap<>(then)));
    }
  }

  /** Until it has decided. */
  private void run(InMemoryCluster cluster, SharedUsage.Member part, boolean acts)
      throws EngineException {
    Settings settings =
        Settings.defaults()
            .with(new Gathering(acts))
            .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(3).build())
            .with(GuardSettings.builder().minNodes(2).maxNodes(2).build());
    MemoryState state = new MemoryState();
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason + " [" + setting + "]");
            loop[0].stop();
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            ended.add(outcome);
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            listener,
            SimulatedTime.ports(clock, Workers.IN_TURN, id -> state),
            FaultPoints.NONE,
            part);
    loop[0].run(acts, 1, false);
  }

  /** Both run; the other one is seen before this one decides. */
  private void runBoth(InMemoryCluster logs) throws EngineException {
    clock.advance(Duration.ofMinutes(10));
    SharedUsage usage = machines(logs);
    run(logs, usage.member("logs"), false);
    held.clear();
    run(shop, usage.member("shop"), true);
  }

  @Test
  void whatTheOtherClusterUsesIsNotTakenFromIt() throws Exception {
    // Far more than it can serve.
    runBoth(cluster(2, 1e6));

    assertThat(ended).isEmpty();
    assertThat(held)
        .singleElement()
        .asString()
        .startsWith("guard: the plan would bring machine m2 to ")
        .contains(" of its 6.0 cores: shop 3.0, now ", "; logs ")
        .doesNotContain("last seen", "counted whole")
        .endsWith(" [machines.m2]");
    assertThat(shop.truth().partitions())
        .as("nothing was moved")
        .anyMatch(p -> p.node().filter(node(shop, 0)::equals).isPresent());
  }

  @Test
  void whereTheOtherClusterUsesLittleThereIsRoom() throws Exception {
    runBoth(cluster(2, 100));

    assertThat(held).isEmpty();
    assertThat(ended).containsExactly(PlanOutcome.DONE);
    assertThat(shop.truth().partitions())
        .allMatch(p -> p.node().filter(node(shop, 1)::equals).isPresent());
  }

  /** It may use all that it has. */
  @Test
  void aClusterThatNobodyHasSeenIsNotTakenForIdle() throws Exception {
    InMemoryCluster logs = cluster(2, 100);
    clock.advance(Duration.ofMinutes(10));
    SharedUsage usage = machines(logs);
    assertThat(usage.member("logs").unseen().orElseThrow()).contains("counts whole");
    run(shop, usage.member("shop"), true);

    assertThat(ended).isEmpty();
    assertThat(held)
        .singleElement()
        .asString()
        .contains("m2 to 7.0 of its 6.0 cores")
        .contains("logs 4.0, counted whole as it was not seen yet");
  }

  /** When it is lost later it counts as it was. */
  @Test
  void aClusterThatIsLostCountsAsItWasSeenLast() throws Exception {
    InMemoryCluster logs = cluster(2, 1e6);
    clock.advance(Duration.ofMinutes(10));
    SharedUsage usage = machines(logs);
    run(logs, usage.member("logs"), false);
    held.clear();
    assertThat(usage.member("logs").unseen().orElseThrow()).contains("as it was last seen");
    clock.advance(Duration.ofMinutes(30));
    run(shop, usage.member("shop"), true);

    assertThat(ended).isEmpty();
    assertThat(held).singleElement().asString().contains(", last seen at ");
  }
}

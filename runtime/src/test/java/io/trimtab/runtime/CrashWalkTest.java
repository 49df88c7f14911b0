package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.Access;
import io.trimtab.testkit.ClusterSpec;
import io.trimtab.testkit.InMemoryCluster;
import io.trimtab.testkit.PlanVerifier;
import io.trimtab.testkit.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Controllers killed at every point of plans that hold every kind of action, on a cluster in
 * memory. Live tests kill before and after one action of every kind; here the walk is complete.
 */
class CrashWalkTest {
  private static final long SEED = 11;

  /** Plans that hold every kind of action between them. */
  enum Case {
    ASSIGNED {
      @Override
      InMemoryCluster cluster() {
        return new InMemoryCluster(
            ClusterSpec.assigned(
                SEED,
                4,
                TableSpec.of("t", 8, 64L << 20, new Access(100, 0, 0, 0)),
                TableSpec.of("u", 4, 64L << 20, new Access(0, 1, 10, 10))));
      }

      @Override
      List<Action> actions(ClusterSnapshot s) {
        return assigned(s);
      }
    },
    RING {
      @Override
      InMemoryCluster cluster() {
        return ring();
      }

      @Override
      List<Action> actions(ClusterSnapshot s) {
        NodeState first = s.nodes().get(0);
        NodeState second = s.nodes().get(1);
        int cache = first.settings().get(NodeSetting.KEY_CACHE);
        List<Action> actions =
            new ArrayList<>(
                List.of(
                    new Action.SetNode(first.id(), NodeSetting.KEY_CACHE, cache, cache + 10),
                    reconfigure(first, Profile.READ, Action.ApplyMode.ONLINE),
                    reconfigure(second, Profile.WRITE, Action.ApplyMode.RESTART),
                    new Action.AddNode(1, Profile.HOMOGENEOUS)));
        s.nodes().forEach(n -> actions.add(new Action.Cleanup(n.id())));
        actions.add(new Action.RemoveNode(s.nodes().get(3).id()));
        return actions;
      }
    },
    RING_WITH_A_DEAD_NODE {
      @Override
      InMemoryCluster cluster() {
        InMemoryCluster cluster = ring();
        try {
          cluster.kill(cluster.engine().snapshot().nodes().get(2).id());
        } catch (EngineException e) {
          throw new AssertionError(e);
        }
        return cluster;
      }

      @Override
      List<Action> actions(ClusterSnapshot s) {
        return List.of(
            new Action.ReplaceNode(1, s.nodes().get(2).id(), Profile.HOMOGENEOUS),
            reconfigure(s.nodes().get(0), Profile.READ, Action.ApplyMode.ONLINE));
      }
    };

    abstract InMemoryCluster cluster();

    abstract List<Action> actions(ClusterSnapshot before);
  }

  private static InMemoryCluster ring() {
    return new InMemoryCluster(
        ClusterSpec.ring(SEED, 4, 2, TableSpec.of("t", 1, 256L << 20, new Access(100, 0, 10, 10))));
  }

  private static Action reconfigure(NodeState node, Profile to, Action.ApplyMode mode) {
    return new Action.Reconfigure(node.id(), node.profile().orElseThrow(), to, mode);
  }

  private static List<Action> assigned(ClusterSnapshot s) {
    List<PartitionState> t = table(s, "t");
    NodeId leaves = s.nodes().get(3).id();
    NodeId restarts = s.nodes().get(2).id();
    NodeId stays = s.nodes().get(0).id();
    Action.AddNode add = new Action.AddNode(1, Profile.READ);
    List<Action> actions = new ArrayList<>();
    actions.add(new Action.SetBlockSize("u", table(s, "u").get(0).blockSizeBytes(), 16 << 10));
    actions.add(reconfigure(s.nodes().get(1), Profile.READ, Action.ApplyMode.ONLINE));
    actions.add(add);
    actions.add(new Action.DrainNode(leaves));
    Set<PartitionId> cut = new HashSet<>();
    PartitionState split = t.get(0);
    cut.add(split.id());
    actions.add(
        new Action.Split(
            split.id(), middle(t), 0.5, split.node().orElseThrow(), add.placeholder()));
    PartitionState left = t.get(4);
    PartitionState right = t.get(5);
    cut.addAll(List.of(left.id(), right.id()));
    actions.add(
        new Action.Merge(
            left.id(),
            right.id(),
            new KeyRange(left.range().start(), right.range().end()),
            right.range().start()));
    List<Action> back = new ArrayList<>();
    for (PartitionState p : s.partitions()) {
      NodeId on = p.node().orElseThrow();
      if (!cut.contains(p.id()) && on.equals(leaves)) {
        actions.add(new Action.Move(p.id(), on, add.placeholder()));
      } else if (!cut.contains(p.id()) && on.equals(restarts)) {
        actions.add(new Action.Move(p.id(), on, stays));
        back.add(new Action.Move(p.id(), stays, on));
      }
    }
    actions.add(reconfigure(s.nodes().get(2), Profile.WRITE, Action.ApplyMode.RESTART));
    actions.addAll(back);
    actions.add(new Action.Compact(t.get(1).id(), Action.Compact.ALWAYS));
    actions.add(new Action.RemoveNode(leaves));
    return actions;
  }

  private static io.trimtab.engineapi.RowKey middle(List<PartitionState> t) {
    byte[] end = t.get(0).range().end().bytes();
    byte[] key = Arrays.copyOf(end, end.length + 1);
    for (int i = 0; i < key.length; i++) {
      if (key[i] != 0) {
        key[i] = (byte) ((key[i] & 0xFF) / 2);
        break;
      }
    }
    key[end.length] = 1;
    return io.trimtab.engineapi.RowKey.of(key);
  }

  private static List<PartitionState> table(ClusterSnapshot s, String name) {
    return s.partitions().stream()
        .filter(p -> p.id().table().equals(name))
        .sorted(Comparator.comparing(p -> p.range().start()))
        .toList();
  }

  /** What {@code kill -9} is to the controller: nothing after it runs. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A cluster, a plan that was begun on it, and what controllers have noted. */
  private static final class World {
    final InMemoryCluster cluster;
    final MemoryState state = new MemoryState();
    final ClusterSnapshot before;
    final Plan plan;

    World(Case of) throws EngineException {
      cluster = of.cluster();
      before = cluster.engine().snapshot();
      List<PlannedAction> planned = new ArrayList<>();
      for (Action action : of.actions(before)) {
        planned.add(new PlannedAction(planned.size() + 1, action, "r", "e", "c", "u"));
      }
      plan = new Plan("walk", before.clusterId(), before.takenAt(), "test", "a walk", 1, planned);
      assertThat(PlanVerifier.violations(plan, before)).isEmpty();
      try (Journal journal = state.journal()) {
        journal.append(
            new Entry.PlanStarted(
                cluster.clock().instant(), plan, before.balancer(), PolicyState.INITIAL));
      }
    }

    /** A controller from its start until its death or the plan's end. */
    Optional<Executor.Outcome> controller(FaultPoints faults) throws EngineException {
      Settings settings =
          Settings.defaults()
              .with(
                  GuardSettings.builder()
                      .cooldown(Duration.ZERO)
                      .actionLimit(Duration.ofMinutes(2))
                      .build());
      return new ControlLoop(
              cluster.engine(),
              Optional.of(cluster.provider()),
              settings,
              LoopListener.SILENT,
              SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> state),
              faults)
          .run(true, 1, false);
    }

    boolean unfinished() {
      try (Journal journal = state.journal()) {
        return journal.unfinished().isPresent();
      }
    }

    /** As the whole plan makes it, once, whoever carried out what. */
    void assertDone(String killed) throws EngineException {
      ClusterSnapshot now = cluster.engine().snapshot();
      Set<Integer> all = new HashSet<>();
      plan.actions().forEach(a -> all.add(a.step()));
      Map<NodeId, NodeId> added = new HashMap<>();
      now.nodes().stream()
          .map(NodeState::id)
          .filter(n -> before.node(n).isEmpty())
          .forEach(n -> added.put(new NodeId("new-" + (added.size() + 1)), n));
      assertThat(added).as("new nodes, killed at %s", killed).hasSize(1);
      assertThat(PlanVerifier.state(plan, before, all, added, now))
          .as("killed at %s", killed)
          .isEmpty();
      assertThat(PlanVerifier.tidied(before, now)).as("killed at %s", killed).isEmpty();
      try (Journal journal = state.journal()) {
        List<Entry.PlanEnded> ends =
            journal.entries().stream()
                .filter(Entry.PlanEnded.class::isInstance)
                .map(Entry.PlanEnded.class::cast)
                .toList();
        assertThat(ends).as("killed at %s", killed).hasSize(1);
        assertThat(ends.get(0).outcome()).isEqualTo(PlanOutcome.DONE);
      }
    }
  }

  /** Dies at the point, and passes no other one after that. */
  private static FaultPoints dyingAt(String fatal) {
    boolean[] dead = new boolean[1];
    return point -> {
      if (dead[0] || point.equals(fatal)) {
        dead[0] = true;
        throw new Killed();
      }
    };
  }

  private static List<String> points(Case of) throws EngineException {
    List<String> points = new ArrayList<>();
    World world = new World(of);
    Optional<Executor.Outcome> outcome = world.controller(points::add);
    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    world.assertDone("no point");
    assertThat(points).hasSize(4 + 3 * world.plan.actions().size()).doesNotHaveDuplicates();
    return points;
  }

  @ParameterizedTest
  @EnumSource
  void aControllerKilledAtAnyPointIsFollowedByOneThatFinishes(Case of) throws EngineException {
    for (String fatal : points(of)) {
      World world = new World(of);
      try {
        world.controller(dyingAt(fatal));
        throw new AssertionError("not killed at " + fatal);
      } catch (Killed e) {
        // The next one takes over.
      }
      if (world.unfinished()) {
        world.controller(FaultPoints.NONE);
      }
      world.assertDone(fatal);
    }
  }

  @ParameterizedTest
  @EnumSource
  void controllersKilledAtEveryPointInTurnFinishItTogether(Case of) throws EngineException {
    List<String> points = points(of);
    World world = new World(of);
    Set<String> died = new LinkedHashSet<>();
    while (world.unfinished()) {
      boolean[] dead = new boolean[1];
      try {
        world.controller(
            point -> {
              if (dead[0] || died.add(point)) {
                dead[0] = true;
                throw new Killed();
              }
            });
      } catch (Killed e) {
        assertThat(died).hasSizeLessThanOrEqualTo(points.size());
      }
    }
    assertThat(died).containsExactlyInAnyOrderElementsOf(points);
    world.assertDone("every point in turn");
  }
}

package io.trimtab.runtime;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plans at whose every point a controller is killed; together they have every kind of action. */
enum CrashPlan {
  CHANGES {
    @Override
    List<Action> actions(ClusterSnapshot now) {
      Action.AddNode add = new Action.AddNode(1, Profile.READ);
      PartitionState left = part(now, 2);
      PartitionState right = part(now, 3);
      return List.of(
          new Action.SetBlockSize("t", 65_536, 16_384),
          new Action.Reconfigure(
              node(now, 0), Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.ONLINE),
          add,
          move(now, 0, add.placeholder()),
          move(now, 1, other(now, 1)),
          move(now, 4, other(now, 4)),
          new Action.Compact(part(now, 1).id(), Action.Compact.ALWAYS),
          new Action.Split(
              part(now, 5).id(),
              new RowKey("e0"),
              0.5,
              part(now, 5).node().orElseThrow(),
              other(now, 5)),
          new Action.Merge(
              left.id(),
              right.id(),
              new KeyRange(left.range().start(), right.range().end()),
              right.range().start()));
    }
  },
  RESTART {
    @Override
    List<Action> actions(ClusterSnapshot now) {
      NodeId restarted = node(now, 1);
      NodeId waits = node(now, 2);
      List<Action> actions = new ArrayList<>(emptying(now, restarted, waits));
      actions.add(
          new Action.Reconfigure(
              restarted, Profile.HOMOGENEOUS, Profile.WRITE, Action.ApplyMode.RESTART));
      for (PartitionId partition : on(now, restarted)) {
        actions.add(new Action.Move(partition, waits, restarted));
      }
      return actions;
    }
  },
  REMOVAL {
    @Override
    List<Action> actions(ClusterSnapshot now) {
      NodeId leaves = node(now, 3);
      List<Action> actions = new ArrayList<>(List.of(new Action.DrainNode(leaves)));
      actions.addAll(emptying(now, leaves, node(now, 0)));
      actions.add(new Action.RemoveNode(leaves));
      return actions;
    }
  },
  RING_GROWS {
    @Override
    List<Action> actions(ClusterSnapshot now) {
      return List.of(
          new Action.Reconfigure(
              node(now, 0), Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.ONLINE),
          new Action.SetNode(node(now, 1), NodeSetting.KEY_CACHE, 50, 80),
          new Action.AddNode(1, Profile.HOMOGENEOUS, List.of(-77L, 1L << 60)),
          new Action.Cleanup(node(now, 0)),
          new Action.Cleanup(node(now, 2)));
    }
  },
  RING_RESTARTS_AND_SHRINKS {
    @Override
    List<Action> actions(ClusterSnapshot now) {
      return List.of(
          new Action.Reconfigure(
              node(now, 0), Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.RESTART),
          new Action.Reconfigure(
              node(now, 1), Profile.HOMOGENEOUS, Profile.WRITE, Action.ApplyMode.RESTART),
          new Action.RemoveNode(node(now, 3)));
    }
  },
  RING_REPLACES {
    @Override
    void prepare(InMemoryCluster cluster) throws EngineException {
      cluster.kill(node(cluster.engine().snapshot(), 3));
      cluster.clock().advance(Duration.ofMinutes(3));
    }

    @Override
    List<Action> actions(ClusterSnapshot now) {
      return List.of(
          new Action.ReplaceNode(1, node(now, 3), Profile.HOMOGENEOUS),
          new Action.SetNode(node(now, 0), NodeSetting.COMPACTION_THROUGHPUT, 64, 32));
    }
  };

  private static final int NODES = 4;

  abstract List<Action> actions(ClusterSnapshot now);

  /** What happened before the plan was made. */
  void prepare(InMemoryCluster cluster) throws EngineException {}

  InMemoryCluster cluster() throws EngineException {
    InMemoryCluster cluster =
        new InMemoryCluster(
            name().startsWith("RING")
                ? ClusterSpec.ring(
                    7, NODES, 2, TableSpec.of("k.t", 1, 40_000_000, Access.reads(100)))
                : ClusterSpec.assigned(
                    7,
                    NODES,
                    TableSpec.of("t", 6, 60_000_000, Access.reads(60)),
                    TableSpec.of("u", 5, 10_000_000, Access.writes(5))));
    prepare(cluster);
    return cluster;
  }

  Plan plan(ClusterSnapshot now) {
    List<PlannedAction> planned = new ArrayList<>();
    for (Action action : actions(now)) {
      planned.add(new PlannedAction(planned.size() + 1, action, "why", "what", "cost", "undo"));
    }
    return new Plan("plan", now.clusterId(), now.takenAt(), "test", "a test", 0.1, planned);
  }

  private static NodeId node(ClusterSnapshot now, int index) {
    return now.nodes().stream().map(NodeState::id).sorted().toList().get(index);
  }

  private static PartitionState part(ClusterSnapshot now, int index) {
    return now.partitions().get(index);
  }

  /** A node on which the partition is not. */
  private static NodeId other(ClusterSnapshot now, int index) {
    NodeId first = node(now, 0);
    return part(now, index).node().orElseThrow().equals(first) ? node(now, 1) : first;
  }

  private static Action.Move move(ClusterSnapshot now, int index, NodeId to) {
    return new Action.Move(part(now, index).id(), part(now, index).node().orElseThrow(), to);
  }

  private static List<PartitionId> on(ClusterSnapshot now, NodeId node) {
    return now.partitions().stream()
        .filter(p -> p.node().orElseThrow().equals(node))
        .map(PartitionState::id)
        .toList();
  }

  private static List<Action.Move> emptying(ClusterSnapshot now, NodeId node, NodeId to) {
    return on(now, node).stream().map(p -> new Action.Move(p, node, to)).toList();
  }
}

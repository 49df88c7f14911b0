package io.trimtab.contract.autopilot;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.ports.StateDir;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What a test on a shared cluster begins with, whatever the test before has left: all nodes alive
 * and open, {@link Profile#HOMOGENEOUS}, each table's partitions one node after the other, blocks
 * of 64 KiB, and no journal. Costs a few seconds where little has changed.
 */
record KnownState(Lab lab, Engine engine, int nodes, Duration limit) {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final long PAUSE_MS = 500;

  /**
   * @return the cluster as it is then
   */
  ClusterSnapshot restore() throws EngineException, InterruptedException {
    for (LabNode node : lab.nodes()) {
      if (!node.alive()) {
        lab.startNode(node.id(), limit);
      }
    }
    for (int i = lab.nodes().size(); i < nodes; i++) {
      String request = "known-state/" + engine.snapshot().takenAt().toEpochMilli();
      NodeId added = lab.provider().add(request, Profile.HOMOGENEOUS, List.of(), limit);
      engine.awaitNode(added, 0, limit);
    }
    for (int i = lab.nodes().size(); i > nodes; i--) {
      remove(lab.nodes().get(i - 1).id());
    }
    ClusterSnapshot now = await(s -> s.liveNodes().size() == nodes && s.gaps().isEmpty());
    for (NodeState node : now.liveNodes()) {
      engine.setDraining(node.id(), false);
      engine.applyProfile(node.id(), Profile.HOMOGENEOUS, limit);
    }
    place(now);
    StateDir.of(now.clusterId()).forget();
    return await(
        s ->
            s.gaps().isEmpty()
                && s.partitionsInTransition() == 0
                && s.partitions().stream().allMatch(p -> p.node().isPresent()));
  }

  private void remove(NodeId leaving) throws EngineException {
    NodeId to =
        lab.nodes().stream()
            .map(LabNode::id)
            .filter(n -> !n.equals(leaving))
            .findFirst()
            .orElseThrow();
    engine.setDraining(leaving, true);
    for (PartitionState p : engine.snapshot().partitions()) {
      if (p.node().filter(leaving::equals).isPresent()) {
        engine.move(p.id(), to, limit);
      }
    }
    engine.vacate(leaving, limit);
    lab.provider().remove(leaving, limit);
  }

  private void place(ClusterSnapshot now) throws EngineException {
    List<NodeId> live = now.liveNodes().stream().map(NodeState::id).toList();
    String table = "";
    int index = 0;
    for (PartitionState p : ordered(now)) {
      index = p.id().table().equals(table) ? index + 1 : 0;
      table = p.id().table();
      if (index == 0 && p.blockSizeBytes() != BLOCK_BYTES) {
        engine.setBlockSize(table, BLOCK_BYTES);
      }
      engine.move(p.id(), live.get(index % live.size()), limit);
    }
  }

  private static List<PartitionState> ordered(ClusterSnapshot now) {
    return now.partitions().stream()
        .sorted(
            Comparator.comparing((PartitionState p) -> p.id().table())
                .thenComparing(p -> p.range().start()))
        .toList();
  }

  private ClusterSnapshot await(Predicate<ClusterSnapshot> wanted)
      throws EngineException, InterruptedException {
    ClusterSnapshot now = engine.snapshot();
    for (long ms = 0; ms < limit.toMillis(); ms += PAUSE_MS) {
      if (wanted.test(now)) {
        return now;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      now = engine.snapshot();
    }
    throw new AssertionError("the cluster is not as a test begins with: " + now);
  }
}

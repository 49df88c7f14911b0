package io.trimtab.contract;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Brings a shared cluster into a known state before a test, whatever the test before it has left.
 *
 * @param count live nodes to begin with
 * @param limit of each call
 */
public record KnownState(Lab lab, Engine engine, int count, Duration limit) {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final long PAUSE_MS = 500;
  private static final int AT_ONCE = 3;

  /**
   * The requested number of nodes, all alive and open for partitions. On HBase, with the profile
   * {@link Profile#HOMOGENEOUS}.
   */
  public ClusterSnapshot nodes() throws EngineException, InterruptedException {
    for (LabNode node : lab.nodes()) {
      if (!node.alive()) {
        lab.startNode(node.id(), limit);
      }
    }
    for (int i = lab.nodes().size(); i < count; i++) {
      String request = "known-state/" + engine.snapshot().takenAt().toEpochMilli();
      NodeId added = lab.provider().add(request, Profile.HOMOGENEOUS, List.of(), limit);
      engine.awaitNode(added, 0, limit);
    }
    for (int i = lab.nodes().size(); i > count; i--) {
      remove(lab.nodes().get(i - 1).id());
    }
    ClusterSnapshot now = await(s -> s.liveNodes().size() == count && s.gaps().isEmpty());
    if (now.ownership() == Ownership.ASSIGNED) {
      for (NodeState node : now.liveNodes()) {
        engine.setDraining(node.id(), false);
        engine.applyProfile(node.id(), Profile.HOMOGENEOUS, limit);
      }
    }
    return now;
  }

  /** As {@link #nodes}, with each table's partitions spread over the nodes and blocks of 64 KiB. */
  public ClusterSnapshot placed() throws EngineException, InterruptedException {
    ClusterSnapshot now = nodes();
    place(now);
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
    ClusterSnapshot now = engine.snapshot();
    if (now.ownership() == Ownership.ASSIGNED) {
      engine.setDraining(leaving, true);
      for (PartitionState p : now.partitions()) {
        if (p.node().filter(leaving::equals).isPresent()) {
          engine.move(p.id(), to, limit);
        }
      }
    }
    engine.vacate(leaving, limit);
    lab.provider().remove(leaving, limit);
  }

  private void place(ClusterSnapshot now) throws EngineException, InterruptedException {
    List<NodeId> live = now.liveNodes().stream().map(NodeState::id).toList();
    String table = "";
    int index = 0;
    List<Callable<Void>> moves = new ArrayList<>();
    for (PartitionState p : ordered(now)) {
      index = p.id().table().equals(table) ? index + 1 : 0;
      table = p.id().table();
      if (index == 0 && p.blockSizeBytes() != BLOCK_BYTES) {
        engine.setBlockSize(table, BLOCK_BYTES, limit);
      }
      NodeId to = live.get(index % live.size());
      if (!p.node().equals(Optional.of(to))) {
        moves.add(
            () -> {
              engine.move(p.id(), to, limit);
              return null;
            });
      }
    }
    atOnce(moves);
  }

  /** Some at a time, as plans move partitions. */
  private static void atOnce(List<Callable<Void>> moves)
      throws EngineException, InterruptedException {
    ExecutorService movers = Executors.newFixedThreadPool(AT_ONCE);
    try {
      for (Future<Void> move : movers.invokeAll(moves)) {
        move.get();
      }
    } catch (ExecutionException e) {
      throw new EngineException("a partition can't be put in its place", e.getCause());
    } finally {
      movers.shutdown();
    }
  }

  private static List<PartitionState> ordered(ClusterSnapshot now) {
    return now.partitions().stream()
        .sorted(
            Comparator.comparing((PartitionState p) -> p.id().table())
                .thenComparing(p -> p.range().start()))
        .toList();
  }

  private ClusterSnapshot await(Predicate<ClusterSnapshot> expected)
      throws EngineException, InterruptedException {
    ClusterSnapshot now = engine.snapshot();
    for (long ms = 0; ms < limit.toMillis(); ms += PAUSE_MS) {
      if (expected.test(now)) {
        return now;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      now = engine.snapshot();
    }
    throw new AssertionError("the cluster is not as a test expects it: " + now);
  }
}

package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.provider.ProviderContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The in-memory cluster of which policies are tried starts nodes as the others do. */
class InMemoryProviderTest extends ProviderContract {
  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 2, TableSpec.of("t", 4, 1L << 20, Access.reads(10))));

  @Override
  protected NodeProvider provider() {
    return cluster.provider();
  }

  private ClusterSnapshot look() {
    cluster.clock().advance(Duration.ofMinutes(5));
    try {
      return cluster.engine().snapshot();
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Set<NodeId> running() {
    return look().liveNodes().stream().map(NodeState::id).collect(Collectors.toSet());
  }

  @Override
  protected long process(NodeId node) {
    return look().node(node).orElseThrow().incarnation();
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    return look().node(node).orElseThrow().profile();
  }

  @Override
  protected void kill(NodeId node) {
    cluster.kill(node);
  }

  /**
   * What it begins is begun when it returns, so that there is nothing between; and no other process
   * can ask, since the cluster is in the memory of this one.
   */
  @Override
  protected void askAndDie(String requestId) throws EngineException {
    provider().add(requestId, Profile.READ, List.of(), LIMIT);
  }

  /** The engine gives a dead node's partitions to others. */
  @Override
  protected boolean replaces() {
    return false;
  }
}

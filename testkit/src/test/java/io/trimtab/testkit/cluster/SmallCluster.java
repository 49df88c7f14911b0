package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;

/** Clusters in memory of one table, whose balancer is paused. */
final class SmallCluster {
  private SmallCluster() {}

  static InMemoryCluster assigned(int nodes, TableSpec... tables) {
    InMemoryCluster cluster = new InMemoryCluster(ClusterSpec.assigned(1, nodes, tables));
    try {
      cluster.engine().setBalancer(BalancerState.PAUSED);
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
    return cluster;
  }

  static TableSpec read(int partitions, long bytes, double rate) {
    return TableSpec.of("t", partitions, bytes, Access.reads(rate));
  }

  static ClusterSnapshot after(InMemoryCluster cluster, Duration time) throws EngineException {
    cluster.clock().advance(time);
    return cluster.engine().snapshot();
  }

  static PartitionState first(InMemoryCluster cluster) throws EngineException {
    return cluster.engine().snapshot().partitions().get(0);
  }

  static NodeId node(int number) {
    return new NodeId("node%03d:16020".formatted(number));
  }
}

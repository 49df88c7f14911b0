package io.trimtab.contract.secure;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseEngine;
import java.time.Duration;

/** What controllers and their operators do to HBase, each for a user who may do none of it. */
enum ForbiddenVerb {
  MOVE("action=ADMIN") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      NodeId from = partition.node().orElseThrow();
      NodeId to =
          now.liveNodes().stream()
              .map(NodeState::id)
              .filter(node -> !node.equals(from))
              .findFirst()
              .orElseThrow();
      engine.move(partition.id(), to, LIMIT);
    }
  },
  /** Its first look is at the table, which is shown to who may also create it. */
  SPLIT("Insufficient permissions") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      RowKey inside = new RowKey(partition.range().start().hex() + "01");
      engine.split(partition.id(), inside, partition.node().orElseThrow(), LIMIT);
    }
  },
  MERGE("action=ADMIN") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      PartitionState left =
          now.partitions().stream()
              .filter(p -> p.id().table().equals(partition.id().table()))
              .filter(p -> p.range().touches(partition.range()))
              .findFirst()
              .orElseThrow();
      KeyRange both = new KeyRange(left.range().start(), partition.range().end());
      engine.merge(left.id(), partition.id(), both, LIMIT);
    }
  },
  /** A server would take the request, and drop it; so the table is looked at first, as above. */
  COMPACT("Insufficient permissions") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.compact(partition.id(), LIMIT);
    }
  },
  /** As above. */
  BLOCK_SIZE("Insufficient permissions") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.setBlockSize(partition.id().table(), partition.blockSizeBytes() * 2, LIMIT);
    }
  },
  BALANCER("action=ADMIN") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.setBalancer(
          new BalancerState(!now.balancer().balancer(), now.balancer().normalizer()));
    }
  },
  PROFILE("ADMIN") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.applyProfile(now.nodes().get(0).id(), Profile.WRITE, LIMIT);
    }
  },
  /** ADMIN or CREATE would do, and HBase names the last that it has looked for. */
  CREATE_TABLE("Insufficient permissions") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.createTable("contract_forbidden");
    }
  },
  CREATE_NAMESPACE("action=ADMIN") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.createTable("forbidden:orders");
    }
  },
  /** As for a table's creation. */
  DROP_TABLE("Insufficient permissions") {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.dropTable(partition.id().table());
    }
  },
  /** A server's mark is written down before it is set. */
  DRAIN(ForbiddenVerb.OF_ZOOKEEPER) {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.setDraining(now.nodes().get(0).id(), true);
    }
  },
  TAKE_CONTROL(ForbiddenVerb.OF_ZOOKEEPER) {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.takeControl("guest").close();
    }
  },
  STOP(ForbiddenVerb.OF_ZOOKEEPER) {
    @Override
    void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
        throws EngineException {
      engine.shared().requestStop("guest");
    }
  };

  /** Of what belongs to the controllers' user: {@code /trimtab} and all below. */
  private static final String OF_ZOOKEEPER = "NoAuth";

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String refusal;

  ForbiddenVerb(String refusal) {
    this.refusal = refusal;
  }

  /** What the one line of its refusal has in it. */
  String refusal() {
    return refusal;
  }

  /**
   * Tries it.
   *
   * @param now as who may see everything sees it
   * @param partition one that does not begin at the first key
   */
  abstract void on(HBaseEngine engine, ClusterSnapshot now, PartitionState partition)
      throws EngineException;
}

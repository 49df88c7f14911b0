package io.trimtab.simulator;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.time.Duration;
import java.util.List;

/** One controller's engine: every operation passes the controller's faults and the oracle. */
record WatchedEngine(Engine engine, SimulatedController by) implements Engine {
  @Override
  public ClusterSnapshot snapshot() throws EngineException {
    if (by.isBeside()) {
      // Only to know since when a node is dead; nothing is decided on it.
      by.reached("snapshot");
      return engine.snapshot();
    }
    by.looks();
    by.reached("snapshot");
    ClusterSnapshot seen = engine.snapshot();
    by.saw(seen);
    return seen;
  }

  /** As the loop looks between plans, at each of its turns. */
  @Override
  public ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    by.turns();
    return snapshot();
  }

  @Override
  public List<SplitHint> splitHints() throws EngineException {
    by.reached("hints");
    return engine.splitHints();
  }

  @Override
  public RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException {
    by.reached("ring-requests");
    return engine.ringRequests(tokensMax, watch);
  }

  @Override
  public void startCounting() throws EngineException {
    by.reached("start-counting");
    engine.startCounting();
  }

  @Override
  public List<BlockHistogram> histograms() throws EngineException {
    by.reached("histograms");
    return engine.histograms();
  }

  @Override
  public void setBalancer(BalancerState target) throws EngineException {
    by.changing("balancer", target.equals(BalancerState.PAUSED) ? "off" : "back");
    by.did("sets the balancer to " + target);
    engine.setBalancer(target);
  }

  @Override
  public void pauseBalancer(Duration limit) throws EngineException {
    by.changing("balancer", "off");
    by.did("sets the balancer to " + BalancerState.PAUSED);
    engine.pauseBalancer(limit);
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    by.changing("move");
    by.oracle().plans().moves(by, partition, to);
    engine.move(partition, to, limit);
  }

  @Override
  public void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException {
    by.changing("split");
    engine.split(partition, key, rightTo, limit);
  }

  @Override
  public void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException {
    by.changing("merge");
    engine.merge(left, right, range, limit);
  }

  @Override
  public void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException {
    by.changing("reconfigure");
    engine.applyProfile(node, profile, limit);
  }

  @Override
  public void set(NodeId node, NodeSetting setting, int value, Duration limit)
      throws EngineException {
    by.changing("set");
    engine.set(node, setting, value, limit);
  }

  @Override
  public void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    by.changing("block-size");
    engine.setBlockSize(table, bytes, limit);
  }

  @Override
  public void compact(PartitionId partition, Duration limit) throws EngineException {
    by.changing("compact");
    engine.compact(partition, limit);
  }

  @Override
  public void setDraining(NodeId node, boolean draining) throws EngineException {
    by.changing("drain", draining ? "close" : "open");
    engine.setDraining(node, draining);
  }

  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    by.reached("await-node");
    engine.awaitNode(node, incarnationBefore, limit);
  }

  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    by.changing("vacate");
    by.oracle().removals().vacates(by, node);
    engine.vacate(node, limit);
  }

  @Override
  public void cleanup(NodeId node, Duration limit) throws EngineException {
    by.changing("cleanup");
    engine.cleanup(node, limit);
  }

  @Override
  public ControlLock takeControl(String owner) throws EngineException {
    by.reached("take-control");
    return by.took(engine.takeControl(owner));
  }

  @Override
  public SharedState shared() {
    return engine.shared();
  }

  @Override
  public void close() {}
}

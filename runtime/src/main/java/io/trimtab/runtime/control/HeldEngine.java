package io.trimtab.runtime.control;

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

/**
 * An engine that changes nothing once the lock has ended: it is asked before every operation, so
 * before every action of a plan, every retry, and every step that tidies up.
 */
public final class HeldEngine implements Engine {
  private final Engine engine;
  private final ControlLock lock;
  private final Runnable balancerFailed;

  /**
   * @param balancerFailed told when setting the engine's own balancing has failed
   */
  public HeldEngine(Engine engine, ControlLock lock, Runnable balancerFailed) {
    this.engine = engine;
    this.lock = lock;
    this.balancerFailed = balancerFailed;
  }

  @Override
  public ClusterSnapshot snapshot() throws EngineException {
    return engine.snapshot();
  }

  @Override
  public ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    return engine.snapshot(held);
  }

  @Override
  public List<SplitHint> splitHints() throws EngineException {
    return engine.splitHints();
  }

  @Override
  public RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException {
    return engine.ringRequests(tokensMax, watch);
  }

  @Override
  public List<BlockHistogram> histograms() throws EngineException {
    return engine.histograms();
  }

  @Override
  public void startCounting() throws EngineException {
    engine.startCounting();
  }

  @Override
  public void setBalancer(BalancerState target) throws EngineException {
    balancing(() -> engine.setBalancer(target));
  }

  @Override
  public void pauseBalancer(Duration limit) throws EngineException {
    balancing(() -> engine.pauseBalancer(limit));
  }

  private void balancing(Change change) throws EngineException {
    lock.require();
    try {
      change.run();
    } catch (EngineException | RuntimeException e) {
      balancerFailed.run();
      throw e;
    }
  }

  @FunctionalInterface
  private interface Change {
    void run() throws EngineException;
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    lock.require();
    engine.move(partition, to, limit);
  }

  @Override
  public void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException {
    lock.require();
    engine.split(partition, key, rightTo, limit);
  }

  @Override
  public void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException {
    lock.require();
    engine.merge(left, right, range, limit);
  }

  @Override
  public void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException {
    lock.require();
    engine.applyProfile(node, profile, limit);
  }

  @Override
  public void set(NodeId node, NodeSetting setting, int value, Duration limit)
      throws EngineException {
    lock.require();
    engine.set(node, setting, value, limit);
  }

  @Override
  public void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    lock.require();
    engine.setBlockSize(table, bytes, limit);
  }

  @Override
  public void compact(PartitionId partition, Duration limit) throws EngineException {
    lock.require();
    engine.compact(partition, limit);
  }

  @Override
  public void setDraining(NodeId node, boolean draining) throws EngineException {
    lock.require();
    engine.setDraining(node, draining);
  }

  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    // A new node may make the engine change where the controllers' own rows are kept.
    lock.require();
    engine.awaitNode(node, incarnationBefore, limit);
  }

  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    lock.require();
    engine.vacate(node, limit);
  }

  @Override
  public void cleanup(NodeId node, Duration limit) throws EngineException {
    lock.require();
    engine.cleanup(node, limit);
  }

  @Override
  public ControlLock takeControl(String owner) {
    throw new IllegalStateException("control is held already");
  }

  @Override
  public SharedState shared() {
    return engine.shared();
  }

  /** Whoever opened the engine closes it. */
  @Override
  public void close() {}
}

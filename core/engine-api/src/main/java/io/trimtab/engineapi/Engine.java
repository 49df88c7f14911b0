package io.trimtab.engineapi;

import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.time.Duration;
import java.util.List;

/**
 * A live cluster, seen from outside. Every verb is idempotent and returns when its effect is in
 * force and verified, or throws within its time limit; an interrupt of the thread ends the wait
 * with an {@code EngineException}. Thread-safe.
 */
public interface Engine extends AutoCloseable {

  /**
   * What the cluster is now. Usage is told since the last call of this method by anybody, and over
   * about a second for a node's first time; whoever decides by it calls {@link
   * #snapshot(UsageReadings)}. Nothing else in a snapshot depends on earlier ones, and no other
   * verb takes part in this.
   */
  ClusterSnapshot snapshot() throws EngineException;

  /**
   * The same, with usage since the caller's own previous snapshot, whoever else took one meanwhile;
   * over about a second for a node's first time. An engine whose usage needs no interval has
   * nothing to keep.
   *
   * @param held the caller's readings, which are renewed
   */
  default ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    return snapshot();
  }

  /** Switches the engine's own movers on or off. */
  void setBalancer(BalancerState wanted) throws EngineException;

  /** Moves a partition and waits until the node serves it; done at once when it does already. */
  void move(PartitionId partition, NodeId to, Duration limit) throws EngineException;

  /** Where the requests of partitions halve; partitions that no plug-in follows are left out. */
  List<SplitHint> splitHints() throws EngineException;

  /**
   * Which tokens are asked for, watched for so long; {@link RingRequests#unknown}, and at once,
   * where there is no ring.
   *
   * @param tokensMax of a node; where one has more, it is not worth the watching
   */
  RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException;

  /**
   * Begins to count how often blocks are asked for, on every node that serves now and does not
   * count yet; a node that joins or restarts later counts once this is called again. Nothing where
   * no plug-in can count.
   */
  void startCounting() throws EngineException;

  /**
   * How often the blocks of partitions are asked for, since their nodes have counted ({@link
   * #startCounting}); partitions that no plug-in follows are left out.
   */
  List<BlockHistogram> histograms() throws EngineException;

  /**
   * Splits the partition that holds the key, unless one begins there already, and takes the right
   * half to a node; returns when both halves are served.
   */
  void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException;

  /** Merges two neighbours, unless they are one already; returns when the result is served. */
  void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException;

  /** Applies a profile's memory split without a restart; refused where the plug-in is missing. */
  void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException;

  /** Sets what the node lets change while it runs; refused where the engine has no such thing. */
  void set(NodeId node, NodeSetting setting, int value, Duration limit) throws EngineException;

  /** Sets the block size of a table's future store files; may reopen its partitions, one by one. */
  void setBlockSize(String table, int bytes) throws EngineException;

  /** Major-compacts a partition and waits until it is done. */
  void compact(PartitionId partition, Duration limit) throws EngineException;

  /** Closes (or opens again) a node for new partitions. */
  void setDraining(NodeId node, boolean draining) throws EngineException;

  /** Waits until the node serves, with an incarnation other than {@code before}. */
  void awaitNode(NodeId node, long incarnationBefore, Duration limit) throws EngineException;

  /**
   * Sees to it that the node may be stopped for good: every datum has all its copies, without this
   * node where the engine keeps them itself. The node's machine may be taken away afterwards.
   */
  void vacate(NodeId node, Duration limit) throws EngineException;

  /** Drops what the node holds of ranges that it no longer owns; nothing where there is no such. */
  void cleanup(NodeId node, Duration limit) throws EngineException;

  /**
   * Makes this process the cluster's only controller until the lock is closed or the process dies;
   * refused, naming the holder, while another one is.
   */
  ControlLock takeControl(String owner) throws EngineException;

  @Override
  void close();
}

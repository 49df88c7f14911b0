package io.trimtab.engineapi;

import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.time.Duration;
import java.util.List;

/**
 * A live cluster, controlled from outside. Every operation is idempotent and returns when its
 * effect is in force and verified, or throws within its time limit; an interrupt of the thread ends
 * the wait with an {@code EngineException}. Thread-safe.
 */
public interface Engine extends AutoCloseable {

  /**
   * The current state of the cluster. Usage is measured since the last call of this method by any
   * caller, and over about a second for a node that is new; for decisions use {@link
   * #snapshot(UsageReadings)}. Nothing else in a snapshot depends on earlier ones, and no other
   * operation affects the interval.
   */
  ClusterSnapshot snapshot() throws EngineException;

  /**
   * The current state of the cluster, with usage since the caller's own previous snapshot,
   * independent of other callers; over about a second for a node that is new. An engine whose usage
   * needs no interval ignores the readings.
   *
   * @param held the caller's readings, which are updated
   */
  default ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    return snapshot();
  }

  /** Switches the engine's own balancing on or off; what it has begun to move, it still moves. */
  void setBalancer(BalancerState target) throws EngineException;

  /**
   * Switches the engine's own balancing off, and waits until it moves no partition any more; that
   * may take minutes.
   *
   * @throws EngineException also at the limit; balancing is off then
   */
  void pauseBalancer(Duration limit) throws EngineException;

  /** Moves a partition and waits until the node serves it; returns at once if it already does. */
  void move(PartitionId partition, NodeId to, Duration limit) throws EngineException;

  /**
   * The keys at which the requests of partitions halve; partitions that no plug-in observes are
   * left out.
   */
  List<SplitHint> splitHints() throws EngineException;

  /**
   * Samples the requested tokens of a ring; returns {@link RingRequests#unknown} at once if there
   * is no ring.
   *
   * @param tokensMax tokens per node; if a node has more, nothing is sampled
   * @param watch duration of the sampling
   */
  RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException;

  /**
   * Starts counting block accesses on every live node that does not count yet. Nodes that join or
   * restart later start counting when this is called again. Does nothing if no plug-in can count.
   */
  void startCounting() throws EngineException;

  /**
   * Access counts of the blocks of partitions, since their nodes started counting ({@link
   * #startCounting}); partitions that no plug-in observes are left out.
   */
  List<BlockHistogram> histograms() throws EngineException;

  /**
   * Splits the partition that holds the key, unless a partition already begins there, and moves the
   * right half to a node; returns when both halves are served.
   */
  void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException;

  /**
   * Merges two adjacent partitions, unless they are merged already; returns when the result is
   * served.
   */
  void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException;

  /** Applies a profile's memory split without a restart; rejected if the plug-in is missing. */
  void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException;

  /** Changes a setting of a node online; rejected if the engine does not have the setting. */
  void set(NodeId node, NodeSetting setting, int value, Duration limit) throws EngineException;

  /**
   * Sets the block size of a table's future store files; may reopen its partitions, one by one.
   *
   * @param limit for all of it, including the wait for a change of the table that is under way
   */
  void setBlockSize(String table, int bytes, Duration limit) throws EngineException;

  /** Major-compacts a partition and waits until it is done. */
  void compact(PartitionId partition, Duration limit) throws EngineException;

  /**
   * Sets whether a node is draining, that is closed for new partitions. What the database keeps on
   * it for itself leaves a node that is draining.
   */
  void setDraining(NodeId node, boolean draining) throws EngineException;

  /** Waits until the node serves, with an incarnation other than {@code before}. */
  void awaitNode(NodeId node, long incarnationBefore, Duration limit) throws EngineException;

  /**
   * Makes the node safe to stop permanently: all data have all their copies, without this node if
   * the engine stores copies on its nodes. The node's machine may be released afterwards.
   */
  void vacate(NodeId node, Duration limit) throws EngineException;

  /** Deletes a node's data of ranges that it no longer owns; does nothing if there are none. */
  void cleanup(NodeId node, Duration limit) throws EngineException;

  /**
   * Makes this process the cluster's only controller until the lock is closed or the process dies;
   * rejected with a {@link ControlTakenException}, which names the holder, while there is another
   * controller. It also says how soon the lock ends if the holder is dead: where the engine has to
   * watch for signs of life, that takes repeated calls.
   */
  ControlLock takeControl(String owner) throws EngineException;

  /** What the cluster keeps about its controllers. */
  SharedState shared();

  @Override
  void close();
}

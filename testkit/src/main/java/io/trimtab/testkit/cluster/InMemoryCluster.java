package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.control.MemoryControl;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * A cluster in memory, of either ownership, that lives in virtual time: the same seed, script and
 * calls give the same snapshots to the last digit. Usage follows placement and caches by {@link
 * UsageLaw}, which tells how far that is from what policies predict with. Thread-safe; no monitor
 * is held while a verb takes its time, so that others can look meanwhile.
 */
public final class InMemoryCluster {
  private final ClusterState state;
  private final VirtualClock clock;
  private final Faults faults = new Faults();
  private final MemoryControl control;
  private final InMemoryEngine engine;
  private final InMemoryProvider provider;

  /** Verbs advance the clock by the time that they take. */
  public InMemoryCluster(ClusterSpec spec) {
    this(spec, new VirtualClock());
  }

  /** The same with a clock that others read too. */
  public InMemoryCluster(ClusterSpec spec, VirtualClock clock) {
    this(spec, clock, clock::advance);
  }

  /**
   * @param pause how verbs take their time; the clock must have advanced when it returns
   */
  public InMemoryCluster(ClusterSpec spec, VirtualClock clock, Pause pause) {
    this.clock = clock;
    this.state = new ClusterState(spec, clock.instant());
    this.control = new MemoryControl(clock);
    VerbRunner runner = new VerbRunner(state, clock, pause, faults);
    this.engine = new InMemoryEngine(state, runner, faults, control);
    this.provider = new InMemoryProvider(state, runner);
  }

  public Engine engine() {
    return engine;
  }

  public NodeProvider provider() {
    return provider;
  }

  public VirtualClock clock() {
    return clock;
  }

  /** What goes wrong from now on. */
  public Faults faults() {
    return faults;
  }

  /** The node's process dies at once. */
  public void kill(NodeId node) {
    synchronized (state) {
      state.advanceTo(clock.instant());
      state.kill(model(node));
    }
  }

  /** A partition is served there as at a start: nothing of it is cached, and its files are near. */
  public void place(PartitionId partition, NodeId node) {
    synchronized (state) {
      state.advanceTo(clock.instant());
      PartitionModel p = state.partitions.get(partition);
      if (p == null) {
        throw new IllegalArgumentException("no partition " + partition);
      }
      state.place(p, model(node));
      p.locality = 1;
    }
  }

  /** What a node tells of its disks from now on, whatever is moved. */
  public void setDisk(NodeId node, DiskSpace disk) {
    synchronized (state) {
      model(node).disk = disk;
    }
  }

  /** What a node tells that it does beside serving, from now on. */
  public void setMaintenance(NodeId node, List<String> work) {
    synchronized (state) {
      model(node).work = List.copyOf(work);
    }
  }

  /** The disks of every node, later ones too, are so large, and full of what it serves. */
  public void setDisks(long capacityBytes) {
    synchronized (state) {
      state.diskBytes = capacityBytes;
    }
  }

  /** What every node tells of its response times from now on, made of what it would tell. */
  public void setTimes(UnaryOperator<RequestTimes> told) {
    synchronized (state) {
      state.timesTold = told;
    }
  }

  /** A dead node's process starts, and serves after the time that a restart takes. */
  public void start(NodeId node) {
    synchronized (state) {
      state.advanceTo(clock.instant());
      NodeModel model = model(node);
      state.after(
          state.spec.times().restart(),
          () -> {
            // One that was replaced meanwhile is refused by the others.
            if (!model.alive && model.member && state.nodes.get(node) == model) {
              // The mark is that of the process which is gone.
              model.draining = false;
              state.begin(model);
            }
          });
    }
  }

  /** The node dies later, and stays dead. */
  public void killAfter(NodeId node, Duration time) {
    synchronized (state) {
      state.advanceTo(clock.instant());
      state.after(time, () -> state.kill(model(node)));
    }
  }

  /** The cluster as it is, whatever is scripted to go wrong with snapshots. */
  public ClusterSnapshot truth() {
    synchronized (state) {
      state.advanceTo(clock.instant());
      return Snapshots.of(state);
    }
  }

  /** What its nodes have done since the cluster began, those that have left included. */
  public ServedTotals totals() {
    synchronized (state) {
      state.advanceTo(clock.instant());
      return ServedTotals.of(state);
    }
  }

  /** The controllers' lock and documents. */
  public MemoryControl control() {
    return control;
  }

  /** Whether the master or a quorum answers. */
  public void setCoordinatorHealthy(boolean healthy) {
    synchronized (state) {
      state.advanceTo(clock.instant());
      state.coordinatorHealthy = healthy;
    }
  }

  /** Who has which token; empty where there is no ring. */
  public SortedMap<Long, NodeId> tokens() {
    return engine.owners();
  }

  /** Whether the node's stop was ordered before it had joined a ring, and came when it had. */
  public boolean stoppedAsMember(NodeId node) {
    synchronized (state) {
      state.advanceTo(clock.instant());
      NodeModel model = state.nodes.get(node);
      return model != null && !model.alive && model.stoppedAsMember;
    }
  }

  /** Processes that were started for a node that has not joined. */
  public List<NodeId> joining() {
    synchronized (state) {
      state.advanceTo(clock.instant());
      return state.nodes.values().stream()
          .filter(n -> !n.member && n.incarnation == 0)
          .map(n -> n.id)
          .toList();
    }
  }

  /** Live nodes whose next start would find a profile other than that which they have. */
  public List<NodeId> unpersisted() {
    synchronized (state) {
      state.advanceTo(clock.instant());
      return state.nodes.values().stream()
          .filter(n -> n.alive && n.member && !n.profile.sameMemory(n.persisted))
          .map(n -> n.id)
          .toList();
    }
  }

  private NodeModel model(NodeId node) {
    NodeModel model = state.nodes.get(node);
    if (model == null) {
      throw new IllegalArgumentException("no node " + node);
    }
    return model;
  }
}

package io.trimtab.testkit.cluster;

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
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.testkit.cluster.Faults.Fault;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.control.MemoryControl;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The verbs of an {@link InMemoryCluster}. */
final class InMemoryEngine implements Engine {
  private final ClusterState state;
  private final VerbRunner runner;
  private final Faults faults;
  private final RequestFigures figures;
  private final PartitionVerbs partitions;
  private ClusterSnapshot lastSnapshot;
  private final MemoryControl control;

  InMemoryEngine(ClusterState state, VerbRunner runner, Faults faults, MemoryControl control) {
    this.state = state;
    this.control = control;
    this.runner = runner;
    this.faults = faults;
    this.figures = new RequestFigures(state);
    this.partitions = new PartitionVerbs(state, runner);
  }

  @Override
  public ClusterSnapshot snapshot() throws EngineException {
    synchronized (state) {
      runner.advance();
      Optional<Fault> fault = runner.next(Verb.SNAPSHOT, null);
      if (fault.isPresent()) {
        return wrong(fault.get());
      }
      lastSnapshot = Snapshots.of(state);
      return lastSnapshot;
    }
  }

  private ClusterSnapshot wrong(Fault fault) throws EngineException {
    NodeId node = faults.meant(fault).orElse(state.members().get(0).id);
    return switch (fault.kind()) {
      case GAP -> Snapshots.withGap(Snapshots.of(state), node);
      case NAN -> Snapshots.withoutUsage(Snapshots.of(state), node);
      case STALE -> lastSnapshot == null ? Snapshots.of(state) : lastSnapshot;
      default -> throw new EngineException("the cluster does not answer: scripted fault");
    };
  }

  @Override
  public void setBalancer(BalancerState target) throws EngineException {
    synchronized (state) {
      runner.advance();
      if (state.balancer.equals(target)) {
        return;
      }
    }
    Duration takes = state.spec.times().change();
    runner.run(
        Verb.SET_BALANCER,
        null,
        "the balancer",
        takes,
        takes.multipliedBy(100),
        () -> state.setBalancer(target),
        () -> {});
  }

  /** What this cluster balances it moves at once. */
  @Override
  public void pauseBalancer(Duration limit) throws EngineException {
    setBalancer(BalancerState.PAUSED);
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    partitions.move(partition, to, limit);
  }

  @Override
  public void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException {
    partitions.split(partition, key, rightTo, limit);
  }

  @Override
  public void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException {
    partitions.merge(left, right, range, limit);
  }

  @Override
  public void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    partitions.setBlockSize(table, bytes, limit);
  }

  @Override
  public void compact(PartitionId partition, Duration limit) throws EngineException {
    partitions.compact(partition, limit);
  }

  @Override
  public List<SplitHint> splitHints() {
    synchronized (state) {
      runner.advance();
      return figures.splitHints();
    }
  }

  /** Everything is counted anyhow. */
  @Override
  public void startCounting() {
    // What is counted is kept until then.
    histograms();
  }

  @Override
  public List<BlockHistogram> histograms() {
    synchronized (state) {
      runner.advance();
      return figures.histograms();
    }
  }

  @Override
  public RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException {
    if (!state.ring()) {
      return RingRequests.unknown("there is no ring");
    }
    if (state.spec.claims()) {
      return RingRequests.unknown("nodes claim equal parts of the ring, and nobody chooses them");
    }
    synchronized (state) {
      for (NodeModel node : state.members()) {
        if (node.tokens.size() > tokensMax) {
          return new RingRequests(
              figures.owners(),
              new TreeMap<>(),
              "node " + node.id + " has " + node.tokens.size() + " tokens, more than " + tokensMax);
        }
      }
    }
    runner.await("watching the ring", watch.plusSeconds(2), later(watch));
    synchronized (state) {
      return figures.ringRequests(watch);
    }
  }

  private java.util.function.BooleanSupplier later(Duration watch) {
    synchronized (state) {
      runner.advance();
      var end = state.now.plus(watch);
      return () -> !state.now.isBefore(end);
    }
  }

  @Override
  public void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException {
    synchronized (state) {
      runner.advance();
      NodeModel model = serving(node);
      if (!state.spec.online()) {
        throw new EngineException("node " + node + ": profiles need a restart here");
      }
      if (model.profile.sameMemory(profile)) {
        return;
      }
    }
    runner.run(
        Verb.APPLY_PROFILE,
        node,
        "the profile of node " + node,
        state.spec.times().change(),
        limit,
        () -> {
          NodeModel model = serving(node);
          model.profile = profile;
          model.changed = true;
        },
        () -> {});
  }

  @Override
  public void set(NodeId node, NodeSetting setting, int value, Duration limit)
      throws EngineException {
    synchronized (state) {
      runner.advance();
      NodeModel model = serving(node);
      if (!model.settings.containsKey(setting)) {
        throw new EngineException("node " + node + ": it has no " + setting.title() + " to set");
      }
      if (model.settings.get(setting) == value) {
        return;
      }
    }
    runner.run(
        Verb.SET,
        node,
        "the " + setting.title() + " of node " + node,
        state.spec.times().change(),
        limit,
        () -> serving(node).settings.put(setting, value),
        () -> {});
  }

  private NodeModel serving(NodeId node) throws EngineException {
    return state
        .live(node)
        .orElseThrow(() -> new EngineException("node " + node + " does not serve"));
  }

  @Override
  public void setDraining(NodeId node, boolean draining) throws EngineException {
    synchronized (state) {
      runner.advance();
      NodeModel model = serving(node);
      if (model.draining == draining) {
        return;
      }
      if (state.ring()) {
        throw new EngineException("node " + node + ": a node of a ring serves what it owns");
      }
    }
    Duration takes = state.spec.times().change();
    runner.run(
        Verb.SET_DRAINING,
        node,
        "draining node " + node,
        takes,
        takes.multipliedBy(100),
        () -> serving(node).draining = draining,
        () -> {});
  }

  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    Optional<Fault> fault = runner.next(Verb.AWAIT_NODE, node);
    if (fault.isPresent() && fault.get().kind() == Faults.Kind.FAIL) {
      throw new EngineException("node " + node + " does not answer: scripted fault");
    }
    boolean never = fault.isPresent() && fault.get().kind() != Faults.Kind.SLOW;
    runner.await(
        "the start of node " + node,
        limit,
        () ->
            !never && state.live(node).filter(n -> n.incarnation != incarnationBefore).isPresent());
  }

  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    NodeModel model;
    double bytes;
    synchronized (state) {
      runner.advance();
      model = state.nodes.get(node);
      if (model == null || !model.member) {
        return;
      }
      long left = state.liveCount() - (model.alive ? 1 : 0);
      if (left < state.spec.replication()) {
        throw new EngineException(
            "node %s can't leave: %d nodes could not hold %d copies"
                .formatted(node, left, state.spec.replication()));
      }
      model.draining = true;
      bytes = Arrays.stream(model.serves()).mapToDouble(p -> p.bytes).sum();
    }
    runner.run(
        Verb.VACATE,
        node,
        "vacating node " + node,
        state.ring() ? state.spec.times().streaming(bytes) : state.spec.times().change(),
        limit,
        () -> {
          if (state.ring()) {
            NodeChanges.leaveRing(state, model);
          }
        },
        () -> {});
  }

  @Override
  public void cleanup(NodeId node, Duration limit) throws EngineException {
    double bytes = 0;
    synchronized (state) {
      runner.advance();
      NodeModel model = serving(node);
      if (!state.ring()) {
        return;
      }
      for (PartitionModel p : model.serves()) {
        bytes += p.bytes > state.ownedBytes(p) + 1 ? p.bytes : 0;
      }
      if (bytes == 0) {
        return;
      }
    }
    runner.run(
        Verb.CLEANUP,
        node,
        "cleaning up node " + node,
        state.spec.times().compaction(bytes),
        limit,
        () -> {
          NodeModel model = serving(node);
          for (PartitionModel p : model.serves()) {
            p.bytes = Math.min(p.bytes, state.ownedBytes(p));
          }
          model.changed = true;
        },
        () -> {});
  }

  @Override
  public ControlLock takeControl(String owner) throws EngineException {
    synchronized (state) {
      runner.advance();
      if (runner.next(Verb.TAKE_CONTROL, null).isPresent()) {
        throw new EngineException("the lock can't be taken: scripted fault");
      }
    }
    return control.take(owner);
  }

  @Override
  public MemoryControl shared() {
    return control;
  }

  /** The tokens of the ring and who has them; for tests. */
  TreeMap<Long, NodeId> owners() {
    synchronized (state) {
      return figures.owners();
    }
  }

  @Override
  public void close() {}
}

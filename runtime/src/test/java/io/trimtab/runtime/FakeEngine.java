package io.trimtab.runtime;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.ReplicaView;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.testkit.control.MemoryControl;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A cluster in memory that keeps what it is told; a unit-test double only. */
public final class FakeEngine implements Engine {
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  final Map<PartitionId, NodeId> placement = new TreeMap<>();
  final Map<PartitionId, KeyRange> ranges = new TreeMap<>();
  final Map<NodeId, Profile> profiles = new TreeMap<>();
  final Map<NodeId, Map<NodeSetting, Integer>> settings = new TreeMap<>();
  final Map<String, Integer> blockSizes = new TreeMap<>();
  final Set<NodeId> draining = new TreeSet<>();

  /** CPU of the nodes that do not use 0.9. */
  final Map<NodeId, Double> used = new TreeMap<>();

  final List<String> verbs = new ArrayList<>();
  final List<SplitHint> hints = new ArrayList<>();
  RingRequests ring;
  int counting;
  int hintsAsked;
  int histogramsAsked;
  volatile long incarnation = 1;
  NodeGauges gauges = NodeGauges.UNKNOWN;

  /** Those of single snapshots, counted from 1. */
  volatile Map<Long, NodeGauges> gaugesAt = Map.of();

  BalancerState balancer = new BalancerState(true, true);
  volatile boolean movesHang;
  volatile boolean movesFail;
  volatile boolean nodesNeverServe;
  volatile Ownership ownership = Ownership.ASSIGNED;
  volatile boolean lockLost;
  volatile long lockLostAtSnapshot;
  volatile long awayAfterSnapshots = Long.MAX_VALUE;
  volatile String gap = "";

  /** Every node ranks replicas, and chooses this one for few of a thousand reads a snapshot. */
  volatile Optional<NodeId> avoided = Optional.empty();

  /** As HBase without its master: a snapshot without nodes, and with a gap. */
  volatile boolean masterAway;

  /** How old snapshots are when they are given. */
  volatile Duration age = Duration.ZERO;

  /** Which snapshots, counted from 1, are as old as that. */
  volatile Map<Long, Duration> ages = Map.of();

  private final Clock clock;
  private final MemoryControl control;
  private long snapshots;

  public FakeEngine(int nodes, int partitions) {
    this(nodes, partitions, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  /** A cluster whose time goes on: every snapshot counts a thousand more reads a partition. */
  public FakeEngine(int nodes, int partitions, Clock clock) {
    this.clock = clock;
    this.control = new MemoryControl(clock);
    for (int i = 0; i < nodes; i++) {
      profiles.put(new NodeId("n" + i + ":1"), Profile.HOMOGENEOUS);
    }
    for (int i = 0; i < partitions; i++) {
      placement.put(new PartitionId("t", "p" + i), new NodeId("n" + i % nodes + ":1"));
    }
  }

  private synchronized void logCall(String verb) {
    verbs.add(verb);
  }

  @Override
  public synchronized ClusterSnapshot snapshot() throws EngineException {
    if (snapshots >= awayAfterSnapshots) {
      throw new EngineException("zookeeper:2181 does not answer");
    }
    snapshots++;
    if (masterAway) {
      return snapshot(List.of(), List.of(), "the master does not answer");
    }
    if (snapshots == lockLostAtSnapshot) {
      control.lose();
    }
    List<NodeState> nodes = new ArrayList<>();
    profiles.forEach(
        (id, profile) -> {
          NodeState node =
              new NodeState(
                  id,
                  incarnation,
                  true,
                  draining.contains(id),
                  Optional.of(profile),
                  true,
                  new NodeUsage(used.getOrDefault(id, 0.9), 0, 0, 0.9),
                  gaugesAt.getOrDefault(snapshots, gauges),
                  settings.getOrDefault(id, Map.of()));
          nodes.add(avoided.map(few -> node.with(view(few))).orElse(node));
        });
    List<PartitionState> partitions = new ArrayList<>();
    placement.forEach(
        (id, node) ->
            partitions.add(
                new PartitionState(
                    id,
                    Optional.of(node),
                    new PartitionCounters(1_000 * snapshots, 0, 0, 0),
                    1,
                    0.5,
                    blockSizes.getOrDefault(id.table(), 32768),
                    ranges.getOrDefault(id, KeyRange.ALL))));
    return snapshot(nodes, partitions, gap);
  }

  private CoordinatorView view(NodeId few) {
    return new CoordinatorView(
        "fake",
        false,
        profiles.keySet().stream()
            .map(
                id ->
                    new ReplicaView(
                        id,
                        OptionalDouble.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.of(id.equals(few) ? 31 : 6),
                        OptionalDouble.empty(),
                        OptionalLong.of(1_000 * snapshots),
                        OptionalLong.of((id.equals(few) ? 50 : 475) * snapshots)))
            .toList());
  }

  private ClusterSnapshot snapshot(
      List<NodeState> nodes, List<PartitionState> partitions, String missing) {
    return new ClusterSnapshot(
        clock.instant().minus(ages.getOrDefault(snapshots, age)),
        "fake",
        "fake",
        ownership,
        "1",
        1,
        nodes,
        partitions,
        0,
        List.of(),
        balancer,
        missing.isEmpty() ? List.of() : List.of(missing));
  }

  @Override
  public synchronized List<SplitHint> splitHints() {
    hintsAsked++;
    return hints;
  }

  @Override
  public synchronized RingRequests ringRequests(int tokensMax, Duration watch)
      throws EngineException {
    if (ring == null) {
      throw new EngineException("nobody sampled");
    }
    return ring;
  }

  @Override
  public synchronized void startCounting() {
    counting++;
  }

  @Override
  public synchronized List<BlockHistogram> histograms() {
    histogramsAsked++;
    return List.of();
  }

  @Override
  public synchronized void split(
      PartitionId partition, RowKey key, NodeId rightTo, Duration limit) {
    logCall("split " + partition + " at " + key);
    NodeId at = placement.remove(partition);
    if (at != null) {
      placement.put(new PartitionId(partition.table(), partition.name() + "-left"), at);
      PartitionId right = new PartitionId(partition.table(), partition.name() + "-right");
      placement.put(right, rightTo);
      ranges.put(right, new KeyRange(key, RowKey.EMPTY));
    }
  }

  @Override
  public synchronized void merge(
      PartitionId left, PartitionId right, KeyRange range, Duration limit) {
    logCall("merge " + left + " with " + right);
    placement.remove(right);
  }

  @Override
  public synchronized void setBalancer(BalancerState wanted) {
    logCall("balancer " + wanted.balancer());
    balancer = wanted;
  }

  @Override
  public void pauseBalancer(Duration limit) {
    setBalancer(BalancerState.PAUSED);
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    logCall("move");
    if (movesFail) {
      throw new EngineException("node " + to + " does not answer");
    }
    if (movesHang) {
      try {
        Thread.sleep(limit.toMillis());
      } catch (InterruptedException e) {
        throw new EngineException("interrupted", e);
      }
    }
    synchronized (this) {
      placement.put(partition, to);
    }
  }

  @Override
  public synchronized void applyProfile(NodeId node, Profile profile, Duration limit) {
    logCall("profile");
    profiles.put(node, profile);
  }

  @Override
  public synchronized void set(NodeId node, NodeSetting setting, int value, Duration limit) {
    logCall("set " + node + " " + setting + " " + value);
    settings.put(node, Map.of(setting, value));
  }

  @Override
  public synchronized void setBlockSize(String table, int bytes, Duration limit) {
    logCall("block size");
    blockSizes.put(table, bytes);
  }

  @Override
  public void compact(PartitionId partition, Duration limit) {
    logCall("compact");
  }

  @Override
  public synchronized void setDraining(NodeId node, boolean wanted) {
    logCall("drain " + wanted);
    if (wanted) {
      draining.add(node);
    } else {
      draining.remove(node);
    }
  }

  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    logCall("await " + node);
    if (nodesNeverServe) {
      throw new EngineException("node " + node + " is not in service after 1 s: it is JOINING");
    }
    synchronized (this) {
      profiles.putIfAbsent(node, Profile.HOMOGENEOUS);
    }
  }

  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    logCall("vacate " + node);
    if (ownership == Ownership.TOKENS) {
      draining.add(node);
      throw new EngineException("node " + node + " can't leave the ring: another one is down");
    }
  }

  @Override
  public void cleanup(NodeId node, Duration limit) {
    logCall("cleanup " + node);
  }

  @Override
  public ControlLock takeControl(String owner) throws EngineException {
    ControlLock lock = control.take(owner);
    if (lockLost) {
      control.lose();
    }
    return lock;
  }

  @Override
  public MemoryControl shared() {
    return control;
  }

  @Override
  public void close() {}
}

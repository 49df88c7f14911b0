package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Everything that there is of an in-memory cluster, at the moment up to which it was advanced. Its
 * methods are called with its monitor held.
 */
final class ClusterState {
  private record Event(Instant at, long number, Runnable what) {}

  final ClusterSpec spec;
  final Instant began;
  final UsageLaw law;
  final NavigableMap<NodeId, NodeModel> nodes = new TreeMap<>();
  final NavigableMap<PartitionId, PartitionModel> partitions = new TreeMap<>();

  /** Of the map, which is walked at each look; null after it has changed. */
  private PartitionModel[] every;

  final Map<String, TableModel> tables = new TreeMap<>();
  final Set<PartitionId> inTransition = new TreeSet<>();
  BalancerState balancer = new BalancerState(true, true);
  boolean coordinatorHealthy = true;

  /** What nodes tell of their response times, made of what they would tell. */
  UnaryOperator<RequestTimes> timesTold = UnaryOperator.identity();

  /** Capacity of every node's disks; 0 if it is unknown, or a test sets it for each node. */
  long diskBytes;

  Instant now;

  /** Nodes by the request that each was started for. */
  final Map<String, NodeId> requests = new TreeMap<>();

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::number));
  private long numbers;
  private long effects = Long.MAX_VALUE / 2;
  private int named;

  /** For which nodes were up, all together. */
  double upSeconds;

  /** Of these, in which a node was asked for more than it can do. */
  double overloadedSeconds;

  private final Serving serving;
  private boolean sharesKnown;
  private boolean balancing;

  ClusterState(ClusterSpec spec, Instant began) {
    this.spec = spec;
    this.began = began;
    this.now = began;
    this.law = new UsageLaw(spec);
    this.serving = new Serving(this);
    for (int i = 0; i < spec.nodes(); i++) {
      NodeModel node = newNode(spec.profile());
      begin(node);
      if (ring() && !spec.claims()) {
        node.tokens.addAll(Ring.draw(spec.tokensEach(), node.seed, tokens()));
      }
    }
    List<NodeModel> order = List.copyOf(nodes.values());
    Claim.begin(order, spec.ringParts());
    int next = 0;
    for (TableSpec table : spec.tables()) {
      TableModel model = new TableModel(table);
      tables.put(table.name(), model);
      if (!ring()) {
        for (int i = 0; i < table.partitions(); i++) {
          PartitionModel p = partition(model, range(i, table.partitions()));
          p.bytes = (double) table.bytes() / table.partitions();
          place(p, order.get(next++ % order.size()));
        }
      }
    }
    shareTokens(false);
    scheduleBalancer();
  }

  boolean ring() {
    return spec.ownership() == Ownership.TOKENS;
  }

  private static KeyRange range(int i, int of) {
    return new KeyRange(
        i == 0 ? RowKey.EMPTY : PartitionModel.key((double) i / of),
        i == of - 1 ? RowKey.EMPTY : PartitionModel.key((i + 1.0) / of));
  }

  /** Grows with every call: start codes and the like. */
  long number() {
    return ++numbers;
  }

  NodeModel newNode(Profile profile) {
    named++;
    NodeId id = new NodeId("node%03d:%d".formatted(named, ring() ? 9042 : 16020));
    NodeModel node = new NodeModel(id, profile, spec.seed());
    if (ring() && !spec.claims()) {
      node.settings.put(NodeSetting.KEY_CACHE, 50);
      node.settings.put(NodeSetting.COMPACTION_THROUGHPUT, 64);
    }
    if (ring() && spec.racks() > 1) {
      node.rack = "rack" + named % spec.racks();
    }
    nodes.put(id, node);
    return node;
  }

  /** A new partition that no node serves yet. */
  PartitionModel partition(TableModel table, KeyRange range) {
    String name = "p%06d".formatted(number());
    PartitionModel p =
        new PartitionModel(
            new PartitionId(table.spec.name(), name), table, range, table.blockBytes);
    partitions.put(p.id, p);
    every = null;
    sharesKnown = false;
    return p;
  }

  /** All partitions, by id. */
  PartitionModel[] every() {
    if (every == null) {
      every = partitions.values().toArray(new PartitionModel[0]);
    }
    return every;
  }

  /** Asked of every partition, while mostly none is. */
  boolean moving(PartitionModel p) {
    return !inTransition.isEmpty() && inTransition.contains(p.id);
  }

  void forget(PartitionModel p) {
    place(p, null);
    partitions.remove(p.id);
    every = null;
    inTransition.remove(p.id);
  }

  /** Gives a partition to a node, or to none: closed there, opened here. */
  void place(PartitionModel p, NodeModel to) {
    if (p.node == to) {
      return;
    }
    if (p.node != null) {
      p.node.close(p);
      p.locality = 0;
    }
    p.node = to;
    p.reopened();
    p.resident = 0;
    p.steadyHit = 0;
    if (to != null) {
      to.open(p);
    }
  }

  Optional<NodeModel> live(NodeId id) {
    return Optional.ofNullable(nodes.get(id)).filter(n -> n.alive && n.member);
  }

  List<NodeModel> members() {
    return nodes.values().stream().filter(n -> n.member).toList();
  }

  long liveCount() {
    return nodes.values().stream().filter(n -> n.member && n.alive).count();
  }

  Set<Long> tokens() {
    Set<Long> all = new HashSet<>();
    nodes.values().forEach(n -> all.addAll(n.tokens));
    return all;
  }

  /**
   * Who holds and serves what in a ring, after its tokens have changed.
   *
   * @param kept whether nodes still hold what they do not own any more, until a cleanup
   */
  void shareTokens(boolean kept) {
    if (!ring()) {
      return;
    }
    NavigableMap<Long, NodeModel> owners = Ring.owners(nodes.values());
    for (TableModel table : tables.values()) {
      Map<NodeId, Double> held =
          Ring.shares(owners, spec.replication(), KeyDistribution.uniform(), 0);
      for (NodeModel node : members()) {
        PartitionId id = new PartitionId(table.spec.name(), node.id.name());
        PartitionModel part = partitions.get(id);
        if (part == null) {
          part = new PartitionModel(id, table, KeyRange.ALL, table.blockBytes);
          partitions.put(id, part);
          every = null;
          place(part, node);
        }
        double bytes = held.getOrDefault(node.id, 0.0) * table.spec.bytes();
        part.bytes = kept ? Math.max(part.bytes, bytes) : bytes;
        node.changed = true;
      }
    }
    sharesKnown = false;
  }

  /** What a cleanup would leave of a table's part on a node. */
  double ownedBytes(PartitionModel p) {
    NavigableMap<Long, NodeModel> owners = Ring.owners(nodes.values());
    return Ring.shares(owners, spec.replication(), KeyDistribution.uniform(), 0)
            .getOrDefault(p.node.id, 0.0)
        * p.table.spec.bytes();
  }

  void at(Instant when, Runnable what) {
    events.add(new Event(when, number(), what));
  }

  /** The same for the effect of a verb: after everything else that happens at that moment. */
  void effectAt(Instant when, Runnable what) {
    events.add(new Event(when, ++effects, what));
  }

  void after(Duration time, Runnable what) {
    at(now.plus(time), what);
  }

  double seconds(Instant when) {
    return Duration.between(began, when).toNanos() / 1e9;
  }

  /** Lets time pass: requests are served, and what was to happen meanwhile happens. */
  void advanceTo(Instant then) {
    while (!events.isEmpty() && !events.peek().at().isAfter(then)) {
      Event event = events.remove();
      serving.until(event.at());
      event.what().run();
    }
    serving.until(then);
  }

  /** Whose requests which partition has, at that time. */
  void shares(double seconds) {
    NavigableMap<Long, NodeModel> owners = null;
    for (TableModel table : tables.values()) {
      KeyDistribution keys = table.spec.keys();
      if (sharesKnown && !keys.moves()) {
        continue;
      }
      if (ring()) {
        owners = owners == null ? Ring.owners(nodes.values()) : owners;
        shareRing(table, Ring.shares(owners, spec.replication(), keys, seconds));
        continue;
      }
      for (PartitionModel p : every()) {
        if (p.table == table) {
          p.readShare = keys.between(p.from, p.to, seconds);
          p.writeShare = p.readShare;
        }
      }
    }
    sharesKnown = true;
  }

  /** A read asks one of the copies, a write all of them. */
  private void shareRing(TableModel table, Map<NodeId, Double> shares) {
    double alive = 0;
    for (NodeModel node : members()) {
      alive += node.alive ? shares.getOrDefault(node.id, 0.0) : 0;
    }
    for (NodeModel node : members()) {
      PartitionModel p = partitions.get(new PartitionId(table.spec.name(), node.id.name()));
      double share = shares.getOrDefault(node.id, 0.0);
      // What a dead node does not answer the others do.
      p.readShare = node.alive && alive > 0 ? share / alive : 0;
      p.writeShare = share;
    }
  }

  /** A new process serves. */
  void begin(NodeModel node) {
    node.begin(number());
    sharesKnown = false;
  }

  /** The process is gone; others take its partitions over after a while, where any can. */
  void kill(NodeModel node) {
    if (!node.alive) {
      return;
    }
    node.alive = false;
    sharesKnown = false;
    node.cpu = 0;
    node.ioWait = 0;
    if (ring()) {
      return;
    }
    List<PartitionModel> orphans = List.of(node.serves());
    for (PartitionModel p : orphans) {
      place(p, null);
      inTransition.add(p.id);
    }
    if (!orphans.isEmpty()) {
      after(spec.times().recovery(), () -> recover(orphans));
    }
  }

  private void recover(List<PartitionModel> orphans) {
    boolean anybody = nodes.values().stream().anyMatch(NodeModel::takesPartitions);
    if (!anybody) {
      after(spec.times().recovery(), () -> recover(orphans));
      return;
    }
    for (PartitionModel p : orphans) {
      if (partitions.get(p.id) == p && p.node == null) {
        place(p, emptiest());
        inTransition.remove(p.id);
      }
    }
  }

  /** The node with fewest partitions of those that take any. */
  private NodeModel emptiest() {
    return nodes.values().stream()
        .filter(NodeModel::takesPartitions)
        .min(Comparator.comparingInt((NodeModel n) -> n.serves().length).thenComparing(n -> n.id))
        .orElseThrow();
  }

  void setBalancer(BalancerState state) {
    balancer = state;
    scheduleBalancer();
  }

  private void scheduleBalancer() {
    if (!ring() && balancer.balancer() && !balancing) {
      balancing = true;
      after(spec.times().balance(), this::balance);
    }
  }

  /** The native balancer evens out numbers, one partition at a time, while it is on. */
  private void balance() {
    balancing = false;
    scheduleBalancer();
    if (!balancer.balancer() || !inTransition.isEmpty()) {
      return;
    }
    List<NodeModel> open = nodes.values().stream().filter(NodeModel::takesPartitions).toList();
    if (open.size() < 2) {
      return;
    }
    NodeModel least = emptiest();
    NodeModel most =
        open.stream()
            .max(
                Comparator.comparingInt((NodeModel n) -> n.serves().length)
                    .thenComparing(n -> n.id))
            .orElseThrow();
    if (most.serves().length > least.serves().length + 1) {
      place(most.serves()[0], least);
    }
  }
}

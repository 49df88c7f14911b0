package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * Orders the steps from a snapshot to a wanted cluster so that data stay available and service
 * suffers little (Cruz 2016, §3.3; algorithms §4).
 *
 * <p>Online: caches that grow do so first, then partitions move, then caches that shrink do, when
 * they serve nobody's reads any more. By restart: node by node, its partitions leave for their
 * wanted node where that is ready and else for the least loaded one, it restarts, and takes its
 * set.
 */
public final class PlanBuilder {
  /** Partitions without requests count a little, so that they are spread too. */
  private static final double IDLE_LOAD = 1e-6;

  private final TargetState.Input in;
  private final TargetState wanted;
  private final List<NodeId> leaving;
  private final PlacementModel placement;

  /** All nodes by name, leaving and joining ones too; their indexes compare as their names do. */
  private final NodeId[] nodes;

  private final Map<NodeId, Integer> index = new HashMap<>();

  /** All partitions by id; of each, at the same index, what the loops below ask for. */
  private final PartitionState[] parts;

  private final AccessClass[] classOf;
  private final double[] loadOf;

  /** The node's index, as the plan so far leaves it; -1 for none. */
  private final int[] at;

  /** The node's index that it is to get to; -1 for none. */
  private final int[] target;

  private final boolean[] moved;

  /** What nodes hold while some restart; null otherwise, and then not kept up. */
  private List<NavigableSet<Integer>> held;

  /** By node, what is to be there, hottest first. */
  private final int[][] due;

  private final double[] load;
  private final NavigableSet<Integer> emptiestFirst;
  private final List<PlannedAction> actions = new ArrayList<>();

  public PlanBuilder(TargetState.Input in, TargetState wanted, List<NodeId> leaving) {
    this.in = in;
    this.wanted = wanted;
    this.leaving = leaving;
    this.placement = PlacementModel.of(in.snapshot());
    TreeSet<NodeId> names = new TreeSet<>(in.nodes());
    parts = in.snapshot().partitions().toArray(new PartitionState[0]);
    for (PartitionState p : parts) {
      p.node().ifPresent(names::add);
    }
    nodes = names.toArray(new NodeId[0]);
    for (int n = 0; n < nodes.length; n++) {
      index.put(nodes[n], n);
    }
    load = new double[nodes.length];
    for (PartitionState p : parts) {
      // In the snapshot's order, which decides how a sum is rounded.
      p.node().ifPresent(n -> load[index.get(n)] += in.load(p.id()) + IDLE_LOAD);
    }
    Arrays.sort(parts, Comparator.comparing(PartitionState::id));
    classOf = new AccessClass[parts.length];
    loadOf = new double[parts.length];
    at = new int[parts.length];
    target = new int[parts.length];
    moved = new boolean[parts.length];
    for (int p = 0; p < parts.length; p++) {
      PartitionId id = parts[p].id();
      classOf[p] = wanted.classes().get(id);
      loadOf[p] = in.load(id);
      at[p] = parts[p].node().map(index::get).orElse(-1);
      NodeId to = wanted.placement().get(id);
      target[p] = to == null ? -1 : index.get(to);
    }
    due = hottestFirst();
    emptiestFirst =
        new TreeSet<>(
            Comparator.comparingDouble((Integer n) -> load[n])
                .thenComparing(Comparator.naturalOrder()));
    for (NodeId node : in.nodes()) {
      if (!isNew(node)) {
        emptiestFirst.add(index.get(node));
      }
    }
  }

  private int[][] hottestFirst() {
    Integer[] order = new Integer[parts.length];
    Arrays.setAll(order, p -> p);
    // Stable: what is as hot stays in the order of ids.
    Arrays.sort(order, Comparator.comparingDouble((Integer p) -> -loadOf[p]));
    int[] count = new int[nodes.length];
    for (int to : target) {
      if (to >= 0) {
        count[to]++;
      }
    }
    int[][] lists = new int[nodes.length][];
    for (int n = 0; n < nodes.length; n++) {
      lists[n] = new int[count[n]];
    }
    int[] next = new int[nodes.length];
    for (int p : order) {
      int to = target[p];
      if (to >= 0) {
        lists[to][next[to]++] = p;
      }
    }
    return lists;
  }

  public List<PlannedAction> build() {
    return placement.steps(this);
  }

  /** Partitions go from node to node. */
  public List<PlannedAction> byMoves() {
    addNodes();
    for (NodeId node : leaving) {
      add(
          new Action.DrainNode(node),
          "the load fits on fewer nodes",
          "takes no new partitions",
          "none",
          "open " + node + " for partitions again");
    }
    List<NodeId> changing =
        wanted.profiles().keySet().stream().filter(n -> change(n) != null).toList();
    List<NodeId> restarting = changing.stream().filter(n -> !online(n)).toList();
    changing.stream().filter(this::online).filter(this::grows).forEach(this::reconfigure);
    if (!restarting.isEmpty()) {
      held = new ArrayList<>();
      for (int n = 0; n < nodes.length; n++) {
        held.add(new TreeSet<>());
      }
      for (int p = 0; p < parts.length; p++) {
        if (at[p] >= 0) {
          held.get(at[p]).add(p);
        }
      }
      restartAll(restarting);
      held = null;
    }
    moves();
    changing.stream().filter(this::online).filter(n -> !grows(n)).forEach(this::reconfigure);
    // Its partitions reopen: late, when they are where they belong and the nodes have time.
    compactions(blockSizes());
    for (NodeId node : leaving) {
      add(
          new Action.RemoveNode(node),
          "the load fits on fewer nodes",
          "one node fewer",
          "HDFS or the ring copies what the node held",
          "add a node");
    }
    return List.copyOf(actions);
  }

  /** Nodes come and go, and take or give up their shares of the data by themselves. */
  public List<PlannedAction> byTokens() {
    addNodes();
    if (!actions.isEmpty()) {
      for (NodeId node : in.nodes()) {
        if (!isNew(node)) {
          add(
              new Action.Cleanup(node),
              "a new node now owns part of its data",
              "its disk holds only what it owns",
              "rewrites its files, some CPU and disk",
              "none needed");
        }
      }
    }
    for (NodeId node : leaving) {
      add(
          new Action.RemoveNode(node),
          "the load fits on fewer nodes",
          "one node fewer",
          "it streams what it holds to the others",
          "add a node");
    }
    return List.copyOf(actions);
  }

  private void add(Action action, String reason, String effect, String cost, String undo) {
    actions.add(new PlannedAction(actions.size() + 1, action, reason, effect, cost, undo));
  }

  private void add(Action action, PlannedAction.Texts texts) {
    actions.add(new PlannedAction(actions.size() + 1, action, texts));
  }

  private void addNodes() {
    List<NodeState> present = in.snapshot().liveNodes();
    int ordinal = 0;
    for (NodeId id : in.nodes()) {
      if (in.node(id).isEmpty()) {
        ordinal++;
        add(
            new Action.AddNode(
                ordinal,
                placement.joining(present, Optional.ofNullable(wanted.profiles().get(id)))),
            "nodes are overloaded",
            "one more node",
            "starts a node; caches of moved partitions are cold",
            "remove the node");
      }
    }
  }

  /** The profile change that a node needs; null for none. */
  private Profile change(NodeId node) {
    NodeState state = in.node(node).orElse(null);
    Profile profile = wanted.profiles().get(node);
    if (state == null || state.profile().isEmpty() || state.profile().get().sameMemory(profile)) {
      return null;
    }
    return profile;
  }

  private boolean online(NodeId node) {
    return in.settings().way() == Action.ApplyMode.ONLINE
        && in.node(node).map(NodeState::onlineProfile).orElse(false);
  }

  private boolean grows(NodeId node) {
    Profile now = in.node(node).flatMap(NodeState::profile).orElseThrow();
    return wanted.profiles().get(node).cacheFraction() >= now.cacheFraction();
  }

  private void reconfigure(NodeId node) {
    Profile from = in.node(node).flatMap(NodeState::profile).orElseThrow();
    Profile to = wanted.profiles().get(node);
    Action.ApplyMode way = online(node) ? Action.ApplyMode.ONLINE : Action.ApplyMode.RESTART;
    add(
        new Action.Reconfigure(node, from, to, way),
        "will serve " + to.name() + " partitions",
        String.format(
            Locale.ROOT,
            "block cache %.0f → %.0f %%, memstore %.0f → %.0f %% of the heap",
            100 * from.cacheFraction(),
            100 * to.cacheFraction(),
            100 * from.memstoreFraction(),
            100 * to.memstoreFraction()),
        way == Action.ApplyMode.ONLINE ? "none: applied online" : "one restart of the empty node",
        "reconfigure to " + from.name());
  }

  private void restartAll(List<NodeId> restarting) {
    boolean[] notReady = new boolean[nodes.length];
    for (int n = 0; n < nodes.length; n++) {
      notReady[n] = isNew(nodes[n]);
    }
    restarting.forEach(n -> notReady[index.get(n)] = true);
    for (NodeId node : restarting) {
      int n = index.get(node);
      String why = "node " + node + " is about to restart";
      for (int p : List.copyOf(held.get(n))) {
        int to = target[p];
        if (to < 0 || notReady[to]) {
          to = leastLoaded(n);
        }
        if (to >= 0) {
          move(p, to, why);
        }
      }
      reconfigure(node);
      notReady[n] = false;
      for (int p : due[n]) {
        if (at[p] >= 0) {
          move(p, n, null);
        }
      }
    }
  }

  private boolean isNew(NodeId node) {
    return in.node(node).isEmpty();
  }

  /** -1 where there is no other node. */
  private int leastLoaded(int but) {
    for (int n : emptiestFirst) {
      if (n != but) {
        return n;
      }
    }
    return -1;
  }

  /**
   * One by one from the node whose cache is asked for most to the one whose cache is asked for
   * least, so that no node meanwhile holds much more than before or after; the hottest partitions
   * first.
   */
  private void moves() {
    double[] caches = caches();
    double[] asked = new double[nodes.length];
    sumOrder(p -> asked[at[p]] += share(p, caches[at[p]]));
    // By node, then by where to: what is to go there, hottest first.
    List<Map<Integer, Deque<Integer>>> pending = new ArrayList<>();
    for (int n = 0; n < nodes.length; n++) {
      pending.add(new TreeMap<>());
    }
    for (int n = 0; n < nodes.length; n++) {
      for (int p : due[n]) {
        if (at[p] >= 0 && at[p] != n) {
          pending.get(at[p]).computeIfAbsent(n, x -> new ArrayDeque<>()).add(p);
        }
      }
    }
    NavigableSet<Integer> fullestFirst =
        new TreeSet<>(
            Comparator.comparingDouble((Integer n) -> -asked[n])
                .thenComparing(Comparator.naturalOrder()));
    for (int n = 0; n < nodes.length; n++) {
      if (!pending.get(n).isEmpty()) {
        fullestFirst.add(n);
      }
    }
    while (!fullestFirst.isEmpty()) {
      int from = fullestFirst.first();
      int to = -1;
      for (int n : pending.get(from).keySet()) {
        to = to < 0 || asked[n] < asked[to] ? n : to;
      }
      Deque<Integer> there = pending.get(from).get(to);
      int p = there.remove();
      if (there.isEmpty()) {
        pending.get(from).remove(to);
      }
      move(p, to, null);
      boolean listed = fullestFirst.remove(to);
      fullestFirst.remove(from);
      asked[from] -= share(p, caches[from]);
      asked[to] += share(p, caches[to]);
      if (listed) {
        fullestFirst.add(to);
      }
      if (!pending.get(from).isEmpty()) {
        fullestFirst.add(from);
      }
    }
  }

  /** All that are placed, always in the order in which sums over them have been rounded. */
  private void sumOrder(IntConsumer each) {
    Map<PartitionId, Integer> hashed = new HashMap<>();
    for (PartitionState p : in.snapshot().partitions()) {
      if (p.node().isPresent()) {
        hashed.put(p.id(), 0);
      }
    }
    for (int p = 0; p < parts.length; p++) {
      int q = p;
      hashed.computeIfPresent(parts[p].id(), (id, zero) -> q);
    }
    hashed.values().forEach(each::accept);
  }

  /** Of each node's heap, the share that its block cache has or will have, whichever is more. */
  private double[] caches() {
    double[] caches = new double[nodes.length];
    for (int n = 0; n < nodes.length; n++) {
      Profile now = in.node(nodes[n]).flatMap(NodeState::profile).orElse(null);
      Profile then = wanted.profiles().get(nodes[n]);
      double cache = now == null ? 0 : now.cacheFraction();
      if (then != null && (now == null || then.cacheFraction() > cache)) {
        cache = then.cacheFraction();
      }
      caches[n] = Math.max(0.01, cache);
    }
    return caches;
  }

  /** Of a node's block cache that a partition asks for; what is only written asks for little. */
  private double share(int p, double cache) {
    double bytes = parts[p].sizeBytes() + 1.0;
    return (classOf[p] == AccessClass.WRITE ? 0.1 : 1) * bytes / cache;
  }

  /**
   * Adds a move.
   *
   * @param why null where the partition gets to the node that is to serve it
   */
  private void move(int p, int to, String why) {
    int from = at[p];
    if (from == to) {
      return;
    }
    PartitionId id = parts[p].id();
    add(
        new Action.Move(id, nodes[from], nodes[to]),
        new MoveTexts(
            why,
            classOf[p],
            in.rates().getOrDefault(id, Rates.ZERO),
            wanted.profiles().get(nodes[to]),
            parts[p].sizeBytes(),
            nodes[from]));
    at[p] = to;
    moved[p] = true;
    if (held != null) {
      held.get(from).remove(p);
      held.get(to).add(p);
      fill(from, -(loadOf[p] + IDLE_LOAD));
      fill(to, loadOf[p] + IDLE_LOAD);
    }
  }

  private void fill(int node, double more) {
    boolean listed = emptiestFirst.remove(node);
    load[node] += more;
    if (listed) {
      emptiestFirst.add(node);
    }
  }

  /**
   * Nodes whose block cache will hold all that they serve. Where files lie matters little to them,
   * and a compaction would push out of the cache what is in it.
   */
  private boolean[] wholeInCache() {
    double[] bytes = new double[nodes.length];
    boolean[] whole = new boolean[nodes.length];
    for (int p = 0; p < parts.length; p++) {
      if (at[p] >= 0) {
        bytes[at[p]] += parts[p].sizeBytes();
      }
    }
    for (int n = 0; n < nodes.length; n++) {
      Profile profile = wanted.profiles().get(nodes[n]);
      double heap = in.node(nodes[n]).map(s -> s.gauges().heapMaxBytes()).orElse(0L);
      whole[n] = profile != null && bytes[n] <= profile.cacheFraction() * heap;
    }
    return whole;
  }

  /**
   * Gives each table the block size of the class that most of its load belongs to; the tables whose
   * size changes.
   */
  private Set<String> blockSizes() {
    Set<String> resized = new HashSet<>();
    if (!in.settings().blockSizes()) {
      return resized;
    }
    Map<String, List<PartitionState>> tables = new TreeMap<>();
    in.snapshot()
        .partitions()
        .forEach(p -> tables.computeIfAbsent(p.id().table(), t -> new ArrayList<>()).add(p));
    tables.forEach(
        (table, partitions) -> {
          Map<AccessClass, Double> load = new TreeMap<>();
          partitions.forEach(
              p -> load.merge(wanted.classes().get(p.id()), in.load(p.id()), Double::sum));
          var main = load.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
          int now = partitions.get(0).blockSizeBytes();
          int to = Classifier.profile(main.getKey()).blockSizeBytes();
          if (main.getValue() > 0 && now > 0 && now != to) {
            add(
                new Action.SetBlockSize(table, now, to),
                "most of its requests are " + main.getKey(),
                "blocks of " + to / 1024 + " KiB in new store files",
                "takes effect by compaction",
                "set it to " + now / 1024 + " KiB");
            resized.add(table);
          }
        });
    return resized;
  }

  private void compactions(Set<String> resizedTables) {
    boolean[] cached = wholeInCache();
    for (int p = 0; p < parts.length; p++) {
      boolean resized = resizedTables.contains(parts[p].id().table());
      if (!resized && !(moved[p] && !cached[at[p]])) {
        continue;
      }
      boolean write = classOf[p] == AccessClass.WRITE;
      double below =
          resized
              ? Action.Compact.ALWAYS
              : write ? in.settings().localityWrite() : in.settings().localityOther();
      add(
          new Action.Compact(parts[p].id(), below),
          new CompactTexts(resized, below, parts[p].sizeBytes()));
    }
  }
}

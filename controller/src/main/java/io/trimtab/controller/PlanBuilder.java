package io.trimtab.controller;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.PartitionState;
import io.trimtab.engineapi.PlannedAction;
import io.trimtab.engineapi.Profile;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

/**
 * Orders the steps from a snapshot to a wanted cluster so that data stay available and service
 * suffers little (Cruz 2016, §3.3; algorithms §4).
 *
 * <p>Online: caches that grow do so first, then partitions move, then caches that shrink do, when
 * they serve nobody's reads any more. By restart: node by node, its partitions leave for their
 * wanted node where that is ready and else for the least loaded one, it restarts, and takes its
 * set.
 */
final class PlanBuilder {
  private final Wanted.Input in;
  private final Wanted wanted;
  private final List<NodeId> leaving;
  private final PlacementModel placement;
  private final Map<PartitionId, NodeId> at = new HashMap<>();

  /** What nodes hold while some restart; empty otherwise, and then not kept up. */
  private final Map<NodeId, Set<PartitionId>> held = new HashMap<>();

  private final Map<NodeId, List<PartitionId>> due = new TreeMap<>();
  private final Map<NodeId, Double> load = new HashMap<>();
  private final NavigableSet<NodeId> emptiestFirst =
      new TreeSet<>(
          Comparator.comparingDouble((NodeId n) -> load.get(n))
              .thenComparing(Comparator.naturalOrder()));
  private final List<PlannedAction> actions = new ArrayList<>();
  private final Set<PartitionId> moved = new HashSet<>();

  PlanBuilder(Wanted.Input in, Wanted wanted, List<NodeId> leaving) {
    this.in = in;
    this.wanted = wanted;
    this.leaving = leaving;
    this.placement = PlacementModel.of(in.snapshot());
    for (PartitionState p : in.snapshot().partitions()) {
      p.node()
          .ifPresent(
              n -> {
                at.put(p.id(), n);
                load.merge(n, weight(p.id()), Double::sum);
              });
    }
    wanted
        .placement()
        .forEach((id, node) -> due.computeIfAbsent(node, n -> new ArrayList<>()).add(id));
    due.values().forEach(list -> list.sort(hottestFirst()));
    for (NodeId node : in.nodes()) {
      load.putIfAbsent(node, 0.0);
      if (!isNew(node)) {
        emptiestFirst.add(node);
      }
    }
  }

  private Comparator<PartitionId> hottestFirst() {
    return Comparator.comparingDouble((PartitionId id) -> -in.load(id))
        .thenComparing(Comparator.naturalOrder());
  }

  /** Partitions without requests count a little, so that they are spread too. */
  private double weight(PartitionId id) {
    return in.load(id) + 1e-6;
  }

  List<PlannedAction> build() {
    return placement.steps(this);
  }

  /** Partitions go from node to node. */
  List<PlannedAction> byMoves() {
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
      at.forEach((id, n) -> held.computeIfAbsent(n, x -> new TreeSet<>()).add(id));
      restarting.forEach(node -> restart(node, restarting));
      held.clear();
    }
    moves();
    changing.stream().filter(this::online).filter(n -> !grows(n)).forEach(this::reconfigure);
    // Its partitions reopen: late, when they are where they belong and the nodes have time.
    compactions(blockSizes());
    for (NodeId node : leaving) {
      add(
          new Action.RemoveNode(node),
          "the load fits on fewer nodes",
          "one node less",
          "HDFS or the ring copies what the node held",
          "add a node");
    }
    return List.copyOf(actions);
  }

  /** Nodes come and go, and take or give up their shares of the data by themselves. */
  List<PlannedAction> byTokens() {
    addNodes();
    if (!actions.isEmpty()) {
      for (NodeId node : in.nodes()) {
        if (!isNew(node)) {
          add(
              new Action.Cleanup(node),
              "a new node owns a part of its data now",
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
          "one node less",
          "it streams what it holds to the others",
          "add a node");
    }
    return List.copyOf(actions);
  }

  private void add(Action action, String reason, String effect, String cost, String undo) {
    actions.add(new PlannedAction(actions.size() + 1, action, reason, effect, cost, undo));
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
            "one node more",
            "start of a node, and cold caches of what moves there",
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
    return in.settings().way() == Action.Way.ONLINE
        && in.node(node).map(NodeState::onlineProfile).orElse(false);
  }

  private boolean grows(NodeId node) {
    Profile now = in.node(node).flatMap(NodeState::profile).orElseThrow();
    return wanted.profiles().get(node).cacheFraction() >= now.cacheFraction();
  }

  private void reconfigure(NodeId node) {
    Profile from = in.node(node).flatMap(NodeState::profile).orElseThrow();
    Profile to = wanted.profiles().get(node);
    Action.Way way = online(node) ? Action.Way.ONLINE : Action.Way.RESTART;
    add(
        new Action.Reconfigure(node, from, to, way),
        "it is to serve " + to.name() + " partitions",
        String.format(
            Locale.ROOT,
            "block cache %.0f → %.0f %%, memstore %.0f → %.0f %% of the heap",
            100 * from.cacheFraction(),
            100 * to.cacheFraction(),
            100 * from.memstoreFraction(),
            100 * to.memstoreFraction()),
        way == Action.Way.ONLINE ? "none: nothing closes" : "one restart of the empty node",
        "reconfigure to " + from.name());
  }

  private void restart(NodeId node, List<NodeId> restarting) {
    Set<NodeId> notReady =
        new HashSet<>(restarting.subList(restarting.indexOf(node), restarting.size()));
    for (PartitionId id : List.copyOf(held.getOrDefault(node, Set.of()))) {
      NodeId target = wanted.placement().get(id);
      if (target == null || notReady.contains(target) || isNew(target)) {
        target = leastLoaded(node);
      }
      if (target != null) {
        move(id, target, "node " + node + " is about to restart");
      }
    }
    reconfigure(node);
    for (PartitionId id : incoming(node)) {
      move(id, node, reason(id));
    }
  }

  private boolean isNew(NodeId node) {
    return in.node(node).isEmpty();
  }

  private NodeId leastLoaded(NodeId but) {
    return emptiestFirst.stream().filter(n -> !n.equals(but)).findFirst().orElse(null);
  }

  /** What is to come to a node, hottest first. */
  private List<PartitionId> incoming(NodeId node) {
    return due.getOrDefault(node, List.of()).stream()
        .filter(id -> at.containsKey(id) && !at.get(id).equals(node))
        .toList();
  }

  /**
   * One by one from the node whose cache is asked for most to the one whose cache is asked for
   * least, so that no node meanwhile holds much more than before or after; the hottest partitions
   * first.
   */
  private void moves() {
    List<NodeId> nodes = new ArrayList<>(new TreeSet<>(load.keySet()));
    Map<NodeId, Integer> index = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      index.put(nodes.get(i), i);
    }
    double[] asked = new double[nodes.size()];
    at.forEach((id, node) -> asked[index.get(node)] += share(id, node));
    // By node, then by where to: what is to go there, hottest first.
    List<Map<Integer, Deque<PartitionId>>> pending = new ArrayList<>();
    nodes.forEach(n -> pending.add(new TreeMap<>()));
    due.forEach(
        (node, all) ->
            incoming(node)
                .forEach(
                    id ->
                        pending
                            .get(index.get(at.get(id)))
                            .computeIfAbsent(index.get(node), n -> new ArrayDeque<>())
                            .add(id)));
    NavigableSet<Integer> fullestFirst =
        new TreeSet<>(
            Comparator.comparingDouble((Integer n) -> -asked[n])
                .thenComparing(Comparator.naturalOrder()));
    for (int n = 0; n < nodes.size(); n++) {
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
      Deque<PartitionId> there = pending.get(from).get(to);
      PartitionId id = there.remove();
      if (there.isEmpty()) {
        pending.get(from).remove(to);
      }
      move(id, nodes.get(to), reason(id));
      boolean listed = fullestFirst.remove(to);
      fullestFirst.remove(from);
      asked[from] -= share(id, nodes.get(from));
      asked[to] += share(id, nodes.get(to));
      if (listed) {
        fullestFirst.add(to);
      }
      if (!pending.get(from).isEmpty()) {
        fullestFirst.add(from);
      }
    }
  }

  /** Of a node's block cache that a partition asks for; what is only written asks for little. */
  private double share(PartitionId id, NodeId node) {
    Profile now = in.node(node).flatMap(NodeState::profile).orElse(null);
    Profile then = wanted.profiles().get(node);
    double cache = now == null ? 0 : now.cacheFraction();
    if (then != null && (now == null || then.cacheFraction() > cache)) {
      cache = then.cacheFraction();
    }
    double bytes = in.partitions().get(id).sizeBytes() + 1.0;
    boolean written = wanted.classes().get(id) == AccessClass.WRITE;
    return (written ? 0.1 : 1) * bytes / Math.max(0.01, cache);
  }

  private String reason(PartitionId id) {
    AccessClass c = wanted.classes().get(id);
    Rates r = in.rates().getOrDefault(id, Rates.ZERO);
    return c
        + " partition: "
        + Math.round(r.pointReads())
        + " reads, "
        + Math.round(r.scans())
        + " scans, "
        + Math.round(r.writes())
        + " writes a second";
  }

  private void move(PartitionId id, NodeId to, String reason) {
    NodeId from = at.get(id);
    if (from.equals(to)) {
      return;
    }
    Profile profile = wanted.profiles().get(to);
    add(
        new Action.Move(id, from, to),
        reason,
        profile == null ? "load is evened out" : "served by a " + profile.name() + " node",
        "closed for a moment; " + mebibytes(id) + " MiB read anew",
        "move back to " + from);
    at.put(id, to);
    moved.add(id);
    if (!held.isEmpty()) {
      held.get(from).remove(id);
      held.computeIfAbsent(to, n -> new TreeSet<>()).add(id);
      fill(from, -weight(id));
      fill(to, weight(id));
    }
  }

  private void fill(NodeId node, double more) {
    boolean listed = emptiestFirst.remove(node);
    load.merge(node, more, Double::sum);
    if (listed) {
      emptiestFirst.add(node);
    }
  }

  private long mebibytes(PartitionId id) {
    return Math.round(in.partitions().get(id).sizeBytes() / 1048576.0);
  }

  /**
   * Nodes whose block cache will hold all that they serve. Where files lie matters little to them,
   * and a compaction would push out of the cache what is in it.
   */
  private Set<NodeId> wholeInCache() {
    Map<NodeId, Double> bytes = new HashMap<>();
    at.forEach(
        (id, n) -> bytes.merge(n, (double) in.partitions().get(id).sizeBytes(), Double::sum));
    Set<NodeId> whole = new HashSet<>();
    bytes.forEach(
        (node, sum) -> {
          Profile profile = wanted.profiles().get(node);
          double heap = in.node(node).map(n -> n.gauges().heapMaxBytes()).orElse(0L);
          if (profile != null && sum <= profile.cacheFraction() * heap) {
            whole.add(node);
          }
        });
    return whole;
  }

  /** Gives each table the block size of the class that most of its load belongs to. */
  private Set<PartitionId> blockSizes() {
    Set<PartitionId> resized = new HashSet<>();
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
            partitions.forEach(p -> resized.add(p.id()));
          }
        });
    return resized;
  }

  private void compactions(Set<PartitionId> resized) {
    Set<NodeId> cached = wholeInCache();
    Set<PartitionId> all = new HashSet<>(moved);
    all.removeIf(id -> cached.contains(at.get(id)));
    all.addAll(resized);
    for (PartitionId id : all.stream().sorted().toList()) {
      boolean write = wanted.classes().get(id) == AccessClass.WRITE;
      double below =
          resized.contains(id)
              ? Action.Compact.ALWAYS
              : write ? in.settings().localityWrite() : in.settings().localityOther();
      add(
          new Action.Compact(id, below),
          resized.contains(id)
              ? "its table has another block size"
              : "it moved; done if locality is below " + below,
          "store files local to its node",
          mebibytes(id) + " MiB rewritten",
          "none needed");
    }
  }
}

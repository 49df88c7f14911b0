package io.trimtab.controller.choice.layout;

import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.choice.predict.Rewrites;
import io.trimtab.controller.choice.predict.UsageBasis;
import io.trimtab.controller.place.IntList;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Where everything is, or could be: partitions and halves of split ones on nodes, and the nodes'
 * profiles. Only what a change touches is computed anew.
 */
public final class Layout {
  /** Of a partition that no usable node serves, or that was split. */
  static final int NOWHERE = -1;

  /** Of what is predicted beyond idle: what a model's own deviation does not tell. */
  private static final double UNCERTAIN = 0.05;

  private final ClusterLoad load;

  /** By item: the partitions first, then halves of those that were split. */
  private int[] nodeOf;

  private final List<Half> halves = new ArrayList<>();
  private Rewrites rewrites = new Rewrites();
  private final List<Place> places = new ArrayList<>();

  /**
   * A half of a split partition.
   *
   * @param key at which the partition, of, was split
   * @param share of its requests, in (0, 1)
   */
  public record Half(int of, RowKey key, double share) {}

  private Layout(ClusterLoad load, int[] nodeOf) {
    this.load = load;
    this.nodeOf = nodeOf;
  }

  /** The cluster as it is. */
  public static Layout now(ClusterLoad load) {
    int[] nodeOf = new int[load.partitions().size()];
    Arrays.setAll(nodeOf, load::at);
    Layout now = new Layout(load, nodeOf);
    for (NodeState node : load.nodes()) {
      now.places.add(new Place(node.id(), node.profile().orElse(null)));
    }
    now.placeAll(nodeOf);
    return now;
  }

  /** One that changes by itself: what is done to either leaves the other as it is. */
  public Layout copy() {
    Layout copy = new Layout(load, nodeOf.clone());
    copy.halves.addAll(halves);
    copy.rewrites = rewrites.copy();
    places.forEach(place -> copy.places.add(place.copy()));
    return copy;
  }

  /** The cluster, and the load that is counted with. */
  public ClusterLoad load() {
    return load;
  }

  /** Partitions and halves, those that were split included. */
  public int items() {
    return nodeOf.length;
  }

  /** Nodes that there are, were, or will be. */
  public int nodes() {
    return places.size();
  }

  /** Whether a node is there, now or by a plan, and is not taken away. */
  public boolean isPresent(int node) {
    return places.get(node).present;
  }

  /** Indexes of the nodes that there are. */
  public IntStream present() {
    return IntStream.range(0, nodes()).filter(this::isPresent);
  }

  /** The names of the nodes that there are. */
  public List<NodeId> names() {
    return present().mapToObj(this::name).toList();
  }

  /** How many nodes there are. */
  public int size() {
    return (int) present().count();
  }

  /** A node's name; of one that a plan adds, what the plan calls it. */
  public NodeId name(int node) {
    return places.get(node).name;
  }

  /** A node's profile; null where it is unknown. */
  public Profile profile(int node) {
    return places.get(node).profile;
  }

  /** Whether a node is one that a plan adds. */
  public boolean isNew(int node) {
    return node >= load.nodes().size();
  }

  /** The node of an item; −1 for none. */
  public int nodeOf(int item) {
    return nodeOf[item];
  }

  /** The half that an item is; empty for a whole partition. */
  public Optional<Half> half(int item) {
    int at = item - load.partitions().size();
    return at < 0 ? Optional.empty() : Optional.of(halves.get(at));
  }

  /** The partition that an item is, or is a half of. */
  public int partition(int item) {
    return half(item).map(Half::of).orElse(item);
  }

  /** What an item asks for, less what a compaction saves. */
  public Demand demand(int item) {
    return demand(item, load::demand);
  }

  private Demand demand(int item, IntFunction<Demand> ofPartition) {
    Optional<Half> half = half(item);
    if (half.isPresent()) {
      return ofPartition.apply(half.get().of()).part(half.get().share());
    }
    Demand whole = ofPartition.apply(item);
    // What is saved is of the load that is foreseen; of nothing it is nothing.
    double all = isCompacted(item) ? load.demand(item).corrected() : 0;
    return all > 0 ? whole.cheaper(rewrites.saved(item) * whole.corrected() / all) : whole;
  }

  /** What depends on an item being served, in nodes. */
  public double worth(int item) {
    Optional<Half> half = half(item);
    return half.isEmpty() ? load.worth(item) : load.worth(half.get().of()) * half.get().share();
  }

  /** What all that is on a node asks for. */
  public Demand held(int node) {
    return places.get(node).held;
  }

  /** What depends on a node's items being served, in nodes. */
  public double worthOn(int node) {
    return places.get(node).worth;
  }

  /** Predicted usage of a node. */
  public double usage(int node) {
    return places.get(node).forecast.usage();
  }

  /** The same by CPU and disk, with its standard deviation. */
  public Forecast forecast(int node) {
    return places.get(node).forecast;
  }

  /** Predicted usage of the nodes that there are, for as much load as now: nothing is foreseen. */
  public SortedMap<NodeId, Double> usageByLoadOfNow() {
    Demand[] held = Demand.byNode(nodes(), nodeOf, item -> demand(item, load::demandNow));
    SortedMap<NodeId, Double> usage = new TreeMap<>();
    present().forEach(n -> usage.put(name(n), measurable(n, held[n])));
    return usage;
  }

  /** Without what is still to come of nodes that are being emptied. */
  private double measurable(int node, Demand other) {
    return forecast(node, other, memory(node)).plus(-load.coming(node)).measurable();
  }

  /** Predicted usage of a node if it held this, with its memory split so. */
  public Forecast forecast(int node, Demand other, Memory memory) {
    UsageBasis basis = load.basis();
    Place place = places.get(node);
    double misses =
        memory.equals(place.memory) ? place.missFactor : basis.missFactor(other, memory);
    double correction = other.correction() * load.excess(node);
    return basis
        .forecast(other, memory, misses)
        .costing(
            load.none(),
            correction * load.strengths().cpu(node),
            correction * load.strengths().disk(node))
        .lessCertain(load.none(), UNCERTAIN)
        .plus(load.besides(node) + load.coming(node));
  }

  private void predict(int node) {
    Place place = places.get(node);
    Memory memory = memory(node);
    if (!memory.equals(place.memory)) {
      place.memory = memory;
      place.missFactor = load.basis().missFactor(place.held, memory);
    }
    place.forecast = forecast(node, place.held, memory);
    place.changed = true;
  }

  /**
   * Predicts what has changed with the hit ratios of the caches as they are now: while steps are
   * looked for, those of before are good enough, and the same for all of them.
   */
  public void predictCaches() {
    for (int n = 0; n < nodes(); n++) {
      Place place = places.get(n);
      if (place.present && place.changed) {
        place.memory = null;
        predict(n);
        place.changed = false;
      }
    }
  }

  /** How a node's memory is split, or will be. */
  public Memory memory(int node) {
    Profile own = places.get(node).profile;
    return isNew(node) || isChanged(node) ? load.memory(node, own) : load.memory(node);
  }

  /** Whether a node restarts, to get another profile. */
  public boolean restarts(int node) {
    return !isNew(node)
        && load.nodes().get(node).profile().isPresent()
        && isChanged(node)
        && !load.isOnline(node);
  }

  private boolean isChanged(int node) {
    Profile own = places.get(node).profile;
    return own != null && !load.nodes().get(node).profile().map(own::sameMemory).orElse(false);
  }

  /** Puts every partition where it is told to be; nodes are predicted once. */
  public void placeAll(int[] target) {
    Demand[] held = Demand.byNode(nodes(), target, this::demand);
    for (int n = 0; n < nodes(); n++) {
      Place place = places.get(n);
      place.items = new IntList();
      place.held = held[n];
      place.worth = 0;
    }
    for (int p = 0; p < target.length; p++) {
      nodeOf[p] = target[p];
      if (target[p] >= 0) {
        Place place = places.get(target[p]);
        place.items.add(p);
        place.worth += load.worth(p);
      }
    }
    places.forEach(place -> place.changed = true);
    predictCaches();
  }

  /** Puts an item on another node. */
  public void move(int item, int to) {
    int from = nodeOf[item];
    if (from == to) {
      return;
    }
    Demand moved = demand(item);
    nodeOf[item] = to;
    if (from >= 0) {
      places.get(from).take(item, moved, worth(item));
      predict(from);
    }
    if (to >= 0) {
      places.get(to).put(item, moved, worth(item));
      predict(to);
    }
  }

  /**
   * Rewrites the files of a whole partition on the node that serves it.
   *
   * @param saved usage that it causes no more, in nodes
   */
  public void compact(int partition, double saved) {
    rewrites.add(partition, saved);
    Place place = places.get(nodeOf[partition]);
    place.held = place.held.cheaper(saved);
    predict(nodeOf[partition]);
  }

  /** What is rewritten where it is, as this layout has it: not a copy. */
  public Rewrites rewrites() {
    return rewrites;
  }

  /** Whether an item is a partition that is rewritten where it is. */
  public boolean isCompacted(int item) {
    return rewrites.has(item);
  }

  /** Gives a node another profile. */
  public void configure(int node, Profile profile) {
    places.get(node).profile = profile;
    predict(node);
  }

  /** One more node; returns its index. */
  public int add(Profile profile) {
    int ordinal = nodes() - load.nodes().size() + 1;
    places.add(new Place(new Action.AddNode(ordinal, profile).placeholder(), profile));
    predict(nodes() - 1);
    return nodes() - 1;
  }

  /** Takes away a node that holds nothing. */
  public void remove(int node) {
    places.get(node).present = false;
    places.get(node).forecast = Forecast.of(0, 0);
  }

  /**
   * Counts a node that is there as given back in part, as later plans will do the rest.
   *
   * @param share of its time, in [0, 1]
   */
  public void give(int node, double share) {
    places.get(node).given = share;
  }

  /** Share of a node's time that counts as given back. */
  public double given(int node) {
    return places.get(node).given;
  }

  /**
   * Splits a whole partition: the left half stays.
   *
   * @param leftShare of its requests, in (0, 1)
   */
  public void split(int partition, RowKey key, double leftShare, int rightTo) {
    int at = nodeOf[partition];
    move(partition, NOWHERE);
    halves.add(new Half(partition, key, leftShare));
    halves.add(new Half(partition, key, 1 - leftShare));
    int size = nodeOf.length;
    nodeOf = Arrays.copyOf(nodeOf, size + 2);
    nodeOf[size] = NOWHERE;
    nodeOf[size + 1] = NOWHERE;
    move(size, at);
    move(size + 1, rightTo);
  }

  /** Partitions, and halves of split ones, that are not on the node that serves them now. */
  public IntStream moved() {
    return IntStream.range(0, items())
        .filter(item -> nodeOf[item] >= 0 && load.at(partition(item)) >= 0)
        .filter(item -> nodeOf[item] != load.at(partition(item)));
  }

  /** Whether a node that is there now has another profile. */
  public boolean hasOtherProfiles() {
    return IntStream.range(0, load.nodes().size()).anyMatch(this::isChanged);
  }

  /** Halves of what was split: by split, the left one and the right one. */
  public List<Half> halves() {
    return List.copyOf(halves);
  }

  /** The items on a node, in the order in which they came there. */
  public IntStream on(int node) {
    return Arrays.stream(places.get(node).items.toArray());
  }

  /** How many items are on a node. */
  public int count(int node) {
    return places.get(node).items.size();
  }
}

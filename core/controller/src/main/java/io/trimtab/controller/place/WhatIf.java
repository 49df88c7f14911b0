package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** What each node would use if something were otherwise; nothing is done. */
public final class WhatIf {

  /**
   * What is otherwise; everything together.
   *
   * @param without a node that leaves; its partitions go where they are least felt
   * @param added nodes; all partitions are placed anew, as the usage policy would
   * @param scale factor of the request rates, by table
   * @param cacheShare of the heap that block caches have
   * @param moves where partitions are
   */
  public record Change(
      Optional<NodeId> without,
      int added,
      Map<String, Double> scale,
      OptionalDouble cacheShare,
      Map<PartitionId, NodeId> moves) {}

  /**
   * One node.
   *
   * @param before predicted usage; NaN where the node is not there
   * @param after the same, after the change
   * @param hitsBefore predicted hit ratio of its block cache, in [0, 1]
   */
  public record NodeForecast(
      NodeId node, double before, double after, double hitsBefore, double hitsAfter) {}

  private final UsagePredictor model;
  private final UsageSettings settings;
  private final List<NodeState> nodes;
  private final Map<PartitionId, UsagePacking.Item> items;
  private final Map<NodeId, List<PartitionId>> on = new TreeMap<>();

  private WhatIf(Observation.Usable seen, UsageModel model, UsageSettings settings) {
    this.model = new UsagePredictor(model);
    this.settings = settings;
    nodes = seen.snapshot().liveNodes();
    items = new LinkedHashMap<>(PartitionItems.of(seen, settings));
    nodes.forEach(n -> on.put(n.id(), new ArrayList<>()));
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node().filter(on::containsKey).ifPresent(n -> on.get(n).add(p.id()));
    }
  }

  /**
   * All nodes that are there before or after.
   *
   * @throws IllegalArgumentException naming a node, table or partition that there is not, or a
   *     partition without known rates
   */
  public static List<NodeForecast> of(
      Observation.Usable seen, UsageModel model, UsageSettings settings, Change change) {
    PartitionItems.unknown(seen)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    return new WhatIf(seen, model, settings).lines(change);
  }

  private List<NodeForecast> lines(Change change) {
    double cache = nodes.stream().mapToDouble(n -> n.gauges().cacheMaxBytes()).min().orElse(0);
    double heap = nodes.stream().mapToDouble(n -> n.gauges().heapMaxBytes()).min().orElse(0);
    if (!(cache > 0)) {
      throw new IllegalArgumentException("the size of a node's block cache is unknown");
    }
    Map<NodeId, Double> before = new TreeMap<>();
    Map<NodeId, Double> hitsBefore = new TreeMap<>();
    tell(cache, before, hitsBefore);
    double cacheThen =
        change.cacheShare().isPresent() ? change.cacheShare().getAsDouble() * heap : cache;
    apply(change, cacheThen);
    Map<NodeId, Double> after = new TreeMap<>();
    Map<NodeId, Double> hitsAfter = new TreeMap<>();
    tell(cacheThen, after, hitsAfter);
    Set<NodeId> all = new HashSet<>(before.keySet());
    all.addAll(after.keySet());
    return all.stream()
        .sorted()
        .map(
            n ->
                new NodeForecast(
                    n,
                    before.getOrDefault(n, Double.NaN),
                    after.getOrDefault(n, Double.NaN),
                    hitsBefore.getOrDefault(n, Double.NaN),
                    hitsAfter.getOrDefault(n, Double.NaN)))
        .toList();
  }

  private void tell(double cache, Map<NodeId, Double> usage, Map<NodeId, Double> hits) {
    on.forEach(
        (node, ids) -> {
          usage.put(node, UsagePacking.usage(model, held(ids), cache));
          hits.put(node, UsagePacking.hitRatio(held(ids), cache));
        });
  }

  private List<UsagePacking.Item> held(List<PartitionId> ids) {
    return ids.stream().map(items::get).toList();
  }

  private void apply(Change change, double cache) {
    PartitionItems.scale(items, change.scale());
    change.moves().forEach(this::move);
    change.without().ifPresent(node -> leave(node, cache));
    if (change.added() > 0) {
      add(change.added(), cache);
    }
  }

  private void move(PartitionId partition, NodeId to) {
    if (!items.containsKey(partition)) {
      throw new IllegalArgumentException("there is no partition " + partition);
    }
    if (!on.containsKey(to)) {
      throw new IllegalArgumentException("there is no node " + to);
    }
    on.values().forEach(ids -> ids.remove(partition));
    on.get(to).add(partition);
  }

  private void leave(NodeId node, double cache) {
    List<PartitionId> homeless = on.remove(node);
    if (homeless == null) {
      throw new IllegalArgumentException("there is no node " + node);
    }
    if (on.isEmpty()) {
      throw new IllegalArgumentException(node + " is the only node");
    }
    homeless.sort(
        Comparator.comparingDouble(
            id -> -UsagePacking.usage(model, List.of(items.get(id)), cache)));
    for (PartitionId id : homeless) {
      NodeId least =
          on.keySet().stream()
              .min(Comparator.comparingDouble(n -> with(n, id, cache)))
              .orElseThrow();
      on.get(least).add(id);
    }
  }

  private double with(NodeId node, PartitionId id, double cache) {
    List<UsagePacking.Item> all = new ArrayList<>(held(on.get(node)));
    all.add(items.get(id));
    return UsagePacking.usage(model, all, cache);
  }

  private void add(int number, double cache) {
    for (int i = 1; i <= number; i++) {
      on.put(new NodeId("new-" + i), new ArrayList<>());
    }
    List<PartitionId> ids = List.copyOf(items.keySet());
    UsagePacking.Packed packed =
        UsagePacking.pack(
            model, List.copyOf(items.values()), on.size(), cache, settings.predictions());
    List<NodeId> all = List.copyOf(on.keySet());
    on.values().forEach(List::clear);
    for (int i = 0; i < ids.size(); i++) {
      on.get(all.get(packed.nodeOf()[i])).add(ids.get(i));
    }
  }
}

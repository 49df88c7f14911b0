package io.trimtab.controller.place;

import io.trimtab.controller.observe.ModelMismatch;
import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.models.usage.UsageEstimate;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the usage of nodes is predicted from: a built model first, unless it is of other nodes than
 * these, then what requests have cost so far, as far as it says well enough what the present load
 * of each node costs.
 *
 * @param estimate empty if there is none
 * @param origin of what is predicted; requests if there is no estimate
 * @param text the end of "predicted from …"; where there is none, why
 */
public record UsageSource(
    Optional<UsageEstimate> estimate, UsagePrediction.Origin origin, String text) {
  /** Standard deviation of a prediction from which on it is none. */
  public static final double DEVIATION_MAX = 0.1;

  /**
   * The best that there is. Where the accesses of blocks are not known, partitions have parts of
   * what their nodes' caches hit, and predictions are half as certain.
   *
   * @param nodes that are usable
   * @param items by partition, what it asks for
   */
  public static UsageSource of(
      Observation.Usable seen, List<NodeState> nodes, Map<PartitionId, UsagePacking.Item> items) {
    Optional<String> blocks = blocksUnknown(seen);
    Optional<String> unknown = cacheUnknown(nodes);
    if (unknown.isEmpty() && blocks.isPresent()) {
      unknown = PartitionItems.unknownByNodes(seen).map(none -> blocks.get());
    }
    if (unknown.isPresent()) {
      return none(blocks.or(() -> cacheUnknown(nodes)).orElseThrow());
    }
    List<UsageSource> all = known(seen, nodes, blocks);
    if (all.isEmpty()) {
      return none("no usage model counts (usage.model), and too little was seen to learn one");
    }
    List<Load> loads = loads(seen, nodes, items);
    List<Load> parts = items.values().stream().map(UsagePacking.Item::load).toList();
    List<String> doubts = new ArrayList<>();
    for (UsageSource source : all) {
      Optional<String> doubt = doubt(source.estimate().orElseThrow(), loads, parts);
      if (doubt.isEmpty()) {
        return source;
      }
      doubts.add(source.text() + ": " + doubt.get());
    }
    return none(String.join("; ", doubts));
  }

  /**
   * What there is, the best first.
   *
   * @param blocks why the accesses of blocks are not known, if they are not
   */
  private static List<UsageSource> known(
      Observation.Usable seen, List<NodeState> nodes, Optional<String> blocks) {
    List<UsageSource> all = new ArrayList<>();
    String with = blocks.map(why -> ", with hit ratios of nodes, as " + why).orElse("");
    List<String> names = nodes.stream().map(node -> node.id().name()).toList();
    seen.learned()
        .ifPresent(
            learned ->
                all.add(
                    new UsageSource(
                        Optional.of(as(learned.of(names), blocks)),
                        UsagePrediction.Origin.LEARNED,
                        UsagePrediction.Origin.LEARNED.title() + kinds(learned, names) + with)));
    seen.model()
        .ifPresent(
            model ->
                all.add(
                    isOfOthers(seen) ? all.size() : 0,
                    new UsageSource(
                        Optional.of(as(new UsagePredictor(model), blocks)),
                        UsagePrediction.Origin.BUILT,
                        title(model, seen) + with)));
    return all;
  }

  /** Whether the built model is of other nodes than these, or of another kind of I/O wait. */
  public static boolean isOfOthers(Observation.Usable seen) {
    return seen.model()
        .flatMap(model -> ModelMismatch.besidesCache("it", model, seen.snapshot()))
        .isPresent();
  }

  private static UsageEstimate as(UsageEstimate estimate, Optional<String> blocks) {
    return blocks.isEmpty() ? estimate : new ByNodes(estimate);
  }

  private static String kinds(LearnedNodes learned, List<String> nodes) {
    int kinds = learned.kinds(nodes);
    return kinds > 1 ? ", of %d kinds of nodes together".formatted(kinds) : "";
  }

  /** Where only nodes' hit ratios are known: what another placement would hit is assumed. */
  private record ByNodes(UsageEstimate known) implements UsageEstimate {
    private static final double WIDER = 2;

    @Override
    public double idle() {
      return known.idle();
    }

    @Override
    public double usage(Load load) {
      return known.usage(load);
    }

    @Override
    public Optional<Parts> parts(Load load) {
      return known.parts(load);
    }

    @Override
    public double deviation(Load load) {
      return WIDER * known.deviation(load);
    }

    @Override
    public double missSeconds() {
      return known.missSeconds();
    }

    @Override
    public String uncertainty(Load load) {
      return known.uncertainty(load) + ", and twice that without accesses of blocks";
    }
  }

  private static String title(UsageModel model, Observation.Usable seen) {
    return UsagePrediction.Origin.BUILT.title()
        + ModelMismatch.besidesCache("it", model, seen.snapshot())
            .map(clause -> " (warning: " + clause + ")")
            .orElse("");
  }

  private static UsageSource none(String why) {
    return new UsageSource(Optional.empty(), UsagePrediction.Origin.REQUESTS, why);
  }

  /** What is not known of the blocks that are asked for, if so. */
  private static Optional<String> blocksUnknown(Observation.Usable seen) {
    return seen.blocks().isEmpty()
        ? Optional.of("no block accesses are known")
        : PartitionItems.unknown(seen);
  }

  private static Optional<String> cacheUnknown(List<NodeState> nodes) {
    return nodes.stream().allMatch(n -> n.gauges().cacheMaxBytes() > 0)
        ? Optional.empty()
        : Optional.of("the size of a node's block cache is unknown");
  }

  /** What each node is asked for now. */
  private static List<Load> loads(
      Observation.Usable seen, List<NodeState> nodes, Map<PartitionId, UsagePacking.Item> items) {
    Map<NodeId, List<UsagePacking.Item>> on = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node().ifPresent(n -> on.computeIfAbsent(n, x -> new ArrayList<>()).add(items.get(p.id())));
    }
    return nodes.stream()
        .map(n -> UsagePacking.load(on.getOrDefault(n.id(), List.of()), n.gauges().cacheMaxBytes()))
        .toList();
  }

  /**
   * Why it can't be used, if so.
   *
   * @param loads of the nodes
   * @param parts of all partitions, of which a node could have any
   */
  private static Optional<String> doubt(
      UsageEstimate estimate, List<Load> loads, List<Load> parts) {
    try {
      // Refused, where the load has a kind of request that a model was not built for.
      parts.forEach(estimate::usage);
      loads.forEach(estimate::usage);
      return loads.stream()
          .max(Comparator.comparingDouble(estimate::deviation))
          .filter(load -> estimate.deviation(load) > DEVIATION_MAX)
          .map(
              load ->
                  "not certain enough for the present load (" + estimate.uncertainty(load) + ")");
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }
}

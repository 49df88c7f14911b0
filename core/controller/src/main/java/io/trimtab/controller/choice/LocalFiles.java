package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rewrites partitions whose files are on other nodes' disks where they are, so that their node
 * reads them from its own (Cruz 2016, §3.4). Each pays for itself: by the reads that cost less, and
 * by what is no more lost on a node that is used too much.
 */
final class LocalFiles implements Generator {
  /** What a block from another node costs more than one from the own disk, as a share (ours). */
  private static final double FAR = 0.5;

  /**
   * That one plan rewrites at most, unless it is one partition: as much as a node does in ten
   * minutes, since a plan that runs for hours does not see that the load rises (ours). The rest
   * follows in later plans.
   */
  private static final double PLAN_BYTES = 600 * ChangePrice.COMPACT_BYTES_PER_SECOND;

  /**
   * A partition that could be rewritten.
   *
   * @param saved usage that it causes no more, in nodes
   * @param price in seconds of a node
   */
  private record Rewrite(int partition, double saved, double price) {}

  /**
   * Whether there can be anything to rewrite, by the snapshot alone: a large cluster whose files
   * are never near, or were rewritten in vain, is not searched at every decision.
   */
  static boolean areThere(DecisionContext context) {
    PlaceSettings place = context.settings().place();
    double near = Math.min(place.localityWrite(), place.localityOther());
    double far = Math.max(place.localityWrite(), place.localityOther());
    List<PartitionState> partitions =
        context.seen().snapshot().partitions().stream().filter(p -> p.sizeBytes() > 0).toList();
    Set<NodeId> withNear =
        partitions.stream()
            .filter(p -> p.locality() >= near)
            .flatMap(p -> p.node().stream())
            .collect(Collectors.toSet());
    Set<PartitionId> lately = context.state().rewrittenLately(context.seen().snapshot().takenAt());
    return partitions.stream()
        .anyMatch(
            p ->
                p.locality() < far
                    && p.node().filter(withNear::contains).isPresent()
                    && !lately.contains(p.id())
                    && !context.stays(p));
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    GuardSettings guard = now.load().settings().guard();
    Budget budget = evaluator.budget();
    Layout layout = now.copy();
    double allowed = guard.maxMovedGiB() * (double) (1L << 30);
    double sum = 0;
    for (Rewrite rewrite : rewrites(now, evaluator)) {
      double bytes = now.demand(rewrite.partition()).bytes();
      if (layout.rewrites().partitions().size() == guard.maxCompactions() || !budget.take(1)) {
        break;
      }
      if (bytes > allowed || gain(layout, rewrite, evaluator) <= 0) {
        continue;
      }
      // The next one waits for the next plan, so that none that is worth less goes before it.
      if (sum > 0 && sum + bytes > Math.min(allowed, PLAN_BYTES)) {
        break;
      }
      layout.compact(rewrite.partition(), rewrite.saved());
      sum += bytes;
    }
    return layout.rewrites().partitions().isEmpty()
        ? List.of()
        : List.of(new Candidate("compact partitions whose files are on other nodes", layout));
  }

  /**
   * Rewrites what a plan does, as far as it brings files to a node that has been serving them; of
   * what moves before it nothing is known that could be saved.
   *
   * @param partitions whole ones, each on a node
   */
  static void rewrite(Layout layout, List<Integer> partitions) {
    ClusterLoad load = layout.load();
    Set<Integer> near = partitions.isEmpty() ? Set.of() : nodesWithNearFiles(load);
    for (int p : partitions) {
      int at = load.at(p);
      if (near.contains(at) && layout.nodeOf(p) == at && isFar(load, p)) {
        layout.compact(p, saved(load, p, at));
      }
    }
  }

  private static double gain(Layout layout, Rewrite rewrite, Evaluator evaluator) {
    int node = layout.nodeOf(rewrite.partition());
    double worth = layout.worthOn(node);
    Demand after = layout.held(node).cheaper(rewrite.saved());
    return evaluator.loss(layout.forecast(node), worth)
        - evaluator.loss(layout.forecast(node, after, layout.memory(node)), worth)
        + rewrite.saved() * evaluator.horizonSeconds()
        - rewrite.price();
  }

  /** Those that bring most for their price first. */
  private static List<Rewrite> rewrites(Layout now, Evaluator evaluator) {
    ClusterLoad load = now.load();
    Set<Integer> near = nodesWithNearFiles(load);
    DecisionContext context = load.context();
    Set<PartitionId> lately = context.state().rewrittenLately(context.seen().snapshot().takenAt());
    List<Rewrite> found = new ArrayList<>();
    for (int p = 0; p < load.partitions().size(); p++) {
      int at = load.at(p);
      if (near.contains(at)
          && isFar(load, p)
          && !load.stays(p)
          && load.nodes().get(at).maintenance().isEmpty()
          && !lately.contains(load.partitions().state(p).id())) {
        double saved = saved(load, p, at);
        if (saved > 0) {
          found.add(new Rewrite(p, saved, evaluator.price().ofCompaction(load.demand(p), at)));
        }
      }
    }
    found.sort(Comparator.comparingDouble(rewrite -> -rewrite.saved() / rewrite.price()));
    return found;
  }

  private static boolean isFar(ClusterLoad load, int p) {
    PartitionState state = load.partitions().state(p);
    return state.sizeBytes() > 0 && state.locality() < load.localityMin(p);
  }

  /**
   * Where data are not kept on the nodes that serve them, no file is ever near, and rewriting them
   * changes nothing.
   */
  private static Set<Integer> nodesWithNearFiles(ClusterLoad load) {
    Set<Integer> nodes = new HashSet<>();
    for (int p = 0; p < load.partitions().size(); p++) {
      if (load.at(p) >= 0 && load.partitions().state(p).sizeBytes() > 0 && !isFar(load, p)) {
        nodes.add(load.at(p));
      }
    }
    return nodes;
  }

  /**
   * By the share of all blocks that its node had to read lately; since it started, it may have had
   * another load for months.
   */
  private static double saved(ClusterLoad load, int p, int at) {
    // What it misses while its cache fills ends by itself.
    double missed = load.isCold(at) ? 0 : load.misses(at).orElse(0);
    Demand demand = load.demand(p);
    Load asked = demand.load();
    double blocks = asked.reads() + asked.scans() * asked.scan().blocks();
    double more = FAR * (1 - load.partitions().state(p).locality());
    // All that it uses is no more than it would use with near files and that on top.
    return Math.min(
        blocks * missed * more * load.basis().missSeconds(),
        demand.corrected() * more / (1 + more));
  }
}

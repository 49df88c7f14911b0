package io.trimtab.controller.health;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decisions without nodes that could not be read. A policy does not see them, so that it plans
 * nothing with them; their load stays with them, and the guard counts it ({@link #usage}).
 */
public final class Quarantine {
  private static final double MINUTE_S = 60;

  private Quarantine() {}

  /**
   * What a policy sees: the nodes that could be read, and their partitions. The same observation if
   * these are all.
   */
  public static Observation.Usable without(Observation.Usable seen) {
    ClusterSnapshot all = seen.snapshot();
    Set<NodeId> unread = ids(all);
    if (unread.isEmpty()) {
      return seen;
    }
    List<NodeState> nodes =
        all.nodes().stream().filter(node -> !unread.contains(node.id())).toList();
    List<PartitionState> partitions =
        all.partitions().stream().filter(p -> p.node().filter(unread::contains).isEmpty()).toList();
    ClusterSnapshot part = all.with(nodes, partitions, List.of());
    return seen.on(part)
        .withUnread(unread.size())
        .with(seen.hints().stream().filter(h -> part.partition(h.partition()).isPresent()).toList())
        .withBlocks(
            seen.blocks().stream().filter(b -> part.partition(b.partition()).isPresent()).toList());
  }

  /** Settings for such a decision: a table's block size would change on all of its nodes. */
  public static Settings settings(ClusterSnapshot seen, Settings settings) {
    return ids(seen).isEmpty() ? settings : settings.with(settings.place().withoutBlockSizes());
  }

  /** Nodes that live and could not be read. */
  public static Set<NodeId> ids(ClusterSnapshot seen) {
    Set<NodeId> ids = new TreeSet<>();
    seen.unreadNodes().forEach(node -> ids.add(node.id()));
    return ids;
  }

  /**
   * How much a node counts as used, in [0, 1]: one that could not be read as it was last seen, and
   * more with each minute since ({@code health.unreadGrowth}); one of which nothing is known as
   * used fully.
   */
  public static double usage(NodeState node, HealthSettings settings) {
    if (!node.usage().known()) {
      return 1;
    }
    double minutes = node.read().unreadS().orElse(0) / MINUTE_S;
    return Math.min(1, node.usage().server() + settings.unreadGrowth() * minutes);
  }
}

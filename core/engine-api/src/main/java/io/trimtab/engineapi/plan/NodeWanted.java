package io.trimtab.engineapi.plan;

import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a new node should be like, for a person who is to start it. */
public final class NodeWanted {
  private static final double GIBIBYTE = 1L << 30;

  private NodeWanted() {}

  /**
   * A present node that it should be like, one of the same memory split if there is one, with what
   * is known of its machine, and the rack with the fewest live nodes where there are several.
   * Empty, or begins with a space.
   */
  public static String like(ClusterSnapshot seen, Profile profile) {
    return seen.liveNodes().stream()
            .min(Comparator.comparing(node -> !has(node, profile)))
            .map(node -> " like " + node.id() + machine(node) + ", version " + seen.version())
            .orElse("")
        + rack(seen);
  }

  private static boolean has(NodeState node, Profile profile) {
    return node.profile().filter(p -> p.sameMemory(profile)).isPresent();
  }

  private static String machine(NodeState node) {
    List<String> known = new ArrayList<>();
    if (node.gauges().heapMaxBytes() > 0) {
      known.add("heap " + gibibytes(node.gauges().heapMaxBytes()));
    }
    if (Double.isFinite(node.usage().limits().cores())) {
      known.add(String.format(Locale.ROOT, "%.3g cores", node.usage().limits().cores()));
    }
    if (node.gauges().disk().capacityBytes() > 0) {
      known.add("disks " + gibibytes(node.gauges().disk().capacityBytes()));
    }
    return known.isEmpty() ? "" : " (" + String.join(", ", known) + ")";
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f GiB", bytes / GIBIBYTE);
  }

  private static String rack(ClusterSnapshot seen) {
    return place(seen).map(rack -> ", in " + rack).orElse("");
  }

  /**
   * The rack with the fewest live nodes, as "rack r1 of dc1"; empty where there is only one, or
   * none is known.
   */
  public static Optional<String> place(ClusterSnapshot seen) {
    Map<String, Integer> racks = new TreeMap<>();
    for (NodeState node : seen.liveNodes()) {
      if (!node.rack().isEmpty()) {
        racks.merge(place(node), 1, Integer::sum);
      }
    }
    return racks.size() < 2
        ? Optional.empty()
        : racks.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /** Where a node stands, in the same words. */
  public static String place(NodeState node) {
    return "rack " + node.rack() + " of " + node.dataCentre();
  }
}

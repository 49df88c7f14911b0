package io.trimtab.providers.manual;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.providers.ProviderContext.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a person has to do, in one line each, with everything that is known of the cluster. */
record Instructions(Words words) {

  String add(ClusterSnapshot seen, Profile profile, List<Long> tokens) {
    String ring =
        tokens.isEmpty()
            ? ""
            : "; its tokens: " + String.join(",", tokens.stream().map(String::valueOf).toList());
    return "start one " + words.node() + like(seen, profile) + place(seen) + ring;
  }

  String replace(ClusterSnapshot seen, NodeId dead, Profile profile) {
    String rack =
        seen.node(dead)
            .filter(node -> !node.rack().isEmpty())
            .map(node -> ", in rack " + node.rack() + " of " + node.dataCentre())
            .orElse("");
    return "start one "
        + words.node()
        + " on another address in place of dead node "
        + dead
        + rack
        + like(seen, profile);
  }

  String remove(NodeId node) {
    return "stop %s %s for good, and keep its data".formatted(words.node(), node);
  }

  String restart(NodeId node, Optional<Profile> profile) {
    return "restart %s %s%s"
        .formatted(words.node(), node, profile.map(p -> " with " + words.text(p)).orElse(""));
  }

  String persist(NodeId node, Profile profile) {
    return "write into the configuration of %s %s, for its next start: %s"
        .formatted(words.node(), node, words.text(profile));
  }

  /** The node that it is to be like: one of the same profile, if there is one. */
  private String like(ClusterSnapshot seen, Profile profile) {
    return seen.liveNodes().stream()
        .min(Comparator.comparing(node -> !has(node, profile)))
        .map(node -> " like " + node.id() + machine(node) + ", version " + seen.version())
        .map(like -> like + ", with " + words.text(profile))
        .orElse(" with " + words.text(profile));
  }

  private static boolean has(NodeState node, Profile profile) {
    return node.profile().filter(p -> p.sameMemory(profile)).isPresent();
  }

  private static String machine(NodeState node) {
    List<String> known = new ArrayList<>();
    if (node.gauges().heapMaxBytes() > 0) {
      known.add("heap " + Bytes.human(node.gauges().heapMaxBytes()));
    }
    if (Double.isFinite(node.usage().limits().cores())) {
      known.add(String.format(Locale.ROOT, "%.3g cores", node.usage().limits().cores()));
    }
    if (node.gauges().disk().capacityBytes() > 0) {
      known.add("disks " + Bytes.human(node.gauges().disk().capacityBytes()));
    }
    return known.isEmpty() ? "" : " (" + String.join(", ", known) + ")";
  }

  /** The rack with the fewest live nodes, where there are several. */
  private static String place(ClusterSnapshot seen) {
    Map<String, Integer> racks = new TreeMap<>();
    for (NodeState node : seen.liveNodes()) {
      if (!node.rack().isEmpty()) {
        racks.merge("rack " + node.rack() + " of " + node.dataCentre(), 1, Integer::sum);
      }
    }
    return racks.size() < 2
        ? ""
        : racks.entrySet().stream()
            .min(Map.Entry.comparingByValue())
            .map(rack -> ", in " + rack.getKey())
            .orElse("");
  }
}

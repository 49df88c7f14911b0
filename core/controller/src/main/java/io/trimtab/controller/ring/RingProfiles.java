package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where tokens place the data, partitions can't be grouped, but each node can be configured for its
 * most frequent requests (decision 0018). A node whose cache is off is left alone.
 *
 * @param actions none where every node is as it should be
 * @param share of all requests that is served by nodes that change, in [0, 1]
 */
public record RingProfiles(List<PlannedAction> actions, double share) {
  static final RingProfiles NONE = new RingProfiles(List.of(), 0);

  /** With fewer copies a restart takes data away from clients that ask a majority. */
  static final int COPIES_FOR_RESTART = 3;

  /**
   * A cache of rows answers no range read: what it would take is better left to the files' pages.
   */
  static final Profile SCAN = new Profile("SCAN", 0.10, 0.10, Profile.SCAN.blockSizeBytes());

  static RingProfiles of(
      Observation.Usable seen, Partitions partitions, List<NodeState> nodes, Action.ApplyMode way) {
    Map<NodeId, Map<AccessClass, Double>> load = new HashMap<>();
    double all = 0;
    for (int p : partitions.asListed()) {
      double requests = partitions.load(p);
      AccessClass own = partitions.accessClass(p);
      all += requests;
      partitions
          .state(p)
          .node()
          .ifPresent(
              n ->
                  load.computeIfAbsent(n, x -> new EnumMap<>(AccessClass.class))
                      .merge(own, requests, Double::sum));
    }
    List<PlannedAction> actions = new ArrayList<>();
    double changing = 0;
    for (NodeState node : nodes) {
      Map<AccessClass, Double> own = load.getOrDefault(node.id(), Map.of());
      double requests = own.values().stream().mapToDouble(Double::doubleValue).sum();
      if (node.profile().isEmpty()
          || !(requests > 0)
          || seen.frozen().profiles().contains(node.id())) {
        continue;
      }
      AccessClass most =
          own.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
      Optional<PlannedAction> action =
          change(actions.size() + 1, node, most, way, seen.snapshot().copies().least());
      if (action.isPresent()) {
        actions.add(action.get());
        changing += requests;
      }
    }
    return new RingProfiles(List.copyOf(actions), all > 0 ? changing / all : 0);
  }

  static Profile profile(AccessClass accessClass) {
    return accessClass == AccessClass.SCAN ? SCAN : Classifier.profile(accessClass);
  }

  private static Optional<PlannedAction> change(
      int step, NodeState node, AccessClass most, Action.ApplyMode asked, int copies) {
    Profile from = node.profile().orElseThrow();
    Profile to = profile(most);
    boolean online = asked == Action.ApplyMode.ONLINE && node.onlineProfile();
    // Settings that only a restart changes don't show whether an online change is still needed.
    boolean same = online ? from.sameCache(to) : from.sameMemory(to);
    if (same || (!online && copies < COPIES_FOR_RESTART)) {
      return Optional.empty();
    }
    return Optional.of(
        new PlannedAction(
            step,
            new Action.Reconfigure(
                node.id(), from, to, online ? Action.ApplyMode.ONLINE : Action.ApplyMode.RESTART),
            "most of its requests are " + most,
            String.format(
                Locale.ROOT,
                "row cache %.0f → %.0f %% of the heap's size%s",
                100 * from.cacheFraction(),
                100 * to.cacheFraction(),
                online
                    ? "; memtables at its next start"
                    : String.format(
                        Locale.ROOT,
                        ", memtables %.0f → %.0f %%",
                        100 * from.memstoreFraction(),
                        100 * to.memstoreFraction())),
            online ? "none: applied online" : "one restart; the other copies serve",
            "reconfigure to " + from.name()));
  }

  /** What a new node is started with: what most of the others are, or as its machine has it. */
  public static Profile joining(List<NodeState> present) {
    Map<Profile, Integer> count = new HashMap<>();
    for (NodeState node : present) {
      for (AccessClass c : AccessClass.values()) {
        if (node.profile().filter(profile(c)::sameCache).isPresent()) {
          count.merge(profile(c), 1, Integer::sum);
          break;
        }
      }
    }
    return count.entrySet().stream()
        .filter(e -> 2 * e.getValue() > present.size())
        .max(
            Map.Entry.<Profile, Integer>comparingByValue()
                .thenComparing(e -> e.getKey().name(), Comparator.naturalOrder()))
        .map(Map.Entry::getKey)
        .orElse(Profile.HOMOGENEOUS);
  }
}

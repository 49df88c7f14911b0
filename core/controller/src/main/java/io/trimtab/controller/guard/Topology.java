package io.trimtab.controller.guard;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a plan does to data centres and racks. Three rules; reasons begin with a rule's name:
 *
 * <ul>
 *   <li><i>copies per data centre</i>: a data centre that loses a node keeps as many live nodes as
 *       its data have copies there;
 *   <li><i>racks</i>: where a data centre has several racks, none loses its last live node. Whoever
 *       has set up racks wants the copies in different ones; a rack is given up by an operator, not
 *       by a plan. So a data centre never gets fewer racks than it has copies;
 *   <li><i>rack balance</i>: the largest rack of a data centre has at most one live node, or half,
 *       more than the smallest (whichever is more), because a small rack holds as much data as a
 *       large one. A data centre that is lopsided already may only become no worse.
 * </ul>
 *
 * <p>The machine of a node to be added is chosen by the node provider, which is asked for no place.
 * So new nodes count for copies only where there is one data centre, never for racks, and for the
 * balance as if they were given to the racks that need them: a plan that removes is refused only if
 * no choice of machines would do. One that only adds is refused where a data centre is lopsided
 * already, dead nodes counted with their racks, since a provider that has chosen badly would do so
 * again and again. A node that takes a dead one's place counts for nothing.
 *
 * <p>Where the engine knows no data centre and no rack, nothing is refused.
 */
public final class Topology {
  private static final String BEYOND =
      "the largest more than one node and more than half above the smallest";

  private final ClusterSnapshot before;

  /** All racks by data centre; live nodes by rack. */
  private final SortedMap<String, SortedMap<String, Integer>> live = new TreeMap<>();

  /** The same with dead nodes. */
  private final SortedMap<String, SortedMap<String, Integer>> members = new TreeMap<>();

  private Topology(ClusterSnapshot before) {
    this.before = before;
    for (NodeState node : before.nodes()) {
      live.computeIfAbsent(node.dataCentre(), name -> new TreeMap<>())
          .merge(node.rack(), node.alive() ? 1 : 0, Integer::sum);
      members
          .computeIfAbsent(node.dataCentre(), name -> new TreeMap<>())
          .merge(node.rack(), 1, Integer::sum);
    }
  }

  /**
   * Why a plan would break the topology, if so.
   *
   * @param removed nodes that leave, live or dead; others than the snapshot's are ignored
   * @param added number of nodes that join at places that are not known, ≥ 0
   */
  public static Optional<String> refuses(ClusterSnapshot before, Set<NodeId> removed, int added) {
    return new Topology(before).refuses(removed, added);
  }

  private Optional<String> refuses(Set<NodeId> removed, int added) {
    return tooFewForCopies(removed, added)
        .or(() -> emptiesRack(removed))
        .or(() -> removed.isEmpty() && added > 0 ? lopsidedAlready() : lopsided(removed, added));
  }

  /**
   * Those of some nodes whose removal, each by itself, would leave the topology whole, in their
   * order; all of them if there are none, so that the guard can say why.
   */
  public static List<NodeId> removable(ClusterSnapshot before, List<NodeId> nodes) {
    Topology topology = new Topology(before);
    List<NodeId> free =
        nodes.stream().filter(node -> topology.refuses(Set.of(node), 0).isEmpty()).toList();
    return free.isEmpty() ? nodes : free;
  }

  /** Why the removal of a node that is about to begin would lose copies or a rack, if so. */
  static Optional<String> refusesNow(ClusterSnapshot now, NodeId removed) {
    Topology topology = new Topology(now);
    return topology
        .tooFewForCopies(Set.of(removed), 0)
        .or(() -> topology.emptiesRack(Set.of(removed)));
  }

  private Optional<String> tooFewForCopies(Set<NodeId> removed, int added) {
    SortedSet<String> losing = new TreeSet<>();
    removed.forEach(id -> before.node(id).ifPresent(node -> losing.add(node.dataCentre())));
    for (String name : losing) {
      int copies = before.copies().fewestNodes(name);
      int left = sum(after(name, removed)) + (live.size() == 1 ? added : 0);
      if (left < copies) {
        return Optional.of(
            "copies per data centre: "
                + Counted.of(left, "live node")
                + " of data centre "
                + name
                + " could not hold "
                + copies
                + " copies");
      }
    }
    return Optional.empty();
  }

  private Optional<String> emptiesRack(Set<NodeId> removed) {
    for (String name : live.keySet()) {
      SortedMap<String, Integer> racks = live.get(name);
      SortedMap<String, Integer> left = after(name, removed);
      for (String rack : racks.keySet()) {
        if (racks.size() > 1 && racks.get(rack) > 0 && left.get(rack) == 0) {
          return Optional.of(
              "racks: the plan would remove the last live node of rack %s in data centre %s"
                  .formatted(rack, name));
        }
      }
    }
    return Optional.empty();
  }

  /** The place of a new node is not known: any data centre's large rack may get it. */
  private Optional<String> lopsidedAlready() {
    for (Map.Entry<String, SortedMap<String, Integer>> dataCentre : members.entrySet()) {
      SortedMap<String, Integer> racks = dataCentre.getValue();
      if (excess(racks) > 0) {
        return Optional.of(
            "rack balance: racks of data centre %s have nodes %s, %s; add a node to %s first"
                .formatted(dataCentre.getKey(), sizes(racks), BEYOND, smallest(racks)));
      }
    }
    return Optional.empty();
  }

  private Optional<String> lopsided(Set<NodeId> removed, int added) {
    int free = added;
    for (String name : live.keySet()) {
      SortedMap<String, Integer> left = after(name, removed);
      int allowed = Math.max(0, excess(live.get(name)));
      while (excess(left) > allowed) {
        if (free == 0) {
          return Optional.of(
              "rack balance: racks of data centre %s would have live nodes %s, %s"
                  .formatted(name, sizes(after(name, removed)), BEYOND));
        }
        free--;
        left.merge(smallest(left), 1, Integer::sum);
      }
    }
    return Optional.empty();
  }

  /** Live nodes by rack without some nodes; a rack without any stays, with 0. */
  private SortedMap<String, Integer> after(String dataCentre, Set<NodeId> removed) {
    SortedMap<String, Integer> left = new TreeMap<>(live.get(dataCentre));
    for (NodeId id : removed) {
      before
          .node(id)
          .filter(node -> node.alive() && node.dataCentre().equals(dataCentre))
          .ifPresent(node -> left.merge(node.rack(), -1, Integer::sum));
    }
    return left;
  }

  /** Nodes of the largest rack above what the smallest allows; 0 or less in a balanced one. */
  private static int excess(SortedMap<String, Integer> racks) {
    int least = racks.get(smallest(racks));
    int most = racks.values().stream().mapToInt(nodes -> nodes).max().orElse(0);
    return most - least - Math.max(1, least / 2);
  }

  private static String smallest(SortedMap<String, Integer> racks) {
    return racks.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private static int sum(SortedMap<String, Integer> racks) {
    return racks.values().stream().mapToInt(nodes -> nodes).sum();
  }

  /** As in {@code r1: 3, r2: 1}. */
  private static String sizes(SortedMap<String, Integer> racks) {
    return String.join(
        ", ", racks.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList());
  }
}

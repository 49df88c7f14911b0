package io.trimtab.testkit.oracle;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares a cluster that is being changed with what the plan says it is by now. */
public final class StateOracle {
  private StateOracle() {}

  static List<String> differences(
      PlanWalk walk, Map<NodeId, NodeId> added, ClusterSnapshot before, ClusterSnapshot now) {
    List<String> all = new ArrayList<>(served(now));
    long live = now.liveNodes().size();
    if (live < now.replication() && before.liveNodes().size() >= before.replication()) {
      all.add(live + " live nodes are fewer than " + now.replication() + " copies");
    }
    nodes(walk, added, now, all);
    if (now.ownership() == Ownership.ASSIGNED) {
      placement(walk, added, now, all);
    }
    return all;
  }

  private static void nodes(
      PlanWalk walk, Map<NodeId, NodeId> added, ClusterSnapshot now, List<String> all) {
    Set<NodeId> expected = new TreeSet<>();
    walk.nodes.forEach(
        (id, wanted) -> {
          NodeId real = added.getOrDefault(id, id);
          expected.add(real);
          NodeState is = now.node(real).orElse(null);
          if (is == null) {
            all.add("node " + real + " is missing");
            return;
          }
          if (is.alive() != wanted.alive) {
            all.add("node " + real + (is.alive() ? " lives" : " is dead"));
          }
          if (is.draining() != wanted.draining) {
            all.add("node " + real + (is.draining() ? " is draining" : " is open"));
          }
          boolean other =
              is.profile().isPresent()
                  && wanted.profile.isPresent()
                  && !is.profile().get().sameMemory(wanted.profile.get());
          if (other) {
            Profile profile = wanted.profile.get();
            all.add("node %s has %s, not %s".formatted(real, is.profile().get(), profile));
          }
          wanted.settings.forEach(
              (setting, value) -> {
                if (is.alive() && !value.equals(is.settings().get(setting))) {
                  all.add("node %s: %s is not %d".formatted(real, setting.title(), value));
                }
              });
        });
    for (NodeState node : now.nodes()) {
      if (!expected.contains(node.id())) {
        all.add("node " + node.id() + " should not be there");
      }
    }
  }

  private static void placement(
      PlanWalk walk, Map<NodeId, NodeId> added, ClusterSnapshot now, List<String> all) {
    Map<String, Map<RowKey, PartitionState>> is = new HashMap<>();
    for (PartitionState p : now.partitions()) {
      is.computeIfAbsent(p.id().table(), t -> new HashMap<>()).put(p.range().start(), p);
    }
    int expected = 0;
    for (var table : walk.tables.entrySet()) {
      for (PlanWalk.Part wanted : table.getValue().values()) {
        expected++;
        PartitionState found = is.getOrDefault(table.getKey(), Map.of()).get(wanted.range.start());
        if (found == null || !found.range().equals(wanted.range)) {
          all.add("no partition of %s is %s".formatted(table.getKey(), wanted.range));
          continue;
        }
        NodeId node = wanted.node == null ? null : added.getOrDefault(wanted.node, wanted.node);
        if (node != null && found.node().filter(node::equals).isEmpty()) {
          all.add("partition %s is on %s, not on %s".formatted(found.id(), found.node(), node));
        }
      }
    }
    if (now.partitions().size() != expected) {
      all.add("%d partitions, not %d".formatted(now.partitions().size(), expected));
    }
  }

  /** Every partition is once there, on a node that lives, and together they are the tables. */
  public static List<String> served(ClusterSnapshot now) {
    List<String> all = new ArrayList<>();
    Set<NodeId> live = new HashSet<>();
    now.liveNodes().forEach(n -> live.add(n.id()));
    if (now.partitionsInTransition() > 0) {
      all.add(now.partitionsInTransition() + " partitions are in transition");
    }
    Map<String, NavigableMap<RowKey, PartitionState>> tables = new TreeMap<>();
    for (PartitionState p : now.partitions()) {
      if (p.node().filter(live::contains).isEmpty()) {
        all.add("partition " + p.id() + " is served by no live node");
      }
      if (now.ownership() == Ownership.ASSIGNED) {
        PartitionState same =
            tables.computeIfAbsent(p.id().table(), t -> new TreeMap<>()).put(p.range().start(), p);
        if (same != null) {
          all.add(same.id() + " and " + p.id() + " begin at the same key");
        }
      }
    }
    tables.forEach((table, parts) -> gaps(table, parts, all));
    return all;
  }

  private static void gaps(
      String table, NavigableMap<RowKey, PartitionState> parts, List<String> all) {
    RowKey end = RowKey.EMPTY;
    for (PartitionState p : parts.values()) {
      if (!p.range().start().equals(end)) {
        all.add("keys of %s from %s to %s are nobody's".formatted(table, end, p.range().start()));
      }
      end = p.range().end();
    }
    if (!end.isEmpty()) {
      all.add("keys of %s from %s on are nobody's".formatted(table, end));
    }
  }
}

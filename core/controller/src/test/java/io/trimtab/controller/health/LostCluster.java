package io.trimtab.controller.health;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Three nodes, two of which serve a table each, and what a controller keeps of them. */
abstract class LostCluster {
  static final NodeId A = new NodeId("a:1");
  static final NodeId B = new NodeId("b:1");
  static final NodeId C = new NodeId("c:1");
  static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");
  Settings settings = Settings.defaults().with(ObserveSettings.builder().samples(3).build());

  final Map<NodeId, NodeState> nodes = new TreeMap<>();
  final Map<String, NodeId> placed = new TreeMap<>(Map.of("p", A, "q", B));

  /** Requests a second to each partition, one in a table of its own. */
  final Map<String, Long> rates = new TreeMap<>(Map.of("p", 100L, "q", 300L));

  final Map<String, Long> counted = new HashMap<>();
  final List<String> gaps = new ArrayList<>();
  Ownership ownership = Ownership.ASSIGNED;
  long seconds;
  LostNodes lost = LostNodes.NONE;
  History history = History.EMPTY;

  LostCluster() {
    List.of(A, B, C).forEach(id -> nodes.put(id, node(id, 1, true)));
  }

  static NodeState node(NodeId id, long incarnation, boolean alive) {
    return new NodeState(
        id,
        incarnation,
        alive,
        false,
        Optional.empty(),
        false,
        NodeUsage.UNKNOWN,
        NodeGauges.UNKNOWN);
  }

  void die(NodeId id) {
    nodes.put(id, node(id, 1, false));
  }

  void unplaced(String partition) {
    placed.put(partition, null);
  }

  /** Looks after some time, as a controller does. */
  void look(long later) {
    seconds += later;
    List<PartitionState> partitions = new ArrayList<>();
    placed.forEach(
        (name, node) -> {
          if (node != null) {
            counted.merge(name, rates.get(name) * later, Long::sum);
          }
          partitions.add(
              new PartitionState(
                  new PartitionId(name, name),
                  Optional.ofNullable(node),
                  Optional.of(new PartitionCounters(counted.getOrDefault(name, 0L), 0, 0, 0))
                      .filter(
                          c ->
                              node != null
                                  && nodes.containsKey(node)
                                  && nodes.get(node).readable()),
                  1,
                  1,
                  65_536,
                  KeyRange.ALL));
        });
    ClusterSnapshot seen =
        new ClusterSnapshot(
                WALL,
                "c",
                ownership == Ownership.ASSIGNED ? "hbase" : "cassandra",
                ownership,
                "1",
                1,
                List.copyOf(nodes.values()),
                partitions,
                0,
                List.of(),
                BalancerState.PAUSED,
                gaps)
            .at(WALL, OptionalLong.of(seconds * 1_000_000_000));
    lost = lost.append(history, seen, settings.pace());
    history = (lost.beginsAnew() ? history.again() : history).append(seen, settings.observe());
  }

  void looks(int times) {
    for (int i = 0; i < times; i++) {
      look(30);
    }
  }

  Optional<String> reason() {
    return lost.waits().map(Loss.Wait::reason);
  }

  void silence(NodeId id) {
    nodes.put(id, node(id, 0, true).with(NodeRead.failed("no answer")));
    gaps.add("no answer");
  }
}

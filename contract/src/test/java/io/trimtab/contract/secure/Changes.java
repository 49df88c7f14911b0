package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a test has done to an HBase cluster, and whether that was done. */
final class Changes {
  private Changes() {}

  /** A table's partitions. */
  static List<PartitionState> ofTable(ClusterSnapshot seen, String table) {
    return seen.partitions().stream().filter(p -> p.id().table().endsWith(table)).toList();
  }

  /** By turns, so that none of them is done at the same time as another one. */
  static List<Action> movesAndProfiles(ClusterSnapshot before, String table) {
    List<NodeState> nodes = before.nodes();
    List<NodeId> ids = nodes.stream().map(NodeState::id).toList();
    List<PartitionState> partitions = ofTable(before, table);
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      NodeId from = partitions.get(i).node().orElseThrow();
      NodeId to = ids.get((ids.indexOf(from) + 1) % ids.size());
      actions.add(new Action.Move(partitions.get(i).id(), from, to));
      if (i < nodes.size()) {
        actions.add(
            new Action.Reconfigure(
                ids.get(i),
                nodes.get(i).profile().orElseThrow(),
                Profile.READ,
                Action.ApplyMode.ONLINE));
      }
    }
    return actions;
  }

  /** Checks that all of them are in force. */
  static void assertDone(ClusterSnapshot after, List<Action> actions) {
    for (Action action : actions) {
      if (action instanceof Action.Move move) {
        assertThat(after.partitions())
            .filteredOn(p -> p.id().equals(move.partition()))
            .singleElement()
            .extracting(PartitionState::node)
            .isEqualTo(Optional.of(move.to()));
      } else if (action instanceof Action.Reconfigure change) {
        Profile profile = after.node(change.node()).orElseThrow().profile().orElseThrow();
        assertThat(profile.sameCache(change.to())).as("%s", profile).isTrue();
      }
    }
  }

  /** What a verb may have changed. */
  static List<String> state(ClusterSnapshot seen) {
    List<String> state = new ArrayList<>(List.of(seen.balancer().toString()));
    seen.partitions()
        .forEach(p -> state.add(p.id() + " " + p.node() + " " + p.range() + p.blockSizeBytes()));
    seen.nodes().forEach(n -> state.add(n.id() + " " + n.draining() + " " + n.profile()));
    return state;
  }
}

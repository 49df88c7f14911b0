package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is looked at before a cluster is searched for partitions to rewrite. */
class LocalFilesTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");

  private static PartitionState partition(String name, NodeId node, long bytes, double locality) {
    return new PartitionState(
        new PartitionId("t", name),
        Optional.of(node),
        PartitionCounters.ZERO,
        bytes,
        locality,
        64 << 10,
        KeyRange.ALL);
  }

  private static boolean areThere(PolicyState state, PartitionState... partitions) {
    var nodes =
        List.of(
            RandomCluster.node(A, Profile.READ, true), RandomCluster.node(B, Profile.READ, true));
    var snapshot = RandomCluster.snapshot(nodes, List.of(partitions));
    Map<NodeId, Double> usage = Map.of(A, 0.5, B, 0.5);
    var seen = new Observation.Usable(snapshot, Map.of(), usage, usage, List.of());
    return LocalFiles.areThere(new DecisionContext(seen, state, Settings.defaults()));
  }

  private static boolean areThere(PartitionState... partitions) {
    return areThere(PolicyState.INITIAL, partitions);
  }

  @Test
  void aFarPartitionBesideANearOneIsLookedAt() {
    assertThat(areThere(partition("near", A, 1, 1), partition("far", A, 1, 0.2))).isTrue();
    assertThat(areThere(partition("near", A, 1, 1), partition("nearer", A, 1, 0.95))).isFalse();
  }

  /** As with files that no node has on a disk of its own. */
  @Test
  void whereNoFileOfTheNodeIsNearNothingIsSearched() {
    assertThat(areThere(partition("far", A, 1, 0), partition("as-far", A, 1, 0))).isFalse();
    assertThat(areThere(partition("near", B, 1, 1), partition("far", A, 1, 0))).isFalse();
  }

  @Test
  void anEmptyPartitionIsNeitherNearNorFar() {
    assertThat(areThere(partition("empty", A, 0, 1), partition("far", A, 1, 0))).isFalse();
    assertThat(areThere(partition("near", A, 1, 1), partition("empty", A, 0, 0))).isFalse();
  }

  @Test
  void whatWasRewrittenInVainIsNotSearchedForAgain() {
    PartitionState far = partition("far", A, 1, 0);
    PlannedAction compaction =
        new PlannedAction(1, new Action.Compact(far.id(), 0.9), "", "e", "c", "u");
    PolicyState rewritten =
        PolicyState.INITIAL.after(List.of(compaction), RandomCluster.NOW.minusSeconds(60));

    assertThat(areThere(rewritten, partition("near", A, 1, 1), far)).isFalse();
  }
}

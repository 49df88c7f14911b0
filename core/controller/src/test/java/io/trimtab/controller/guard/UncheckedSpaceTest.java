package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An operator is told where the rule of free space is silent. */
class UncheckedSpaceTest {
  private static final DiskSpace KNOWN = new DiskSpace(1000, 500, 400);
  private static final DiskSpace REMOTE = new DiskSpace(-1, -1, 400);

  private final List<NodeState> nodes = new ArrayList<>();

  private UncheckedSpaceTest node(DiskSpace disk, boolean alive) {
    nodes.add(
        new NodeState(
            new NodeId("node" + nodes.size() + ":1"),
            1,
            alive,
            false,
            Optional.of(Profile.HOMOGENEOUS),
            true,
            NodeUsage.UNKNOWN,
            NodeGauges.UNKNOWN.with(disk)));
    return this;
  }

  private Optional<String> told(Integer nodeDiskGiB) {
    ClusterSnapshot seen = RandomCluster.snapshot(nodes, List.of());
    return UncheckedSpace.of(seen, GuardSettings.builder().nodeDiskGiB(nodeDiskGiB).build());
  }

  @Test
  void nodesOfUnknownCapacityAreCounted() {
    node(KNOWN, true).node(REMOTE, true).node(DiskSpace.UNKNOWN, true).node(REMOTE, false);

    assertThat(told(null))
        .hasValue(
            "disk space is not checked on 2 of 3 nodes: their capacity is not known"
                + " (guard.nodeDiskGiB)");
    assertThat(told(100))
        .as("the setting tells the capacity, and nothing tells what is used")
        .hasValue("disk space is not checked on 1 of 3 nodes: it is not known how much is on them");
  }

  @Test
  void nothingIsSaidWhereAllIsKnown() {
    node(KNOWN, true).node(KNOWN, true).node(DiskSpace.UNKNOWN, false);
    assertThat(told(null)).isEmpty();
    node(REMOTE, true);
    assertThat(told(100)).isEmpty();
  }
}

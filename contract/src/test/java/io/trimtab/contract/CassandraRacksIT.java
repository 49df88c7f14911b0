package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.guard.Topology;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.workload.CassandraTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Cassandra engine on six nodes in two data centres with three racks each, which keep two
 * copies in each data centre; see {@code ./trimtab test --racks}.
 */
@Tag("racks")
class CassandraRacksIT extends CassandraContract {
  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static KnownRows known;

  @BeforeAll
  static void up() throws Exception {
    CassandraSettings settings = CassandraSettings.DEFAULTS.withDatacenters(2).withRacks(3);
    cluster = CassandraCluster.up("racks", home, 6, settings);
    // The load finds its keyspace; it would make one that knows nothing of data centres.
    known =
        KnownRows.in(
            cluster.lab(),
            CassandraTarget.KEYSPACE,
            "{'class': 'NetworkTopologyStrategy', 'datacenter1': '2', 'datacenter2': '2'}",
            100);
  }

  @AfterAll
  static void down() {
    if (known != null) {
      known.close();
    }
  }

  @Override
  protected CassandraCluster cluster() {
    return cluster;
  }

  @Override
  public int size() {
    return 6;
  }

  /** The lab's next node joins the first data centre, which can spare one then. */
  @Override
  protected NodeId victim(ClusterSnapshot now) {
    List<NodeId> there =
        now.nodes().stream()
            .filter(node -> node.dataCentre().equals("datacenter1"))
            .map(NodeState::id)
            .toList();
    return there.get(there.size() - 1);
  }

  @Test
  void everyNodeTellsWhereItIsAndTheCopiesAreThoseOfEachDataCentre() throws Exception {
    ClusterSnapshot now = atRest();

    assertThat(now.liveNodes()).allMatch(node -> !node.dataCentre().isEmpty());
    assertThat(now.liveNodes().stream().map(NodeState::dataCentre).distinct())
        .containsExactlyInAnyOrder("datacenter1", "datacenter2");
    assertThat(now.copies().byDataCentre())
        .isEqualTo(
            Map.of("datacenter1", new Copies.Range(2, 2), "datacenter2", new Copies.Range(2, 2)));
    assertThat(now.replication()).isEqualTo(4);
    assertThat(now.copies().least()).isEqualTo(2);
  }

  /** Of a rack with one node the plan says that it would be lost. */
  @Test
  void aRackWithOneNodeKeepsIt() throws Exception {
    ClusterSnapshot now = atRest();
    for (NodeState node : now.liveNodes()) {
      long beside =
          now.liveNodes().stream()
              .filter(other -> other.dataCentre().equals(node.dataCentre()))
              .filter(other -> other.rack().equals(node.rack()))
              .count();
      if (beside == 1) {
        assertThat(Topology.refuses(now, Set.of(node.id()), 0))
            .contains(
                "racks: the plan would remove the last live node of rack %s in data centre %s"
                    .formatted(node.rack(), node.dataCentre()));
      }
    }
    assertThat(now.liveNodes().stream().map(node -> node.dataCentre() + node.rack()).distinct())
        .as("racks that have a node")
        .hasSizeGreaterThanOrEqualTo(4);
  }
}

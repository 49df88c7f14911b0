package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas in two data centres: those of the coordinator's own come first, and are ranked. */
@Tag("beside-others")
class RankingDatacentersIT {
  private static final int ROWS = 100;

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static RankedNodes nodes;
  private static KnownRows known;

  @BeforeAll
  static void up() throws Exception {
    CassandraSettings settings =
        CassandraSettings.DEFAULTS.withRanking("trimtab").withDatacenters(2);
    cluster = CassandraCluster.up("dcs", home, 4, settings);
    lab = cluster.lab();
    nodes = new RankedNodes(lab);
    // The driver asks nodes of the first data centre only.
    known =
        KnownRows.in(
            lab,
            "d",
            "{'class': 'NetworkTopologyStrategy', 'datacenter1': '2', 'datacenter2': '2'}",
            ROWS);
  }

  @AfterAll
  static void down() {
    if (known != null) {
      known.close();
    }
  }

  /** Of a node's coordinator: for how many reads each node was one of those that are ranked. */
  private static Map<String, Long> candidates(LabNode node) {
    return known
        .session()
        .execute(
            SimpleStatement.newInstance("SELECT address, candidate FROM trimtab_views.replicas")
                .setNode(known.node(node)))
        .all()
        .stream()
        .collect(Collectors.toMap(row -> row.getString(0).split(":")[0], row -> row.getLong(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCAL_ONE", "ONE", "LOCAL_QUORUM", "QUORUM", "EACH_QUORUM", "ALL"})
  void everyLevelReadsTheSame(String level) throws Exception {
    long before = nodes.sum("Ranked");
    known.areRead(DefaultConsistencyLevel.valueOf(level));
    assertThat(nodes.sum("Ranked") - before).isGreaterThanOrEqualTo(ROWS);
    assertThat(nodes.sum("FallenBack")).isZero();
    assertThat(nodes.sum("Failures")).isZero();
  }

  @Test
  void onlyReplicasOfTheOwnDataCentreAreRanked() {
    known.areRead(ConsistencyLevel.LOCAL_QUORUM);

    // Nodes are spread in turn: the first and the third are in the first data centre.
    List<LabNode> nodes = lab.nodes();
    Map<String, Long> candidates = candidates(nodes.get(0));
    assertThat(candidates).hasSize(4);
    assertThat(candidates.get(RankedNodes.host(nodes.get(0)))).isPositive();
    assertThat(candidates.get(RankedNodes.host(nodes.get(2)))).isPositive();
    assertThat(candidates.get(RankedNodes.host(nodes.get(1)))).isZero();
    assertThat(candidates.get(RankedNodes.host(nodes.get(3)))).isZero();
  }

  /** The leader of such a counter is the snitch's to choose, in the same thread as reads. */
  @Test
  void countersOfTheOtherDataCentreHaveTheStockLeader() {
    known.run(
        "CREATE KEYSPACE f WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter2': '2'}");
    known.run("CREATE TABLE f.c (k int PRIMARY KEY, n counter)");
    LabNode here = lab.nodes().get(0);
    Map<String, Long> before = candidates(here);
    for (int i = 0; i < 20; i++) {
      known.rows("UPDATE f.c SET n = n + 1 WHERE k = 1", ConsistencyLevel.QUORUM, known.node(here));
    }
    assertThat(candidates(here)).isEqualTo(before);
    assertThat(known.rows("SELECT n FROM f.c WHERE k = 1", ConsistencyLevel.ALL).get(0).getLong(0))
        .isEqualTo(20);
    assertThat(candidates(here)).as("a read from afar is not ranked either").isEqualTo(before);
  }

  /** Two of two are needed for a quorum there; one is enough for what asks for one. */
  @Test
  void aNodeOfTheOwnDataCentreThatDiesIsLeftOut() throws Exception {
    LabNode coordinator = lab.nodes().get(0);
    NodeId victim = lab.nodes().get(2).id();
    lab.killNode(victim);
    try {
      // Until then a read of the whole table, which is never made again, may wait for it.
      RankedNodes.await(
          Duration.ofMinutes(2),
          () ->
              ((List<?>) nodes.attribute(coordinator, RankedNodes.STORAGE, "LiveNodes")).size()
                  < lab.nodes().size());
      known.areRead(ConsistencyLevel.LOCAL_ONE, known.node(coordinator));
      known.areRead(ConsistencyLevel.QUORUM, known.node(coordinator));
    } finally {
      lab.startNode(victim, Duration.ofMinutes(2));
    }
    nodes.awaitAllAlive();
    known.areRead(ConsistencyLevel.ALL, known.node(coordinator));
  }

  @Test
  void aNodeOfTheOtherDataCentreThatDiesIsMissedOnlyWhereItIsNeeded() throws Exception {
    NodeId victim = lab.nodes().get(1).id();
    lab.killNode(victim);
    try {
      known.areRead(ConsistencyLevel.LOCAL_QUORUM);
      // As without the plug-in: two of two are needed there.
      assertThatThrownBy(
              () ->
                  RankedNodes.await(
                      () -> {
                        known.areRead(ConsistencyLevel.EACH_QUORUM);
                        return false;
                      }))
          .isInstanceOfAny(UnavailableException.class, ReadTimeoutException.class);
    } finally {
      lab.startNode(victim, Duration.ofMinutes(2));
    }
    known.areRead(ConsistencyLevel.EACH_QUORUM);
  }
}

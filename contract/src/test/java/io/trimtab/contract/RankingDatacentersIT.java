package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas in two data centres: those of the coordinator's own come first, and are ranked. */
@Tag("two-clusters")
class RankingDatacentersIT {
  private static final int ROWS = 100;
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir static Path home;
  private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static CqlSession session;

  @BeforeAll
  static void up() throws Exception {
    CassandraSettings settings =
        CassandraSettings.DEFAULTS.withRanking("trimtab").withDatacenters(2);
    cluster = CassandraCluster.up("dcs", home, 4, settings);
    lab = cluster.lab();
    // The driver asks nodes of this data centre only.
    session =
        CqlSession.builder()
            .addContactPoints(lab.points())
            .withLocalDatacenter("datacenter1")
            .build();
    run(
        "CREATE KEYSPACE d WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter1': '2', 'datacenter2': '2'}");
    run("CREATE TABLE d.t (k int PRIMARY KEY, v text)");
    PreparedStatement insert = session.prepare("INSERT INTO d.t (k, v) VALUES (?, ?)");
    for (int i = 0; i < ROWS; i++) {
      session.execute(
          insert.bind(i, "value " + i).setConsistencyLevel(ConsistencyLevel.ALL).setTimeout(LIMIT));
    }
  }

  @AfterAll
  static void down() {
    if (session != null) {
      session.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void run(String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(LIMIT));
  }

  private static List<Row> rows(String cql, ConsistencyLevel level) {
    return session
        .execute(
            SimpleStatement.newInstance(cql)
                .setConsistencyLevel(level)
                .setTimeout(LIMIT)
                .setIdempotent(true))
        .all();
  }

  private static void everythingIsRead(ConsistencyLevel level) {
    for (int i = 0; i < ROWS; i++) {
      assertThat(rows("SELECT v FROM d.t WHERE k = " + i, level))
          .as("%s at %s", i, level)
          .extracting(row -> row.getString(0))
          .containsExactly("value " + i);
    }
    assertThat(rows("SELECT k, v FROM d.t", level))
        .hasSize(ROWS)
        .allMatch(row -> row.getString(1).equals("value " + row.getInt(0)));
  }

  /** Of a node's coordinator: for how many reads each node was one of those that are ranked. */
  private static Map<String, Long> candidates(LabNode node) {
    return session
        .execute(
            SimpleStatement.newInstance("SELECT address, candidate FROM trimtab_views.replicas")
                .setNode(
                    session.getMetadata().getNodes().values().stream()
                        .filter(its -> its.getEndPoint().toString().contains(host(node.id()) + ":"))
                        .findFirst()
                        .orElseThrow()))
        .all()
        .stream()
        .collect(Collectors.toMap(row -> row.getString(0).split(":")[0], row -> row.getLong(1)));
  }

  private static String host(NodeId node) {
    return node.name().split(":")[0];
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCAL_ONE", "ONE", "LOCAL_QUORUM", "QUORUM", "EACH_QUORUM", "ALL"})
  void everyLevelReadsTheSame(String level) {
    everythingIsRead(DefaultConsistencyLevel.valueOf(level));
  }

  @Test
  void onlyReplicasOfTheOwnDataCentreAreRanked() {
    everythingIsRead(ConsistencyLevel.LOCAL_QUORUM);

    // Nodes are spread in turn: the first and the third are in the first data centre.
    List<LabNode> nodes = lab.nodes();
    Map<String, Long> candidates = candidates(nodes.get(0));
    assertThat(candidates).hasSize(4);
    assertThat(candidates.get(host(nodes.get(0).id()))).isPositive();
    assertThat(candidates.get(host(nodes.get(2).id()))).isPositive();
    assertThat(candidates.get(host(nodes.get(1).id()))).isZero();
    assertThat(candidates.get(host(nodes.get(3).id()))).isZero();
  }

  @Test
  void aNodeOfTheOtherDataCentreThatDiesIsMissedOnlyWhereItIsNeeded() throws Exception {
    NodeId victim = lab.nodes().get(1).id();
    lab.killNode(victim);
    try {
      everythingIsRead(ConsistencyLevel.LOCAL_QUORUM);
      // As without the plug-in: two of two are needed there.
      assertThatThrownBy(
              () -> {
                while (true) {
                  everythingIsRead(ConsistencyLevel.EACH_QUORUM);
                }
              })
          .isInstanceOfAny(UnavailableException.class, ReadTimeoutException.class);
    } finally {
      lab.startNode(victim, Duration.ofMinutes(2));
    }
    everythingIsRead(ConsistencyLevel.EACH_QUORUM);
  }
}

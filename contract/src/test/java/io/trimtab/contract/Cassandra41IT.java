package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.trimtab.cassandra.ranking.NodePlugin;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.plugincore.ranking.RankingKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same plug-in on three nodes of Cassandra 4.1 with Java 11, each with a copy of everything;
 * see {@code ./trimtab test --engine cassandra@4.1}.
 */
@Tag("other-engine")
class Cassandra41IT {
  private static final int ROWS = 200;
  private static final String REFUSED =
      "reads in the thread of the request need Cassandra 5.0: this one has no hook for them";
  private static final List<ConsistencyLevel> LEVELS =
      List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static RankedNodes nodes;
  private static KnownRows known;

  @BeforeAll
  static void up() throws Exception {
    OtherEngine.cassandra();
    CassandraSettings settings = CassandraSettings.DEFAULTS.withRanking("trimtab");
    cluster = CassandraCluster.up("ranking-41", home, 3, settings);
    lab = cluster.lab();
    nodes = new RankedNodes(lab);
    known = KnownRows.in(lab, "r", "{'class': 'SimpleStrategy', 'replication_factor': 3}", ROWS);
  }

  @AfterAll
  static void down() {
    if (known != null) {
      known.close();
    }
    OtherEngine.clear();
  }

  @Test
  void theNodesAreWhatTheyAreMeantToBe() throws Exception {
    for (LabNode node : lab.nodes()) {
      assertThat(nodes.attribute(node, RankedNodes.STORAGE, "ReleaseVersion"))
          .isEqualTo(OtherEngine.version());
      assertThat((String) nodes.attribute(node, "java.lang:type=Runtime", "SpecVersion"))
          .isEqualTo("11");
    }
    assertThat(cluster.engine().ranking().nodes()).hasSize(3).allMatch(NodePlugin::works);
  }

  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void everyRankingReadsTheSame(RankingKind kind) throws Exception {
    nodes.readTheSame(kind, known, LEVELS);
  }

  /** How a coordinator sees a node, of which it knows nothing when a ranking is chosen. */
  private static CompositeData view(LabNode coordinator, LabNode node) throws Exception {
    CompositeData[] views =
        (CompositeData[]) nodes.attribute(coordinator, RankedNodes.RANKING, "Replicas");
    return Arrays.stream(views)
        .filter(view -> ((String) view.get("address")).startsWith(RankedNodes.host(node) + ":"))
        .findFirst()
        .orElseThrow();
  }

  /** The others by their answers, this one by its own reads: no node reads from it meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"trimtab", "c3"})
  void aCoordinatorKnowsQueuesAndServiceTimesOfAllReplicas(String ranking) throws Exception {
    LabNode coordinator = lab.nodes().get(0);
    nodes.choose(ranking);
    known.burst(2_000, known.node(coordinator));

    for (LabNode node : lab.nodes()) {
      CompositeData view = view(coordinator, node);
      assertThat((Double) view.get("queued")).as("%s", view).isNotNaN().isBetween(0.0, 200.0);
      assertThat((Double) view.get("serviceMs"))
          .as("%s", view)
          .isNotNaN()
          .isBetween(0.001, 1_000.0);
    }
  }

  /** Otherwise its own copy would be the one that never has anything to do. */
  @Test
  void aCoordinatorCountsItsOwnUnansweredReads() throws Exception {
    LabNode coordinator = lab.nodes().get(0);
    nodes.choose("least-outstanding");
    FutureTask<Boolean> reads =
        new FutureTask<>(() -> known.burst(20_000, known.node(coordinator)), true);
    new Thread(reads, "burst").start();
    try {
      for (LabNode node : lab.nodes()) {
        RankedNodes.await(() -> (Integer) view(coordinator, node).get("outstanding") > 0);
      }
    } finally {
      reads.get();
    }
  }

  /** Whatever of a request was counted when it began. */
  @Test
  void nothingStaysUnansweredForEver() throws Exception {
    nodes.choose("least-outstanding");
    for (int i = 0; i < 10; i++) {
      for (ConsistencyLevel level : LEVELS) {
        known.areRead(level);
      }
    }
    known.run("INSERT INTO r.t (k, v) VALUES (-1, 'a') IF NOT EXISTS");
    known.run("DELETE FROM r.t WHERE k = -1");
    for (LabNode coordinator : lab.nodes()) {
      for (LabNode node : lab.nodes()) {
        RankedNodes.await(() -> view(coordinator, node).get("outstanding").equals(0));
      }
    }
  }

  @Test
  void aFrozenNodeIsNotReadFrom() throws Exception {
    nodes.leaveOutOneThatIsFrozen(lab.nodes().get(2), lab.nodes().get(0), known);
  }

  /** A rolling change: one of three nodes leaves the plug-in out, and then has it again. */
  @Test
  void nodesWithAndWithoutThePlugInServeTogether() throws Exception {
    nodes.choose("trimtab");
    LabNode plain = lab.nodes().get(1);
    restart(plain, null);
    try {
      for (LabNode coordinator : lab.nodes()) {
        for (ConsistencyLevel level : LEVELS) {
          known.areRead(level, known.node(coordinator));
        }
      }
      for (LabNode node : List.of(lab.nodes().get(0), lab.nodes().get(2))) {
        assertThat(nodes.attribute(node, RankedNodes.RANKING, "Failures")).isEqualTo(0L);
        assertThat(nodes.attribute(node, RankedNodes.RANKING, "FallenBack")).isEqualTo(0L);
      }
    } finally {
      restart(plain, "trimtab");
    }
    known.areRead(ConsistencyLevel.ALL, known.node(plain));
    assertThat(nodes.sum("Failures")).isZero();
    assertThat(nodes.errors(plain)).hasSize(2).allMatch(line -> line.contains(REFUSED));
  }

  private static void restart(LabNode node, String ranking) throws Exception {
    nodes.restart(node, ranking);
    RankedNodes.await(() -> known.node(node).getOpenConnections() > 0);
  }

  /** These nodes have been told to make them. */
  @Test
  void inlineReadsAreRefusedOnce() throws Exception {
    for (LabNode node : lab.nodes()) {
      assertThat(nodes.attribute(node, RankedNodes.RANKING, "InlineReads")).isEqualTo(false);
      assertThatThrownBy(() -> nodes.set(node, RankedNodes.RANKING, "InlineReads", true))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasMessageContaining(REFUSED);
      assertThat(nodes.attribute(node, RankedNodes.RANKING, "InlineReads")).isEqualTo(false);
    }
    assertThat(nodes.errors(lab.nodes().get(0)))
        .singleElement()
        .asString()
        .contains("trimtab.inlineReads: " + REFUSED);
  }
}

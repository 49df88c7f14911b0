package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.cassandra.ranking.NodePlugin;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.engineapi.NodeId;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.plugincore.ranking.RankingKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.RuntimeMBeanException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads from three nodes, each with a copy of everything, that rank replicas by the plug-in. */
@Tag("beside-others")
class RankingIT {
  private static final int ROWS = 200;
  private static final List<ConsistencyLevel> LEVELS =
      List.of(
          ConsistencyLevel.ONE,
          ConsistencyLevel.LOCAL_ONE,
          ConsistencyLevel.QUORUM,
          ConsistencyLevel.LOCAL_QUORUM,
          ConsistencyLevel.ALL);

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static RankedNodes nodes;
  private static KnownRows known;

  @BeforeAll
  static void up() throws Exception {
    CassandraSettings settings = CassandraSettings.DEFAULTS.withRanking("trimtab").withRacks(2);
    cluster = CassandraCluster.up("ranking-it", home, 3, settings);
    lab = cluster.lab();
    nodes = new RankedNodes(lab);
    known = KnownRows.in(lab, "r", "{'class': 'SimpleStrategy', 'replication_factor': 3}", ROWS);
    run("CREATE TABLE r.c (k int PRIMARY KEY, n counter)");
    run("CREATE TABLE r.b (k int PRIMARY KEY, v text)");
  }

  @AfterAll
  static void down() {
    if (known != null) {
      known.close();
    }
  }

  private static void run(String cql) {
    known.run(cql);
  }

  private static List<Row> rows(String cql, ConsistencyLevel level) {
    return known.rows(cql, level);
  }

  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void everyRankingReadsTheSame(RankingKind kind) throws Exception {
    nodes.readTheSame(kind, known, LEVELS);
    assertThat(nodes.sum("OwnReads")).isPositive();
    assertThat(nodes.sum("AskedReads")).isPositive();
  }

  /** Where this node's copy comes first the others are only asked for reads of several copies. */
  @Test
  void ownReadsAndThoseForOthersAreCountedApart() throws Exception {
    nodes.choose("trimtab");
    nodes.set("LocalFirst", true);
    try {
      long own = nodes.sum("OwnReads");
      long asked = nodes.sum("AskedReads");
      known.areRead(ConsistencyLevel.ONE);
      assertThat(nodes.sum("OwnReads") - own).isGreaterThanOrEqualTo(ROWS);
      // Parts of the whole table may be read elsewhere.
      assertThat(nodes.sum("AskedReads") - asked).isLessThan(ROWS / 4);
      known.areRead(ConsistencyLevel.QUORUM);
      assertThat(nodes.sum("AskedReads") - asked).isGreaterThanOrEqualTo(ROWS);
    } finally {
      nodes.set("LocalFirst", false);
    }
  }

  @Test
  void switchedOffItRanksNothing() throws Exception {
    nodes.choose("off");
    long before = nodes.sum("Ranked");
    known.areRead(ConsistencyLevel.QUORUM);
    assertThat(nodes.sum("Ranked")).isEqualTo(before);

    assertThatThrownBy(() -> nodes.choose("nearest"))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasMessageContaining("no ranking is called nearest; there are random, ");
    assertThat(nodes.attribute(lab.nodes().get(0), RankedNodes.RANKING, "Ranking"))
        .isEqualTo("off");
  }

  /** In the request's thread where this node has a copy and comes first: most reads at ONE. */
  @Test
  void localReadsInTheRequestsThreadReadTheSame() throws Exception {
    nodes.set("Ranking", "trimtab");
    nodes.set("LocalFirst", true);
    nodes.set("InlineReads", true);
    try {
      long before = nodes.sum("Inlined");
      for (ConsistencyLevel level : LEVELS) {
        known.areRead(level);
      }
      // Each node has a copy of everything; at other levels than these two others are asked, too.
      // The driver pages, so that Cassandra reads the partitions of IN one after another.
      assertThat(nodes.sum("Inlined") - before)
          .isBetween(2 * ROWS * 9 / 10L, 2L * (ROWS + 2 * KnownRows.SOME));
    } finally {
      nodes.set("InlineReads", false);
      nodes.set("LocalFirst", false);
    }
    long after = nodes.sum("Inlined");
    known.areRead(ConsistencyLevel.ONE);
    assertThat(nodes.sum("Inlined")).isEqualTo(after);
    assertThat(nodes.sum("FallenBack")).isZero();
    assertThat(nodes.sum("Failures")).isZero();
  }

  @Test
  void writesThatReadWork() throws Exception {
    nodes.choose("trimtab");
    run("INSERT INTO r.t (k, v) VALUES (-1, 'a')");
    for (int i = 0; i < 20; i++) {
      String from = Character.toString('a' + i);
      String to = Character.toString('a' + i + 1);
      String set = "UPDATE r.t SET v = '%s' WHERE k = -1 IF v = '%s'".formatted(to, from);
      assertThat(rows(set, ConsistencyLevel.QUORUM).get(0).getBoolean("[applied]")).isTrue();
      assertThat(rows(set, ConsistencyLevel.QUORUM).get(0).getBoolean("[applied]")).isFalse();
    }
    assertThat(rows("SELECT v FROM r.t WHERE k = -1", ConsistencyLevel.SERIAL).get(0).getString(0))
        .isEqualTo("u");
    run("DELETE FROM r.t WHERE k = -1");
  }

  /** Their nodes are the stock's to choose, on threads that also rank reads. */
  @Test
  void countersAndBatchesAreNotRanked() throws Exception {
    nodes.choose("trimtab");
    nodes.set(RankedNodes.STORAGE, "BatchlogEndpointStrategy", "dynamic");
    long before = nodes.sum("Ranked");
    for (LabNode coordinator : lab.nodes()) {
      Node node = known.node(coordinator);
      for (int i = 0; i < 10; i++) {
        String add = "UPDATE r.c SET n = n + " + i + " WHERE k = " + i % 2;
        known.rows(add, ConsistencyLevel.QUORUM, node);
        int from = 10_000 + 2 * i;
        known.rows(
            "BEGIN BATCH INSERT INTO r.b (k, v) VALUES (%d, '%s') ".formatted(from, node)
                + "INSERT INTO r.b (k, v) VALUES (%d, '%s') APPLY BATCH".formatted(from + 1, node),
            ConsistencyLevel.QUORUM,
            node);
      }
    }
    assertThat(nodes.sum("Ranked")).isEqualTo(before);
    assertThat(rows("SELECT k, n FROM r.c", ConsistencyLevel.ALL))
        .extracting(row -> row.getLong(1))
        .containsExactlyInAnyOrder(3L * (0 + 2 + 4 + 6 + 8), 3L * (1 + 3 + 5 + 7 + 9));
    assertThat(rows("SELECT v FROM r.b", ConsistencyLevel.ALL))
        .hasSize(20)
        .allMatch(row -> row.getString(0).equals(known.node(lab.nodes().get(2)).toString()));
    assertThat(nodes.sum("Ranked")).as("reads are").isGreaterThan(before);
  }

  @Test
  void aPartitionIsReadPageByPage() throws Exception {
    nodes.choose("trimtab");
    run("CREATE TABLE r.w (k int, c int, PRIMARY KEY (k, c))");
    List<Integer> all = IntStream.range(0, 50).boxed().toList();
    all.forEach(i -> run("INSERT INTO r.w (k, c) VALUES (1, " + i + ")"));
    for (ConsistencyLevel level : LEVELS.subList(2, LEVELS.size())) {
      for (LabNode coordinator : lab.nodes()) {
        Node node = known.node(coordinator);
        assertThat(known.pages("SELECT c FROM r.w WHERE k = 1", level, node, 7))
            .extracting(row -> row.getInt(0))
            .isEqualTo(all);
        assertThat(known.pages("SELECT c FROM r.w WHERE k = 1 ORDER BY c DESC", level, node, 7))
            .extracting(row -> 49 - row.getInt(0))
            .isEqualTo(all);
      }
    }
  }

  /** The second node is in the second rack, the two others are in the first. */
  @Test
  void aRackPenaltyKeepsReadsInTheRack() throws Exception {
    LabNode far = lab.nodes().get(1);
    LabNode near = lab.nodes().get(2);
    nodes.choose("least-outstanding");
    assertThat(shares(1_000).get(far.id())).isPositive();
    cluster.engine().ranking().set(Map.of("RackPenalty", 1000.0));
    try {
      Map<NodeId, Double> shares = shares(1_000);
      assertThat(shares.get(far.id())).isZero();
      assertThat(shares.get(near.id())).isPositive();
      nodes.choose("trimtab");
      assertThat(shares(1_000).get(far.id())).isLessThan(0.005);
      nodes.choose("random");
      assertThat(shares(1_000).get(far.id())).as("random ignores racks").isBetween(0.2, 0.5);
      assertThatThrownBy(() -> nodes.set("RackPenalty", 0.5))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasMessageContaining("the rack penalty must be 1 to 1000, not 0.5");
    } finally {
      nodes.set("RackPenalty", 1.0);
    }
  }

  /** How often each node came first for reads that the first one coordinates. */
  private static Map<NodeId, Double> shares(int reads) throws Exception {
    LabNode coordinator = lab.nodes().get(0);
    Map<String, Long> before = nodes.first(coordinator);
    known.burst(reads, known.node(coordinator));
    Map<String, Long> after = nodes.first(coordinator);
    return lab.nodes().stream()
        .collect(Collectors.toMap(LabNode::id, node -> RankedNodes.share(before, after, node)));
  }

  /** Reads repair some of the rows, a stream the others. */
  @Test
  void aNodeThatDiesIsNotReadFromAndWhatItMissedIsRepaired() throws Exception {
    LabNode victim = lab.nodes().get(2);
    MissedWrites missed = new MissedWrites(nodes, known, victim);
    nodes.choose("trimtab");
    missed.make(lab.nodes().get(0));
    assertThat(missed.held()).isEmpty();

    int half = MissedWrites.COUNT / 2;
    long before = nodes.sum("Ranked");
    missed.areRead(half, ConsistencyLevel.QUORUM);
    missed.areRead(half, ConsistencyLevel.ALL);
    assertThat(nodes.sum("Ranked") - before).as("nor are repairs").isEqualTo(2 * 3 * half);
    assertThat(missed.held()).isEqualTo(MissedWrites.keys(0, half));

    before = nodes.sum("Ranked");
    nodes.call(victim, RankedNodes.STORAGE, "rebuild", null, "r", null, null);
    assertThat(nodes.sum("Ranked")).as("a stream's sources are not ranked").isEqualTo(before);
    assertThat(missed.held()).isEqualTo(MissedWrites.keys(0, MissedWrites.COUNT));

    nodes.choose("random");
    known.areRead(ConsistencyLevel.ALL);
    assertThat(nodes.first(lab.nodes().get(0)))
        .hasSize(3)
        .allSatisfy((node, reads) -> assertThat(reads).isPositive());
    assertThat(nodes.sum("Failures")).isZero();
  }

  private static Object ranking(LabNode node, String attribute) throws Exception {
    return nodes.attribute(node, RankedNodes.RANKING, attribute);
  }

  /** A rolling change: one of three nodes leaves the plug-in out, and then has it again. */
  @Test
  void nodesWithAndWithoutThePlugInServeTogether() throws Exception {
    nodes.choose("trimtab");
    LabNode plain = lab.nodes().get(1);
    LabNode other = lab.nodes().get(2);
    restart(plain, null);
    try {
      assertThat(cluster.engine().ranking().nodes())
          .filteredOn(NodePlugin::lacksIt)
          .extracting(node -> node.node())
          .containsExactly(plain.id());
      for (LabNode coordinator : lab.nodes()) {
        known.areRead(ConsistencyLevel.QUORUM, known.node(coordinator));
        known.areRead(ConsistencyLevel.ALL, known.node(coordinator));
      }
      for (String ranking : List.of("trimtab", "c3")) {
        for (LabNode node : List.of(lab.nodes().get(0), other)) {
          nodes.set(node, RankedNodes.RANKING, "Ranking", ranking);
        }
        // It has just been started: while it runs interpreted it is ranked as the slow node it is.
        List<Double> seen = new ArrayList<>();
        do {
          Map<NodeId, Double> shares = shares(4_000);
          // Most reads stay on the coordinator, which has everything.
          seen.add(shares.get(plain.id()) / (shares.get(plain.id()) + shares.get(other.id())));
        } while (seen.get(seen.size() - 1) <= 0.08 && seen.size() < 6);
        assertThat(seen)
            .as("%s: of the reads that go elsewhere", ranking)
            .last()
            .asInstanceOf(InstanceOfAssertFactories.DOUBLE)
            .isGreaterThan(0.08);
      }
      for (LabNode node : List.of(lab.nodes().get(0), other)) {
        assertThat(nodes.attribute(node, RankedNodes.RANKING, "Failures")).isEqualTo(0L);
        assertThat(nodes.attribute(node, RankedNodes.RANKING, "FallenBack")).isEqualTo(0L);
      }
      assertThat(nodes.errors(plain)).isEmpty();
      RankingCommands.triedWithout(plain.id(), lab, known, RankingIT::ranking);
    } finally {
      restart(plain, "trimtab");
    }
    known.areRead(ConsistencyLevel.ALL, known.node(plain));
    assertThat(nodes.attribute(plain, RankedNodes.RANKING, "Ranked"))
        .asInstanceOf(InstanceOfAssertFactories.LONG)
        .isGreaterThanOrEqualTo(ROWS);
    assertThat(nodes.sum("Failures")).isZero();
    assertThat(nodes.errors(plain)).isEmpty();
  }

  private static void restart(LabNode node, String ranking) throws Exception {
    nodes.restart(node, ranking);
    RankedNodes.await(() -> known.node(node).getOpenConnections() > 0);
  }

  /** What each coordinator knows is a table, and what it does can be set for all of them. */
  @Test
  void whatIsKnownCanBeReadAndWhatIsDoneCanBeSet() throws Exception {
    RankingPlugin plugin = cluster.engine().ranking();
    plugin.set(Map.of("Ranking", "trimtab")).requireAll();
    // Whichever node answers below has asked all of them.
    for (LabNode coordinator : lab.nodes()) {
      known.areRead(ConsistencyLevel.ALL, known.node(coordinator));
    }
    known.areRead(ConsistencyLevel.ONE);

    List<Row> views = rows("SELECT * FROM trimtab_views.replicas", ConsistencyLevel.ONE);
    assertThat(views).hasSize(3).allMatch(row -> row.getLong("candidate") > 0);
    assertThat(views).allMatch(row -> row.getDouble("service_ms") > 0);
    assertThat(views).allMatch(row -> row.getDouble("trust") > 0);
    assertThat(counted("fallen_back")).isZero();
    assertThat(counted("ranked")).isPositive();
    assertThat(plugin.nodes())
        .hasSize(3)
        .allMatch(node -> node.works() && node.loaded().get().ranking().equals("trimtab"));
  }

  /** By whichever node answers. */
  private static long counted(String name) {
    String cql = "SELECT value FROM trimtab_views.counts WHERE name = '" + name + "'";
    return rows(cql, ConsistencyLevel.ONE).get(0).getLong(0);
  }

  @Test
  void theCommandsDoWhatAnOperatorNeeds() throws Exception {
    RankingCommands.tried(lab, known, RankingIT::ranking);
  }

  @Test
  void hedgesStayWithinTheirShare() throws Exception {
    new RankedNodes.Hedges(nodes, known, ROWS).stayWithinTheirShare();
  }

  @Test
  void aReadInTheRequestsThreadIsNotMadeAgain() throws Exception {
    new RankedNodes.Hedges(nodes, known, ROWS).areNotMadeOfReadsInTheRequestsThread();
  }

  @Test
  void aFrozenNodeIsNotReadFrom() throws Exception {
    nodes.leaveOutOneThatIsFrozen(lab.nodes().get(2), lab.nodes().get(0), known);
  }

  @Test
  void aSlowNodeIsToldUntilItIsFastAgain() throws Exception {
    nodes.choose("trimtab");
    SlowNodeTold.check(cluster.engine(), lab, known, ROWS);
  }
}

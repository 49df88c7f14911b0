package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.engineapi.NodeId;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.plugincore.ranking.RankingKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads from three nodes, each with a copy of everything, that rank replicas by the plug-in. */
@Tag("two-clusters")
class RankingIT {
  private static final int ROWS = 200;
  private static final String BEAN = "io.trimtab:type=ReplicaRanking";
  private static final List<ConsistencyLevel> LEVELS =
      List.of(
          ConsistencyLevel.ONE,
          ConsistencyLevel.LOCAL_ONE,
          ConsistencyLevel.QUORUM,
          ConsistencyLevel.LOCAL_QUORUM,
          ConsistencyLevel.ALL);

  @TempDir static Path home;
  private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static KnownRows known;

  @BeforeAll
  static void up() throws Exception {
    CassandraSettings settings = CassandraSettings.DEFAULTS.withRanking("trimtab");
    cluster = CassandraCluster.up("ranking-it", home, 3, settings);
    lab = cluster.lab();
    known = KnownRows.in(lab, "r", "{'class': 'SimpleStrategy', 'replication_factor': 3}", ROWS);
    run("CREATE TABLE r.c (k int PRIMARY KEY, n counter)");
  }

  @AfterAll
  static void down() {
    if (known != null) {
      known.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void run(String cql) {
    known.run(cql);
  }

  private static List<Row> rows(String cql, ConsistencyLevel level) {
    return known.rows(cql, level);
  }

  private interface Asked<T> {
    T of(MBeanServerConnection server, ObjectName name) throws Exception;
  }

  // The address is that of a node of this lab.
  @SuppressWarnings("BanJNDI")
  private static <T> T asked(LabNode node, Asked<T> what) throws Exception {
    String address =
        "service:jmx:rmi:///jndi/rmi://%s:%d/jmxrmi"
            .formatted(node.id().name().split(":")[0], lab.client().jmxPort());
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      return what.of(connector.getMBeanServerConnection(), new ObjectName(BEAN));
    }
  }

  private static long sum(String attribute) throws Exception {
    long sum = 0;
    for (LabNode node : lab.nodes()) {
      sum += asked(node, (server, name) -> (Long) server.getAttribute(name, attribute));
    }
    return sum;
  }

  private static void choose(String ranking) throws Exception {
    set("Ranking", ranking);
  }

  private static void set(String attribute, Object value) throws Exception {
    for (LabNode node : lab.nodes()) {
      asked(
          node,
          (server, name) -> {
            server.setAttribute(name, new Attribute(attribute, value));
            return null;
          });
    }
  }

  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void everyRankingReadsTheSame(RankingKind kind) throws Exception {
    choose(kind.toString());
    long before = sum("Ranked");

    for (ConsistencyLevel level : LEVELS) {
      known.areRead(level);
    }

    // A read of each row, and of each of twenty; more for parts of the whole table.
    assertThat(sum("Ranked") - before)
        .isGreaterThanOrEqualTo(LEVELS.size() * (ROWS + KnownRows.SOME));
    assertThat(sum("FallenBack")).isZero();
    assertThat(sum("Failures")).isZero();
  }

  @Test
  void switchedOffItRanksNothing() throws Exception {
    choose("off");
    long before = sum("Ranked");
    known.areRead(ConsistencyLevel.QUORUM);
    assertThat(sum("Ranked")).isEqualTo(before);

    assertThatThrownBy(() -> choose("nearest"))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasMessageContaining("no ranking is called nearest; there are random, ");
    Object chosen =
        asked(lab.nodes().get(0), (server, name) -> server.getAttribute(name, "Ranking"));
    assertThat(chosen).isEqualTo("off");
  }

  /** In the request's thread where this node has a copy and comes first: most reads at ONE. */
  @Test
  void localReadsInTheRequestsThreadReadTheSame() throws Exception {
    set("Ranking", "trimtab");
    set("LocalFirst", true);
    set("InlineReads", true);
    try {
      long before = sum("Inlined");
      for (ConsistencyLevel level : LEVELS) {
        known.areRead(level);
      }
      // Each node has a copy of everything; at other levels than these two others are asked, too.
      // The driver pages, so that Cassandra reads the partitions of IN one after another.
      assertThat(sum("Inlined") - before)
          .isBetween(2 * ROWS * 9 / 10L, 2L * (ROWS + KnownRows.SOME));
    } finally {
      set("InlineReads", false);
      set("LocalFirst", false);
    }
    long after = sum("Inlined");
    known.areRead(ConsistencyLevel.ONE);
    assertThat(sum("Inlined")).isEqualTo(after);
    assertThat(sum("FallenBack")).isZero();
    assertThat(sum("Failures")).isZero();
  }

  @Test
  void writesThatReadAndCountersWork() throws Exception {
    choose("trimtab");
    run("INSERT INTO r.t (k, v) VALUES (-1, 'a')");
    for (int i = 0; i < 20; i++) {
      String from = Character.toString('a' + i);
      String to = Character.toString('a' + i + 1);
      String set = "UPDATE r.t SET v = '%s' WHERE k = -1 IF v = '%s'".formatted(to, from);
      assertThat(rows(set, ConsistencyLevel.QUORUM).get(0).getBoolean("[applied]")).isTrue();
      run("UPDATE r.c SET n = n + 1 WHERE k = 1");
    }
    assertThat(rows("SELECT v FROM r.t WHERE k = -1", ConsistencyLevel.SERIAL).get(0).getString(0))
        .isEqualTo("u");
    assertThat(rows("SELECT n FROM r.c WHERE k = 1", ConsistencyLevel.ALL).get(0).getLong(0))
        .isEqualTo(20);
    run("DELETE FROM r.t WHERE k = -1");
  }

  @Test
  void aNodeThatDiesIsNotReadFromAndComesBack() throws Exception {
    choose("trimtab");
    NodeId victim = lab.nodes().get(2).id();
    lab.killNode(victim);
    try {
      for (int i = 0; i < 3; i++) {
        known.areRead(ConsistencyLevel.QUORUM);
      }
    } finally {
      lab.startNode(victim, Duration.ofMinutes(2));
    }
    choose("random");
    known.areRead(ConsistencyLevel.ALL);
    Map<String, Long> chosen = chosen(lab.nodes().get(0));
    assertThat(chosen).hasSize(3).allSatisfy((node, reads) -> assertThat(reads).isPositive());
  }

  /** What each coordinator knows is a table, and what it does can be set for all of them. */
  @Test
  void whatIsKnownCanBeReadAndWhatIsDoneCanBeSet() throws Exception {
    RankingPlugin plugin = cluster.engine().ranking();
    plugin.set(Map.of("Ranking", "trimtab")).requireAll();
    known.areRead(ConsistencyLevel.ONE);

    List<Row> views = rows("SELECT * FROM trimtab_views.replicas", ConsistencyLevel.ONE);
    assertThat(views).hasSize(3).allMatch(row -> row.getLong("candidate") > 0);
    assertThat(views).allMatch(row -> row.getDouble("service_ms") > 0);
    assertThat(plugin.nodes())
        .hasSize(3)
        .allMatch(node -> node.works() && node.loaded().get().ranking().equals("trimtab"));
  }

  @Test
  void theCommandsDoWhatAnOperatorNeeds() throws Exception {
    RankingCommands.tried(
        lab,
        known,
        (node, attribute) -> asked(node, (server, name) -> server.getAttribute(name, attribute)));
  }

  /** A metric of table r.h, of all nodes. */
  private static long metric(String name, String attribute) throws Exception {
    ObjectName metric =
        new ObjectName("org.apache.cassandra.metrics:type=Table,keyspace=r,scope=h,name=" + name);
    long sum = 0;
    for (LabNode node : lab.nodes()) {
      sum +=
          asked(node, (server, bean) -> ((Number) server.getAttribute(metric, attribute)))
              .longValue();
    }
    return sum;
  }

  /** Share of reads that were made again. */
  private static double hedged(int reads) throws Exception {
    long before = metric("SpeculativeRetries", "Count");
    for (int i = 0; i < reads; i++) {
      rows("SELECT v FROM r.h WHERE k = " + i % ROWS, ConsistencyLevel.ONE);
    }
    return (double) (metric("SpeculativeRetries", "Count") - before) / reads;
  }

  /** A read of this table that goes to another node is made again at once. */
  @Test
  void hedgesStayWithinTheirShare() throws Exception {
    run("CREATE TABLE r.h (k int PRIMARY KEY, v text) WITH speculative_retry = '0ms'");
    for (int i = 0; i < ROWS; i++) {
      run("INSERT INTO r.h (k, v) VALUES (" + i + ", 'v')");
    }
    choose("trimtab");
    awaitNoPatience();
    assertThat(hedged(600)).isGreaterThan(0.3);
    set("HedgeShare", 0.05);
    try {
      assertThat(hedged(1_200)).isBetween(0.001, 0.2);
      assertThat(sum("HedgeStops")).isPositive();
      set("HedgeShare", 0.0);
      await(() -> metric("SpeculativeSampleLatencyNanos", "Value") > 0);
      assertThat(hedged(600)).isLessThan(0.02);
    } finally {
      set("HedgeShare", 1.0);
    }
    awaitNoPatience();
    assertThat(hedged(600)).as("given back").isGreaterThan(0.3);
    assertThat(sum("Failures")).isZero();
  }

  /** Until all nodes make reads of r.h again at once: Cassandra calculates it every 5 s. */
  private static void awaitNoPatience() throws Exception {
    await(() -> metric("SpeculativeSampleLatencyNanos", "Value") == 0);
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + KnownRows.LIMIT.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /** How often each node came first. */
  private static Map<String, Long> chosen(LabNode node) throws Exception {
    CompositeData[] views =
        asked(node, (server, name) -> (CompositeData[]) server.getAttribute(name, "Replicas"));
    return Arrays.stream(views)
        .collect(
            Collectors.toMap(
                view -> (String) view.get("address"), view -> (Long) view.get("first")));
  }
}

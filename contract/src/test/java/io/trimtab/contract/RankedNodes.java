package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.plugincore.ranking.RankingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A lab's nodes over JMX: how they rank, and what else their tests need of Cassandra. */
record RankedNodes(CassandraLab lab) {
  static final String RANKING = "io.trimtab:type=ReplicaRanking";
  static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";

  private interface Asked<T> {
    T of(MBeanServerConnection server) throws Exception;
  }

  static String host(LabNode node) {
    return node.id().name().split(":")[0];
  }

  // The address is that of a node of this lab.
  @SuppressWarnings("BanJNDI")
  private <T> T asked(LabNode node, Asked<T> what) throws Exception {
    String address =
        "service:jmx:rmi:///jndi/rmi://%s:%d/jmxrmi".formatted(host(node), lab.client().jmxPort());
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      return what.of(connector.getMBeanServerConnection());
    }
  }

  Object attribute(LabNode node, String bean, String attribute) throws Exception {
    return asked(node, server -> server.getAttribute(new ObjectName(bean), attribute));
  }

  /** Calls an operation that takes strings. */
  void call(LabNode node, String bean, String operation, String... values) throws Exception {
    String[] types = new String[values.length];
    Arrays.fill(types, String.class.getName());
    asked(node, server -> server.invoke(new ObjectName(bean), operation, values, types));
  }

  /** On all nodes. */
  void set(String bean, String attribute, Object value) throws Exception {
    for (LabNode node : lab.nodes()) {
      set(node, bean, attribute, value);
    }
  }

  void set(LabNode node, String bean, String attribute, Object value) throws Exception {
    asked(
        node,
        server -> {
          server.setAttribute(new ObjectName(bean), new Attribute(attribute, value));
          return true;
        });
  }

  /** Of all nodes' rankings. */
  void set(String attribute, Object value) throws Exception {
    set(RANKING, attribute, value);
  }

  void choose(String ranking) throws Exception {
    set("Ranking", ranking);
  }

  /** Whatever a ranking chooses, what is read is what was written, and it has ranked all of it. */
  void readTheSame(RankingKind kind, KnownRows known, List<ConsistencyLevel> levels)
      throws Exception {
    choose(kind.toString());
    long before = sum("Ranked");

    for (ConsistencyLevel level : levels) {
      known.areRead(level);
    }

    // A read of each row, and of each of twenty; more for parts of the whole table.
    assertThat(sum("Ranked") - before)
        .isGreaterThanOrEqualTo((long) levels.size() * (known.count() + KnownRows.SOME));
    assertThat(sum("FallenBack")).isZero();
    assertThat(sum("Failures")).isZero();
  }

  /** Of a number that every node has. */
  long sum(String bean, String attribute) throws Exception {
    long sum = 0;
    for (LabNode node : lab.nodes()) {
      sum += ((Number) attribute(node, bean, attribute)).longValue();
    }
    return sum;
  }

  /** Of all nodes' rankings. */
  long sum(String attribute) throws Exception {
    return sum(RANKING, attribute);
  }

  /** How often each node came first on a coordinator, by its host. */
  Map<String, Long> first(LabNode coordinator) throws Exception {
    CompositeData[] views = (CompositeData[]) attribute(coordinator, RANKING, "Replicas");
    return Arrays.stream(views)
        .collect(
            Collectors.toMap(
                view -> ((String) view.get("address")).split(":")[0],
                view -> (Long) view.get("first")));
  }

  /** For how long a coordinator has waited for a node from which nothing comes. */
  private double silentMs(LabNode coordinator, LabNode node) throws Exception {
    CompositeData[] views = (CompositeData[]) attribute(coordinator, RANKING, "Replicas");
    return Arrays.stream(views)
        .filter(view -> ((String) view.get("address")).startsWith(host(node) + ":"))
        .mapToDouble(view -> (Double) view.get("silentMs"))
        .findFirst()
        .orElseThrow();
  }

  /** The share of a coordinator's ranked reads for which a node came first, of those in between. */
  static double share(Map<String, Long> before, Map<String, Long> after, LabNode node) {
    long all = after.values().stream().mapToLong(n -> n).sum();
    long then = before.values().stream().mapToLong(n -> n).sum();
    return (double) (after.get(host(node)) - before.get(host(node))) / (all - then);
  }

  /** Starts a node again, with the plug-in or, where the ranking is null, without it. */
  void restart(LabNode node, String ranking) throws Exception {
    LabConfig config = lab.config();
    CassandraSettings settings = config.cassandra().withRanking(ranking);
    lab.change(state -> state.with(config.withCassandra(settings).withHeap(config.heap())));
    call(node, STORAGE, "drain");
    lab.killNode(node.id());
    lab.startNode(node.id(), Duration.ofMinutes(2));
  }

  /** A node that stands still is not read from while it does, and is afterwards. */
  void leaveOutOneThatIsFrozen(LabNode victim, LabNode coordinator, KnownRows known)
      throws Exception {
    choose("trimtab");
    known.burst(1_000, known.node(coordinator));
    String pid = Long.toString(victim.pid("cassandra").orElseThrow());
    signal("-STOP", pid);
    try {
      // Of one that owes no answer nothing can be known. The first ones find out.
      await(
          () -> {
            known.burst(500, known.node(coordinator));
            return silentMs(coordinator, victim) > 0;
          });
      known.burst(500, known.node(coordinator));
      double silent = silentMs(coordinator, victim);
      Map<String, Long> before = first(coordinator);
      known.burst(3_000, known.node(coordinator));
      assertThat(share(before, first(coordinator), victim))
          .as("silent for %s ms, then for %s", silent, silentMs(coordinator, victim))
          .isLessThan(0.01);
      assertThat(((List<?>) attribute(coordinator, STORAGE, "LiveNodes")))
          .as("it is no merit of Cassandra's own failure detector")
          .hasSize(lab.nodes().size());
      known.areRead(ConsistencyLevel.QUORUM, known.node(coordinator));
    } finally {
      signal("-CONT", pid);
    }
    awaitAllAlive();
    await(
        () -> {
          Map<String, Long> before = first(coordinator);
          known.burst(500, known.node(coordinator));
          return share(before, first(coordinator), victim) > 0.05;
        });
    known.areRead(ConsistencyLevel.ALL, known.node(coordinator));
  }

  private static void signal(String signal, String pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor()).isZero();
  }

  /** Lines of a node's log. */
  List<String> errors(LabNode node) throws IOException {
    Path log = lab.dir().log(CassandraLab.find(lab.state(), node.id()).cassandra());
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" ERROR ")).toList();
    }
  }

  /** Until every node takes every other one for alive. */
  void awaitAllAlive() throws Exception {
    for (LabNode node : lab.nodes()) {
      await(() -> ((List<?>) attribute(node, STORAGE, "LiveNodes")).size() == lab.nodes().size());
    }
  }

  static void await(Callable<Boolean> condition) throws Exception {
    await(KnownRows.LIMIT, condition);
  }

  static void await(Duration limit, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /**
   * Reads of tables that Cassandra makes again at once where they go to another node.
   *
   * @param count records of a table
   */
  record Hedges(RankedNodes nodes, KnownRows known, int count) {
    private void create(String table) {
      known.run(
          "CREATE TABLE r."
              + table
              + " (k int PRIMARY KEY, v text) WITH speculative_retry = '0ms'");
      for (int i = 0; i < count; i++) {
        known.run("INSERT INTO r.%s (k, v) VALUES (%d, 'v%d')".formatted(table, i, i));
      }
    }

    /** A metric of a table, of all nodes. */
    private long metric(String table, String name, String attribute) throws Exception {
      return nodes.sum(
          "org.apache.cassandra.metrics:type=Table,keyspace=r,scope=" + table + ",name=" + name,
          attribute);
    }

    /** Share of reads that were made again; each reads what was written. */
    private double hedged(String table, int reads) throws Exception {
      long before = metric(table, "SpeculativeRetries", "Count");
      for (int i = 0; i < reads; i++) {
        int key = i % count;
        List<Row> row =
            known.rows("SELECT v FROM r." + table + " WHERE k = " + key, ConsistencyLevel.ONE);
        assertThat(row).extracting(r -> r.getString(0)).containsExactly("v" + key);
      }
      return (double) (metric(table, "SpeculativeRetries", "Count") - before) / reads;
    }

    /** Until all nodes make a table's reads again at once: Cassandra calculates it every 5 s. */
    private void awaitNoPatience(String table) throws Exception {
      RankedNodes.await(() -> metric(table, "SpeculativeSampleLatencyNanos", "Value") == 0);
    }

    void stayWithinTheirShare() throws Exception {
      create("h");
      nodes.choose("trimtab");
      awaitNoPatience("h");
      assertThat(hedged("h", 600)).isGreaterThan(0.3);
      nodes.set("HedgeShare", 0.05);
      try {
        // What one tick of 50 ms uses too much is missing in the next ones.
        assertThat(hedged("h", 1_200)).isBetween(0.001, 0.2);
        assertThat(nodes.sum("HedgeStops")).isPositive();
        nodes.set("HedgeShare", 0.0);
        RankedNodes.await(() -> metric("h", "SpeculativeSampleLatencyNanos", "Value") > 0);
        // Cassandra calculates its own time anew every 5 s, which holds until the next tick: of a
        // second's reads one such tick would be too large a part.
        assertThat(hedged("h", 3_000)).isLessThan(0.02);
      } finally {
        nodes.set("HedgeShare", 1.0);
      }
      awaitNoPatience("h");
      assertThat(hedged("h", 600)).as("given back").isGreaterThan(0.3);
      assertThat(nodes.sum("Failures")).isZero();
    }

    /** Nobody is there to make it again while the request's thread reads. */
    void areNotMadeOfReadsInTheRequestsThread() throws Exception {
      create("i");
      nodes.choose("trimtab");
      awaitNoPatience("i");
      nodes.set("LocalFirst", true);
      nodes.set("InlineReads", true);
      try {
        long before = nodes.sum("Inlined");
        assertThat(hedged("i", 600)).isLessThan(0.1);
        assertThat(nodes.sum("Inlined") - before).isGreaterThan(540);
      } finally {
        nodes.set("InlineReads", false);
        nodes.set("LocalFirst", false);
      }
      assertThat(hedged("i", 600)).as("elsewhere they are made again").isGreaterThan(0.3);
      assertThat(nodes.sum("Failures")).isZero();
    }
  }
}

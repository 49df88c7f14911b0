package io.trimtab.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.process.CassandraCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a Cassandra lab's nodes find in their configuration. */
class CassandraFilesTest {
  @TempDir Path home;

  private static LabConfig config(int nodes, int tokens) {
    return LabConfig.defaults()
        .withName("c")
        .withNodes(nodes)
        .withCassandra(CassandraSettings.DEFAULTS.with(3, tokens));
  }

  private static LabState state(LabConfig config, int nodes) {
    List<LabState.Node> all =
        IntStream.rangeClosed(1, nodes)
            .mapToObj(i -> new LabState.Node(i, Profile.HOMOGENEOUS))
            .toList();
    return new LabState(config, 3, Owner.NONE, true, false, "none", false, nodes, all);
  }

  private String written(LabState state, int index) throws IOException {
    LabDir dir = new LabDir(home);
    LabState.Node node = state.node(index).orElseThrow();
    new CassandraFiles(dir, state).write(node);
    return Files.readString(dir.conf(node.cassandra()).resolve("cassandra.yaml"));
  }

  private static String value(String yaml, String key) {
    return Arrays.stream(yaml.split("\n"))
        .map(String::strip)
        .filter(line -> line.startsWith(key + ": "))
        .map(line -> line.substring(key.length() + 2))
        .findFirst()
        .orElse("");
  }

  @Test
  void theFirstNodesShareTheRingEvenlyAndInTurn() throws IOException {
    LabState state = state(config(3, 4), 3);
    TreeSet<Long> all = new TreeSet<>();
    for (int node = 1; node <= 3; node++) {
      for (String token : value(written(state, node), "initial_token").split(",")) {
        all.add(Long.parseLong(token));
      }
    }

    assertThat(all).hasSize(12).first().isEqualTo(Long.MIN_VALUE);
    Long[] tokens = all.toArray(Long[]::new);
    for (int i = 1; i < tokens.length; i++) {
      double share = (tokens[i] - (double) tokens[i - 1]) / Math.pow(2, 64);
      assertThat(share).isBetween(1 / 12.0 - 1e-9, 1 / 12.0 + 1e-9);
    }
  }

  @Test
  void aLaterNodeBootstrapsFromTheOthersAndChoosesItsOwnTokens() throws IOException {
    LabState state = state(config(2, 4), 3);
    String later = written(state, 3);

    assertThat(later).doesNotContain("initial_token").doesNotContain("auto_bootstrap");
    assertThat(value(later, "allocate_tokens_for_local_replication_factor")).isEqualTo("2");
    assertThat(value(later, "- seeds")).isEqualTo("\"127.77.3.11:26037,127.77.3.12:26037\"");
    assertThat(value(written(state, 1), "- seeds")).isEqualTo("\"127.77.3.11:26037\"");
    assertThat(value(written(state, 2), "- seeds")).doesNotContain("127.77.3.12");
    assertThat(value(written(state, 1), "auto_bootstrap")).isEqualTo("false");
  }

  @Test
  void aNodeThatWasGivenTokensTakesThese() throws IOException {
    LabState.Node given =
        new LabState.Node(3, Profile.HOMOGENEOUS, "wish", 0, List.of(-5L, 1_234L));
    LabState state = state(config(2, 2), 2).withNode(given);
    String yaml = written(state, 3);

    assertThat(value(yaml, "initial_token")).isEqualTo("-5,1234");
    assertThat(value(yaml, "num_tokens")).isEqualTo("2");
    assertThat(yaml).doesNotContain("auto_bootstrap").doesNotContain("allocate_tokens");
    assertThat(given.with(Profile.READ).tokens()).isEqualTo(given.tokens());
  }

  /** For which it waits until a live one would have told its load, and at least two delays. */
  @Test
  void aReplacementWaitsForAsLongAsEveryNodeIsSilent() {
    LabState.Node replacing = new LabState.Node(3, Profile.HOMOGENEOUS, "wish", 2, List.of());
    LabState state = state(config(2, 2), 2).withNode(replacing);

    for (LabState.Node node : state.nodes()) {
      assertThat(CassandraCommand.arguments(new LabDir(home), state, node))
          .contains("-Dcassandra.ring_delay_ms=4000", "-Dcassandra.broadcast_interval_ms=8000");
    }
    assertThat(CassandraCommand.arguments(new LabDir(home), state, replacing))
        .contains("-Dcassandra.replace_address_first_boot=127.77.3.12");
  }

  @Test
  void theUsersOwnKeysGoFirst() throws IOException {
    LabConfig own =
        config(1, 4).withSite(Map.of("concurrent_writes", "3", "max_hint_window", "1h"));
    String yaml = written(state(own, 1), 1);

    assertThat(value(yaml, "concurrent_writes")).isEqualTo("3");
    assertThat(value(yaml, "max_hint_window")).isEqualTo("1h");
    assertThat(value(yaml, "row_cache_size")).isEqualTo("8MiB");
  }

  /** Where nodes rank replicas, the snitch of the file is not replaced but wrapped. */
  @Test
  void theUsersOwnSnitchIsTheOneThatIsWrapped() throws IOException {
    Map<String, String> site = Map.of("endpoint_snitch", "GossipingPropertyFileSnitch");
    LabConfig stock = config(1, 4).withSite(site);
    LabConfig ranks =
        stock.withCassandra(CassandraSettings.DEFAULTS.withRanking("trimtab")).withSite(site);
    LabState state = state(ranks, 1);

    assertThat(value(written(state(stock, 1), 1), "endpoint_snitch"))
        .isEqualTo("GossipingPropertyFileSnitch");
    assertThat(value(written(state, 1), "endpoint_snitch"))
        .isEqualTo(CassandraSettings.RANKING_SNITCH);
    assertThat(CassandraCommand.arguments(new LabDir(home), state, state.nodes().get(0)))
        .contains("-Dtrimtab.snitch=GossipingPropertyFileSnitch");
  }

  @Test
  void aProfileSetsCacheMemtablesAndThreads() throws IOException {
    LabState state = state(config(1, 4), 1).withNode(new LabState.Node(1, Profile.WRITE));
    String yaml = written(state, 1);
    long heap = state.config().heap().value() >> 20;

    assertThat(value(yaml, "row_cache_size")).isEqualTo((long) (0.10 * heap) + "MiB");
    assertThat(value(yaml, "memtable_heap_space")).isEqualTo((long) (0.55 * heap) + "MiB");
    // 16 threads, parted 10 to 55.
    assertThat(value(yaml, "concurrent_reads")).isEqualTo("2");
    assertThat(value(yaml, "concurrent_writes")).isEqualTo("14");
  }

  /** Whose keys have units in their names; the user's own are as the user has written them. */
  @Test
  void nodesOf40FindTheKeysThatTheyKnow() throws IOException {
    LabConfig own =
        config(1, 4).withSite(Map.of("max_hint_window_in_ms", "5", "key_cache_size", "4MiB"));
    System.setProperty("trimtab.cassandra.classpath", "a.jar:lib/cassandra-all-4.0.19.jar");
    try {
      String yaml = written(state(own, 1), 1);

      assertThat(value(yaml, "row_cache_size_in_mb")).isEqualTo("8");
      assertThat(value(yaml, "memtable_offheap_space_in_mb")).isEqualTo("16");
      assertThat(value(yaml, "commitlog_sync_period_in_ms")).isEqualTo("10000");
      assertThat(value(yaml, "compaction_throughput_mb_per_sec")).isEqualTo("32");
      assertThat(value(yaml, "num_tokens")).isEqualTo("4");
      assertThat(value(yaml, "max_hint_window_in_ms")).isEqualTo("5");
      assertThat(value(yaml, "key_cache_size_in_mb")).as("of a testbed").isEqualTo("4");
      LabConfig unknown = own.withSite(Map.of("max_hint_window", "3h"));
      assertThatThrownBy(() -> written(state(unknown, 1), 1))
          .isInstanceOf(UserError.class)
          .hasMessage("max_hint_window: 3h: Cassandra 4.0 has units in the names of its keys");
      assertThatThrownBy(() -> written(state(own.withSecure(true), 1), 1))
          .isInstanceOf(UserError.class)
          .hasMessage("secure: not for a lab of Cassandra 4.0.19");
      assertThat(yaml).doesNotContain("MiB", "row_cache_size:");
    } finally {
      System.clearProperty("trimtab.cassandra.classpath");
    }
  }

  /** Data centres first: each of them has nodes in all of its racks. */
  @Test
  void nodesAreSpreadOverDataCentresAndTheirRacks() throws IOException {
    CassandraSettings settings = CassandraSettings.DEFAULTS.withDatacenters(2).withRacks(2);
    LabState state = state(LabConfig.defaults().withNodes(5).withCassandra(settings), 5);
    List<String> places = new ArrayList<>();
    for (int node = 1; node <= 5; node++) {
      assertThat(value(written(state, node), "endpoint_snitch"))
          .isEqualTo("GossipingPropertyFileSnitch");
      Path conf = new LabDir(home).conf(state.node(node).orElseThrow().cassandra());
      places.add(Files.readString(conf.resolve("cassandra-rackdc.properties")));
    }
    assertThat(places)
        .containsExactly(
            "dc=datacenter1\nrack=rack1\n",
            "dc=datacenter2\nrack=rack1\n",
            "dc=datacenter1\nrack=rack2\n",
            "dc=datacenter2\nrack=rack2\n",
            "dc=datacenter1\nrack=rack1\n");
    assertThat(CassandraSettings.DEFAULTS.snitch()).isEqualTo("SimpleSnitch");
    assertThat(CassandraSettings.DEFAULTS.withRacks(3).snitch())
        .isEqualTo("GossipingPropertyFileSnitch");
    assertThatThrownBy(() -> CassandraSettings.DEFAULTS.withRacks(4))
        .hasMessage("cassandra.racks must be in [1, 3], not 4");
  }

  @Test
  void aFileWithACassandraPartIsOfCassandra() {
    LabConfig read =
        StrictYaml.parse("lab.yaml", "cassandra: {tokens: 1, rowCache: 64m}", LabConfig.class);

    assertThat(read.database()).isEqualTo(Database.CASSANDRA);
    assertThat(read.heap()).isEqualTo(Bytes.parse("384m"));
    assertThat(read.cassandra().tokens()).isEqualTo(1);
    assertThat(read.memoryLimit().value())
        .isEqualTo(read.heap().value() + LabConfig.CASSANDRA_NATIVE_BYTES);
    assertThat(LabConfig.defaults().database()).isEqualTo(Database.HBASE);
    assertThatThrownBy(
            () -> StrictYaml.parse("lab.yaml", "cassandra: {rowCache: 0m}", LabConfig.class))
        .hasMessageContaining("rowCache")
        .hasMessageContaining("at least 1m");
    assertThatThrownBy(
            () -> StrictYaml.parse("lab.yaml", "heap: 200m\ncassandra: {}", LabConfig.class))
        .hasMessageContaining("heap: must be at least 256m");
  }

  /** Where the build says that Cassandra's jars are; its server and the agent that it needs. */
  @Test
  void aNodesJarsAreItsOwn() {
    String jars = CassandraCommand.classPath();

    assertThat(jars).contains("cassandra-all-").contains("jamm-").doesNotContain("hbase");
    assertThat(Database.CASSANDRA.version()).matches("5\\.0\\.\\d+");
    assertThat(jars).contains("cassandra-all-" + Database.CASSANDRA.version() + ".jar");
    assertThat(Arrays.stream(jars.split(":")).map(Path::of)).allMatch(Files::isRegularFile);
    assertThat(System.getProperty("java.class.path")).doesNotContain("cassandra-all-");
  }
}

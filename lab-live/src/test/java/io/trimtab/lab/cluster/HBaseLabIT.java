package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.host.TaskDelays;
import io.trimtab.lab.process.JavaCommand;
import io.trimtab.lab.process.Jmx;
import io.trimtab.lab.process.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes.ByteArrayComparator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One lab through its whole life; the order of the tests is its story. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseLabIT {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = {'f'};
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int ROWS = 400;
  private static final Path PROC = Path.of("/proc");

  @TempDir static Path home;
  private static HBaseLab lab;
  private static Connection connection;

  @BeforeAll
  static void up() throws IOException {
    System.setProperty("trimtab.home", home.toString());
    LabConfig config =
        LabConfig.defaults()
            .withName("it")
            .withNodes(2)
            .withHeap(new Bytes(192L << 20))
            .withSpareNodes(1);
    lab = HBaseLab.up(config, Owner.PROCESS, Progress.NONE);
    Configuration conf = HBaseConfiguration.create();
    lab.clientProperties().forEach(conf::set);
    connection = ConnectionFactory.createConnection(conf);
  }

  @AfterAll
  static void down() throws IOException {
    if (connection != null) {
      connection.close();
    }
    Lab.down("it");
    System.clearProperty("trimtab.home");
  }

  @Test
  @Order(1)
  void allProcessesLiveAndTheMasterKnowsThem() {
    LabStatus status = lab.status();
    assertThat(status.healthy()).as(status.toString()).isTrue();
    assertThat(status.nodes()).hasSize(2);
    assertThat(Lab.names()).containsExactly("it");
  }

  @Test
  @Order(2)
  void theNameIsRefusedWhileInUse() {
    assertThatThrownBy(() -> HBaseLab.up(LabConfig.defaults().withName("it"), Progress.NONE))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("is up already");
  }

  @Test
  @Order(3)
  void isolatedNodesAreInTheirGroups() throws IOException {
    for (LabNode node : lab.nodes()) {
      for (Path folder : node.cgroups()) {
        assertThat(Files.readAllLines(folder.resolve("cgroup.procs")))
            .containsExactlyInAnyOrderElementsOf(
                node.pids().values().stream().map(pid -> "" + pid.orElseThrow()).toList());
      }
    }
    Path accounting = PROC.resolve("sys/kernel/task_delayacct");
    if (lab.state().isolated() && Files.isWritable(accounting) && TaskDelays.isRight(PROC)) {
      assertThat(accounting).as("the waits of such nodes are accounted").hasContent("1");
    }
  }

  @Test
  @Order(4)
  void aClientReadsWhatItWrote() throws IOException {
    byte[][] splits = {key(100), key(200), key(300)};
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits);
    }
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(key(i)).addColumn(FAMILY, FAMILY, key(i)));
      }
    }
    assertAllRowsThere();
  }

  @Test
  @Order(5)
  void everyNodeTellsItsRegionsOverHttp() throws IOException {
    LabState state = lab.state();
    // The master gives no promise that each server gets one of a new table's regions.
    try (Admin admin = connection.getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(TABLE);
      List<ServerName> servers = List.copyOf(admin.getRegionServers());
      assertThat(regions).hasSizeGreaterThanOrEqualTo(servers.size());
      for (int i = 0; i < servers.size(); i++) {
        admin.move(regions.get(i).getEncodedNameAsBytes(), servers.get(i));
      }
    }
    for (LabState.Node node : state.nodes()) {
      until(
          "regions of " + node,
          () ->
              bean(state, node, "Regions")
                  .map(bean -> bean.toString().contains("default_table_t_region_"))
                  .orElse(false));
    }
  }

  @Test
  @Order(6)
  void blocksAreLocalToTheNodeThatWroteThem() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(TABLE);
      for (RegionInfo region : admin.getRegions(TABLE)) {
        assertThat(localities(admin)).containsKey(region.getRegionName());
      }
      assertThat(localities(admin).values()).allMatch(locality -> locality > 0.99);
    }
  }

  private static java.util.Map<byte[], Float> localities(Admin admin) throws IOException {
    var found = new java.util.TreeMap<byte[], Float>(new ByteArrayComparator());
    for (ServerName server : admin.getRegionServers()) {
      admin
          .getRegionMetrics(server, TABLE)
          .forEach(m -> found.put(m.getRegionName(), m.getDataLocality()));
    }
    return found;
  }

  @Test
  @Order(7)
  void aNodeCanBeAdded() throws EngineException, IOException {
    assertThat(lab.provider().spare()).isEqualTo(1);
    NodeId added = lab.provider().add("test", Profile.WRITE, List.of(), LIMIT);
    assertThat(lab.provider().add("test", Profile.WRITE, List.of(), LIMIT)).isEqualTo(added);

    assertThat(lab.provider().spare()).isZero();
    assertCacheShare(added, Profile.WRITE);
    assertThatThrownBy(() -> lab.provider().add("another", Profile.WRITE, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("spareNodes");
    assertAllRowsThere();
  }

  @Test
  @Order(8)
  void aRestartGivesANodeAnotherProfile() throws EngineException, IOException {
    LabNode node = lab.nodes().get(1);

    lab.provider().persist(node.id(), Profile.READ);
    lab.provider().restart(node.id(), LIMIT);

    LabNode after = lab.nodes().get(1);
    assertThat(after.id()).isEqualTo(node.id());
    assertThat(after.pid("regionserver")).isPresent().isNotEqualTo(node.pid("regionserver"));
    assertThat(after.pid("datanode")).isEqualTo(node.pid("datanode"));
    assertCacheShare(node.id(), Profile.READ);
    assertAllRowsThere();
  }

  @Test
  @Order(9)
  void aKilledNodeComesBack() throws IOException {
    LabNode node = lab.nodes().get(0);
    NodeId id = node.id();
    lab.requireWhole();
    ProcessHandle dataNode = ProcessHandle.of(node.pid("datanode").orElseThrow()).orElseThrow();
    dataNode.destroyForcibly();
    dataNode.onExit().join();
    assertThatThrownBy(lab::requireWhole)
        .isInstanceOf(UserError.class)
        .hasMessageContaining("n1-datanode has ended unexpectedly; log: ");
    lab.killNode(id);
    assertThat(lab.nodes().get(0).alive()).isFalse();
    lab.requireWhole();
    lab.startNode(id, LIMIT);

    assertThat(lab.nodes().get(0).alive()).isTrue();
    assertAllRowsThere();
  }

  @Test
  @Order(10)
  void theMasterCanBeKilledAndComesBack() throws IOException {
    lab.restartMaster(LIMIT);

    assertAllRowsThere();
  }

  @Test
  @Order(11)
  void aNodeLeavesWithoutLossAndItsGroupGoes() throws EngineException, IOException {
    LabNode leaving = lab.nodes().get(1);

    lab.provider().remove(leaving.id(), LIMIT);
    lab.provider().remove(leaving.id(), LIMIT);

    assertThat(lab.nodes()).extracting(LabNode::name).containsExactly("n1", "n3");
    assertThat(leaving.cgroups()).allMatch(folder -> !Files.exists(folder));
    assertAllRowsThere();
    NodeId next = lab.nodes().get(0).id();
    assertThatThrownBy(() -> lab.provider().remove(next, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("2 copies");
  }

  @Test
  @Order(12)
  void aLabWhoseOwnerIsKilledDisappearsAndItsNeighbourStays() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dtrimtab.home=" + home,
                "-cp",
                JavaCommand.classPath(),
                OwnerMain.class.getName(),
                "it-killed")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(owner.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> lines =
          said.lines().takeWhile(line -> !line.contains("waiting until all nodes serve")).toList();
      assertThat(owner.isAlive()).as(String.join("\n", lines)).isTrue();
      LabState killed = HBaseLab.attach("it-killed").state();
      assertThat(killed.slot()).isNotEqualTo(lab.state().slot());
      assertThat(processesOf("it-killed")).isNotEmpty();
      owner.destroyForcibly();
    }
    Path root = LabDir.of("it-killed").root();
    for (int i = 0; Files.exists(root) && i < 600; i++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }

    assertThat(root).doesNotExist();
    assertThat(processesOf("it-killed")).isEmpty();
    assertThat(lab.status().healthy()).as(lab.status().toString()).isTrue();
  }

  @Test
  @Order(13)
  void aFailedStartShowsTheLogsEndAndLeavesNothingElse() throws IOException {
    LabConfig broken =
        LabConfig.defaults()
            .withName("it-broken")
            .withNodes(1)
            .withSite(Map.of("hbase.zookeeper.property.clientPort", "no-port"));

    assertThatThrownBy(() -> HBaseLab.up(broken, Progress.NONE))
        .isInstanceOfSatisfying(
            LabStartException.class,
            e -> {
              assertThat(e.getMessage()).contains("zookeeper").hasLineCount(1);
              assertThat(String.join("\n", e.details())).contains("no-port");
              assertThat(e.details()).hasSizeLessThanOrEqualTo(NodeControl.TAIL_LINES);
            });

    assertThat(processesOf("it-broken")).isEmpty();
    assertThat(Lab.names()).containsExactly("it");
    assertThat(LabDir.of("it-broken").logs()).isDirectory();
  }

  @Test
  @Order(14)
  void downLeavesNoProcessAndNoGroup() throws IOException {
    connection.close();
    List<Path> groups = lab.nodes().stream().flatMap(n -> n.cgroups().stream()).toList();

    lab.down();
    lab.down();

    assertThat(processesOf("it")).isEmpty();
    assertThat(groups).allMatch(folder -> !Files.exists(folder));
    assertThat(Lab.names()).isEmpty();
    assertThatThrownBy(() -> HBaseLab.attach("it"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("no lab named it");
  }

  /** Pids of processes that carry the lab's mark in their environment. */
  private static List<String> processesOf(String name) throws IOException {
    String mark = "TRIMTAB_LAB=" + LabDir.of(name).root();
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(p -> p.getFileName().toString().matches("\\d+"))
          .filter(p -> environment(p).contains(mark))
          .map(p -> p.getFileName().toString())
          .toList();
    }
  }

  private static List<String> environment(Path process) {
    try {
      return List.of(Files.readString(process.resolve("environ")).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static byte[] key(int i) {
    return String.format("row-%06d", i).getBytes(StandardCharsets.UTF_8);
  }

  private static void assertAllRowsThere() throws IOException {
    List<Get> gets = Stream.iterate(0, i -> i + 1).limit(ROWS).map(i -> new Get(key(i))).toList();
    try (Table table = connection.getTable(TABLE)) {
      var results = table.get(gets);
      for (int i = 0; i < ROWS; i++) {
        assertThat(results[i].getValue(FAMILY, FAMILY)).as("row %d", i).isEqualTo(key(i));
      }
    }
  }

  private static Optional<JsonNode> bean(LabState state, LabState.Node node, String sub) {
    return Jmx.bean(
        state.addresses().node(node.index()),
        state.addresses().regionServerInfoPort(),
        "Hadoop:service=HBase,name=RegionServer,sub=" + sub);
  }

  /** Metrics are published every few seconds. */
  private static void until(String what, BooleanSupplier condition) {
    for (int i = 0; !condition.getAsBoolean() && i < 1_200; i++) {
      Processes.sleep(50);
    }
    assertThat(condition.getAsBoolean()).as(what).isTrue();
  }

  private static void assertCacheShare(NodeId id, Profile profile) {
    LabState state = lab.state();
    double heap = state.config().heap().value();
    until(
        profile + " at " + id,
        () -> {
          double cache =
              bean(state, HBaseLab.find(state, id), "Server")
                  .map(
                      server ->
                          server.path("blockCacheFreeSize").asLong()
                              + server.path("blockCacheSize").asLong())
                  .orElse(0L);
          return Math.abs(cache / heap - profile.cacheFraction()) < 0.03;
        });
  }
}

package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.PluginInstall;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.LabNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HBase engine on a real cluster of three nodes. Each test has its own tables. */
@Tag("beside-others")
class HBaseEngineIT extends HBaseContract {
  /** Where regions of a table begin. */
  private static final String[] MANY =
      IntStream.range(100, 124).mapToObj(Integer::toString).toArray(String[]::new);

  /** For how long HBase calculates before it balances. */
  private static final Map<String, String> CALM =
      Map.of("hbase.master.balancer.stochastic.maxRunningTime", "2000");

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;
  private static HBaseEngine engine;
  private static HBaseLab lab;
  private static Connection connection;
  private static Admin admin;
  private static HBaseTables tables;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up("engine-it", home, CALM, c -> c);
    engine = cluster.engine();
    lab = cluster.lab();
    connection = cluster.connection();
    admin = connection.getAdmin();
    tables = new HBaseTables(connection);
  }

  @Override
  protected HBaseCluster cluster() {
    return cluster;
  }

  @Test
  void theSnapshotTellsTheClusterAsItIs() throws IOException, EngineException {
    tables.create("seen");
    ClusterSnapshot snapshot = until(s -> s.gaps().isEmpty() && !partitions(s, "seen").isEmpty());

    assertThat(snapshot.gaps()).isEmpty();
    assertThat(snapshot.engine()).isEqualTo("hbase");
    assertThat(snapshot.version()).startsWith("2.6.");
    assertThat(snapshot.clusterId()).isNotBlank();
    assertThat(snapshot.replication()).isEqualTo(2);
    assertThat(snapshot.blockers()).isEmpty();
    assertThat(snapshot.balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(partitions(snapshot, "seen")).hasSize(1);
    assertThat(snapshot.partitions()).noneMatch(p -> p.id().table().startsWith("hbase:"));
    assertThat(snapshot.nodes())
        .extracting(NodeState::id)
        .containsExactlyElementsOf(lab.nodes().stream().map(LabNode::id).sorted().toList());
    for (NodeState node : snapshot.nodes()) {
      assertThat(node.alive()).isTrue();
      assertThat(node.draining()).isFalse();
      assertThat(node.onlineProfile()).isTrue();
      assertThat(node.profile()).contains(Profile.HOMOGENEOUS);
      assertThat(node.usage().server()).isBetween(0.0, 1.0);
      assertThat(node.usage().load5()).isNotNaN();
      assertThat(node.gauges().heapUsedBytes()).isBetween(1L, node.gauges().heapMaxBytes());
      assertThat(node.gauges().memoryUsedBytes()).isPositive();
      assertThat(node.gauges().cacheUsedBytes()).isBetween(0L, node.gauges().cacheMaxBytes());
    }
  }

  @Test
  void getsScansAndWritesAreToldApart() throws IOException, EngineException {
    TableName name = tables.create("counted", "m");
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 30; i++) {
        table.put(HBaseTables.put("a" + (100 + i)));
      }
      List<Put> batch = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        batch.add(HBaseTables.put("z" + (100 + i)));
      }
      table.put(batch);
      table.delete(new Delete(HBaseTables.bytes("z139")));
      for (int i = 0; i < 25; i++) {
        table.get(new Get(HBaseTables.bytes("a110")));
      }
      for (int i = 0; i < 6; i++) {
        assertThat(HBaseTables.rows(table, "a100", "a110")).isEqualTo(10);
      }
    }
    PartitionCounters low = new PartitionCounters(25, 6, 60, 30);
    PartitionCounters high = new PartitionCounters(0, 0, 0, 41);
    // The regions' servers renew what they tell at different times.
    List<PartitionState> told =
        partitions(
            "counted",
            all ->
                all.stream()
                    .map(p -> p.counters().orElseThrow())
                    .toList()
                    .containsAll(List.of(low, high)));

    assertThat(told)
        .extracting(p -> p.counters().orElseThrow())
        .containsExactlyInAnyOrder(low, high);
    assertThat(told).allMatch(p -> p.node().isPresent() && p.blockSizeBytes() == 64 << 10);
  }

  @Test
  void aRegionMovesAndServesAndMovingAgainIsNothing() throws IOException, EngineException {
    tables.create("moved");
    PartitionState before = partitions("moved", all -> !all.isEmpty()).get(0);
    NodeId to = otherThan(before.node().orElseThrow());

    engine.move(before.id(), to, LIMIT);
    assertThat(partitions("moved", all -> true).get(0).node()).contains(to);
    Map<String, Long> opened = tables.openings(TableName.valueOf("moved"));
    engine.move(before.id(), to, LIMIT);

    assertThat(tables.openings(TableName.valueOf("moved"))).isEqualTo(opened);
    NodeId nowhere = new NodeId("node.invalid:1");
    assertThatThrownBy(() -> engine.move(before.id(), nowhere, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("node.invalid:1 is not a live RegionServer");
  }

  @Test
  void aSplitThatHBaseWouldNotStartWithIsRefused() throws EngineException {
    NodeId node = lab.nodes().get(0).id();
    engine.applyProfile(node, Profile.HOMOGENEOUS, LIMIT);

    assertThatThrownBy(() -> engine.applyProfile(node, new Profile("X", 0.02, 0.4, 1), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(node + " refuses X: cache_fraction must be in");
    assertThat(engine.snapshot().node(node).orElseThrow().profile()).contains(Profile.HOMOGENEOUS);
  }

  @Test
  void aNewBlockSizeIsInTheFilesAfterCompaction() throws IOException, EngineException {
    TableName name = tables.create("blocks", "m");
    tables.fill(name, 400);
    admin.flush(name);
    long before = tables.dataBlocks(lab.rootFolder(), name);

    engine.setBlockSize("blocks", 16 << 10, LIMIT);
    for (PartitionState partition : partitions("blocks", all -> true)) {
      assertThat(partition.blockSizeBytes()).isEqualTo(16 << 10);
      engine.compact(partition.id(), LIMIT);
    }

    // 64 KB blocks before; rows of 1 kB do not fill blocks to the last byte.
    assertThat(tables.dataBlocks(lab.rootFolder(), name)).isGreaterThan(3 * before);
    assertThat(isUnmarked(name)).isTrue();
    Map<String, Long> opened = tables.openings(name);
    engine.setBlockSize("blocks", 16 << 10, LIMIT);
    assertThat(tables.openings(name)).isEqualTo(opened);
    try (Table table = connection.getTable(name)) {
      assertThat(HBaseTables.rows(table, "", "")).isEqualTo(400);
    }
  }

  /** HBase's master answers once all regions are reopened; clients wait for some seconds only. */
  @Test
  void aTableIsReopenedOnceThoughItsMasterAnswersTooLate() throws IOException, EngineException {
    TableName name = tables.create("late", MANY);
    Map<String, String> client = new HashMap<>(lab.client().client());
    // Reopening takes some 3 s.
    client.put("hbase.rpc.timeout", "1000");
    try (HBaseEngine impatient = HBaseEngine.connect(client)) {
      impatient.setBlockSize("late", 16 << 10, LIMIT);
    }

    assertReopenedOnce(name);
  }

  /** The next master goes on with what the lost one has begun. */
  @Test
  void aTableIsReopenedOnceThoughItsMasterIsLost() throws Exception {
    TableName name = tables.create("lost", MANY);
    FutureTask<Boolean> change =
        new FutureTask<>(
            () -> {
              engine.setBlockSize("lost", 16 << 10, LIMIT);
              return true;
            });
    new Thread(change, "change").start();
    while (isUnmarked(name)) {
      assertThat(change).isNotDone();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    lab.restartMaster(LIMIT);
    assertThat(change.get(2, TimeUnit.MINUTES)).isTrue();

    assertReopenedOnce(name);
  }

  private static boolean isUnmarked(TableName name) throws IOException {
    return admin.getDescriptor(name).getValue("trimtab.reopening") == null;
  }

  private static void assertReopenedOnce(TableName name) throws IOException {
    assertThat(new ObjectMapper().readTree(admin.getProcedures()))
        .filteredOn(p -> p.path("className").asText().endsWith(".ModifyTableProcedure"))
        .filteredOn(p -> p.findValuesAsText("qualifier").contains(base64(name.getNameAsString())))
        .as("one sets the size, one removes the mark")
        .hasSize(2);
    assertThat(admin.getDescriptor(name).getColumnFamilies())
        .allMatch(family -> family.getBlocksize() == 16 << 10);
    assertThat(isUnmarked(name)).isTrue();
    // Other tests move all regions.
    admin.disableTable(name);
    admin.deleteTable(name);
  }

  /** As HBase writes names in JSON. */
  private static String base64(String name) {
    return Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anEmptyRegionIsCompactedAtOnce() throws IOException, EngineException {
    tables.create("empty");

    engine.compact(partitions("empty", all -> !all.isEmpty()).get(0).id(), LIMIT);

    assertThat(tables.dataBlocks(lab.rootFolder(), TableName.valueOf("empty"))).isZero();
  }

  @Test
  void aDrainingNodeTakesNoRegions() throws IOException, EngineException {
    tables.create("drained");
    PartitionState partition = partitions("drained", all -> !all.isEmpty()).get(0);
    NodeId draining = otherThan(partition.node().orElseThrow());

    engine.setDraining(draining, true);
    engine.setDraining(draining, true);
    assertThat(engine.snapshot().node(draining).orElseThrow().draining()).isTrue();
    assertThatThrownBy(() -> engine.move(partition.id(), draining, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("closed for new regions");

    engine.setDraining(draining, false);
    assertThat(engine.snapshot().node(draining).orElseThrow().draining()).isFalse();
    engine.move(partition.id(), draining, LIMIT);
  }

  /** Two replicas of a region must not meet on a node, and serve the same rows. */
  @Test
  void aTableWithRegionReplicasStaysAndTheOthersGoOn() throws Exception {
    TableName name = TableName.valueOf("replicated");
    tables.create("beside");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(HBaseTables.FAMILY))
            .setRegionReplication(2)
            .build());
    try {
      tables.fill(name, 50);
      ClusterSnapshot now = whole(s -> writes(s, "replicated") == 50 && replica(name).isPresent());
      assertThat(now.fixedTables()).containsOnlyKeys("replicated");
      assertThat(now.fixedTables().get("replicated")).startsWith("it has 2 replicas");
      PartitionState region = partitions(now, "replicated").get(0);
      NodeId other = replica(name).orElseThrow();
      assertThat(region.node()).isPresent().isNotEqualTo(Optional.of(other));

      assertThatThrownBy(() -> engine.move(region.id(), other, LIMIT))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("the node has another replica of the region");

      PartitionState beside = partitions(now, "beside").get(0);
      engine.move(beside.id(), otherThan(beside.node().orElseThrow()), LIMIT);
      assertThat(replica(name)).contains(other);
    } finally {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  /** By all regions of a table; -1 while it has not one, or its node does not tell. */
  private static long writes(ClusterSnapshot snapshot, String table) {
    List<PartitionState> all = partitions(snapshot, table);
    return all.size() == 1 ? all.get(0).counters().map(PartitionCounters::writes).orElse(-1L) : -1;
  }

  /** Where the second replica of a table's only region is. */
  private static Optional<NodeId> replica(TableName name) {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getRegionLocations(HConstants.EMPTY_START_ROW, true).stream()
          .filter(at -> at != null && at.getServerName() != null)
          .filter(at -> at.getRegion().getReplicaId() == 1)
          .map(at -> new NodeId(at.getServerName().getAddress().toString()))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theBalancerIsSwitchedAndToldApartFromTheNormalizer() throws EngineException {
    engine.setBalancer(new BalancerState(true, false));
    assertThat(engine.snapshot().balancer()).isEqualTo(new BalancerState(true, false));
    engine.pauseBalancer(LIMIT);
    assertThat(engine.snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
  }

  @Test
  void itsOwnBalancingIsWaitedForAndSwitchesNothingLater() throws Exception {
    TableName name = tables.create("crowd", "m");
    NodeId standing = servesButNotMeta(whole(all -> true).partitions());
    NodeId crowded = otherThan(standing);
    partitions("crowd", all -> all.size() == 2);
    for (PartitionState region : engine.snapshot().partitions()) {
      engine.move(region.id(), crowded, LIMIT);
    }
    whole(all -> true);
    try (HBaseEngine another = HBaseEngine.connect(lab.client())) {
      new OwnBalancing(engine, another, lab).isWaitedForAndComesToNothingLater(standing);
    }
    // HBase moves nothing any more.
    Map<String, Long> opened = tables.openings(name);
    TimeUnit.SECONDS.sleep(3);
    assertThat(tables.openings(name)).isEqualTo(opened);
  }

  @Test
  void everyServerTellsItsPlugin() throws EngineException {
    assertThat(engine.plugin().servers().values())
        .hasSize(3)
        .allMatch(PluginInstall.ServerPlugin::works);
  }

  @Test
  void aRestartedNodeIsANewIncarnationWithItsWrittenProfile() throws EngineException {
    NodeState before = engine.snapshot().nodes().get(2);

    lab.provider().persist(before.id(), Profile.WRITE);
    lab.provider().restart(before.id(), LIMIT);
    engine.awaitNode(before.id(), before.incarnation(), LIMIT);

    NodeState after = engine.snapshot().node(before.id()).orElseThrow();
    assertThat(after.incarnation()).isGreaterThan(before.incarnation());
    assertThat(after.profile()).contains(Profile.WRITE);
    assertThat(engine.snapshot().nodes()).hasSize(3).allMatch(NodeState::alive);
  }

  @Test
  void whileTheMasterIsAwayTheSnapshotSaysSo() throws EngineException {
    lab.restartMaster(LIMIT);

    until(s -> s.blockers().isEmpty() && s.gaps().isEmpty());
    assertThat(engine.snapshot().liveNodes()).hasSize(3);
  }
}

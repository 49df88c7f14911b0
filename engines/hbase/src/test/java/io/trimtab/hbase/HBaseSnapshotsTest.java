package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.hbase.zookeeper.ZooKeeperAccess;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionStatesCount;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** What a snapshot says of a master that is slow, or does not answer, and of tables it counts. */
class HBaseSnapshotsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration SLOW = Duration.ofSeconds(7);

  private Duration passed = Duration.ZERO;
  private boolean answers = true;
  private final Map<ServerName, ServerMetrics> live = new HashMap<>();
  private final List<TableDescriptor> tables = new ArrayList<>();
  private final List<ServerName> registered = new ArrayList<>();
  private final Map<TableName, RegionStatesCount> counts = new HashMap<>();
  private final List<HRegionLocation> regions = new ArrayList<>();

  private final Admin admin =
      FakeAdmin.of(Admin.class, (proxy, called, a) -> answer(called.getName()));

  private Object answer(String called) throws IOException {
    return switch (called) {
      case "getClusterMetrics" -> {
        passed = passed.plus(SLOW);
        if (!answers) {
          throw new IOException("the master is away");
        }
        yield FakeAdmin.of(
            ClusterMetrics.class,
            (proxy, of, a) ->
                switch (of.getName()) {
                  case "getLiveServerMetrics" -> live;
                  case "getTableRegionStatesCount" -> counts;
                  default -> of.getReturnType().equals(List.class) ? List.of() : Map.of();
                });
      }
      case "listTableDescriptors" -> tables;
      case "listDecommissionedRegionServers" -> List.of();
      default -> false;
    };
  }

  private Connection connection() {
    return FakeAdmin.of(
        Connection.class,
        (proxy, called, a) -> FakeAdmin.of(RegionLocator.class, (p, of, b) -> regions));
  }

  private ClusterSnapshot snapshot() throws EngineException {
    HBaseContact contact = HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk"));
    Clocks clocks = new Clocks(() -> START.plus(passed), () -> passed.toNanos(), time -> {});
    try (HBaseSnapshots snapshots =
        new HBaseSnapshots(
            new Cluster(contact, clocks, connection(), admin, admin),
            FakeAdmin.facts("2.6.4"),
            new PluginClient(admin, () -> 0),
            new DrainedServers(new ZooKeeperAccess(contact), "c", () -> passed.toNanos()),
            () -> registered,
            () -> passed.toNanos())) {
      return snapshots.read(Optional.empty());
    }
  }

  @Test
  void itIsAsOldAsItsFirstAnswerAndItsCountersAreDatedByThemselves() throws EngineException {
    ClusterSnapshot seen = snapshot();
    assertThat(seen.takenAt()).isEqualTo(START);
    assertThat(seen.readAtNs()).isEqualTo(OptionalLong.of(SLOW.toNanos()));
    assertThat(seen.blockers()).isEmpty();
  }

  /** Otherwise a removal could make replicas meet, which plans know nothing of. */
  @Test
  void replicasOfRegionsNeedAsManyNodesAndAreNoCopies() throws EngineException {
    assertThat(snapshot().replication()).isEqualTo(3);
    tables.add(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setRegionReplication(4)
            .build());

    ClusterSnapshot seen = snapshot();

    assertThat(seen.replication()).isEqualTo(4);
    assertThat(seen.copies().fewestNodes()).isEqualTo(4);
    assertThat(seen.copies().least()).as("of the data").isEqualTo(3);
    assertThat(seen.fixedTables()).containsKey("t");
  }

  /** HBase's master counts none of its regions, and hbase:meta has their last servers. */
  @Test
  void aTableThatIsDisabledIsNoPartitionAndNoGap() throws EngineException {
    table(0, 0);
    ClusterSnapshot seen = snapshot();
    assertThat(seen.partitions()).isEmpty();
    assertThat(seen.clusterGaps()).isEmpty();
  }

  /** Otherwise a look between its two servers would find that it is gone. */
  @Test
  void theOnlyRegionOfATableIsThereWhileItMoves() throws EngineException {
    table(1, 1);
    assertThat(snapshot().partitions()).hasSize(1);
  }

  /** A table of one region, of which hbase:meta says that it is on a server that lives. */
  private void table(int all, int closed) {
    TableName name = TableName.valueOf("kept");
    ServerName server = ServerName.valueOf("node1", 16020, 7);
    tables.add(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
    live.put(server, unreadable());
    regions.add(new HRegionLocation(RegionInfoBuilder.newBuilder(name).build(), server));
    counts.put(
        name,
        new RegionStatesCount.RegionStatesCountBuilder()
            .setTotalRegions(all)
            .setClosedRegions(closed)
            .build());
  }

  private static ServerMetrics unreadable() {
    return FakeAdmin.of(
        ServerMetrics.class,
        (proxy, of, a) -> of.getReturnType().equals(int.class) ? (Object) 0 : Map.of());
  }

  /** Its information page is off: it lives by the master's word, and can't be read. */
  @Test
  void aServerThatCantBeReadLivesAndItsGapIsItsOwn() throws EngineException {
    live.put(ServerName.valueOf("node1", 16020, 7), unreadable());
    ClusterSnapshot seen = snapshot();
    assertThat(seen.nodes())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.alive()).isTrue();
              assertThat(node.readable()).isFalse();
              assertThat(node.usage().known()).isFalse();
              assertThat(seen.gaps()).containsExactly(node.read().failure().orElseThrow());
            });
    assertThat(seen.gaps().get(0)).contains("node1:16020 can't be read");
    assertThat(seen.clusterGaps()).isEmpty();
  }

  @Test
  void aMasterThatDoesNotAnswerIsAGapAndABlocker() throws EngineException {
    answers = false;
    ClusterSnapshot seen = snapshot();
    assertThat(seen.takenAt()).isEqualTo(START);
    assertThat(seen.nodes()).isEmpty();
    assertThat(seen.gaps()).singleElement().asString().contains("the master does not answer");
    assertThat(seen.blockers()).isEqualTo(seen.gaps());
    assertThat(seen.clusterGaps()).as("it is no node's").isEqualTo(seen.gaps());
  }

  /** They serve: a cluster whose master is just starting is not taken for an empty one. */
  @Test
  void serversThatLiveAreToldWithoutAMaster() throws EngineException {
    answers = false;
    registered.add(ServerName.valueOf("node2", 16020, 8));
    registered.add(ServerName.valueOf("node1", 16020, 7));
    ClusterSnapshot seen = snapshot();
    assertThat(seen.liveNodes())
        .extracting(node -> node.id().name())
        .containsExactly("node1:16020", "node2:16020");
    assertThat(seen.nodes())
        .allSatisfy(node -> assertThat(node.readable()).isFalse())
        .extracting(node -> node.incarnation())
        .containsExactly(7L, 8L);
    assertThat(seen.clusterGaps())
        .as("nothing is decided")
        .singleElement()
        .asString()
        .contains("the master does not answer");
    assertThat(seen.blockers()).isEqualTo(seen.clusterGaps());
  }
}

package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.EngineContract;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** What the HBase engine must do wherever blocks are cached, on a real cluster of three nodes. */
abstract class HBaseContract extends EngineContract {
  @Override
  protected abstract HBaseCluster cluster();

  private Connection connection() {
    return cluster().connection();
  }

  private HBaseTables tables() {
    return new HBaseTables(connection());
  }

  @Override
  public Set<Capability> can() {
    return Set.of(Capability.PLACEMENT, Capability.ONLINE_PROFILES);
  }

  @Override
  protected String[] controllerArguments() {
    return new String[] {"hbase", cluster().lab().zookeeperQuorum()};
  }

  @Override
  protected NodeId victim(ClusterSnapshot now) throws IOException {
    return servesButNotMeta(now.partitions());
  }

  /**
   * What the old node had in its cache, and what it had only in memory, the new one has too, and
   * the old one no longer.
   */
  @Test
  void aRegionTakesItsCachedBlocksWithIt() throws Exception {
    TableName name = tables().create("warm");
    tables().fill(name, 1_500);
    try (Admin admin = connection().getAdmin()) {
      admin.flush(name);
    }
    PartitionState region = partitions("warm", all -> !all.isEmpty()).get(0);
    NodeId from = region.node().orElseThrow();
    NodeId to = otherThan(from);
    try (Table table = connection().getTable(name)) {
      // 1,500 rows of 1,000 bytes are 23 blocks of 64 KiB, and as many more stay in the memstore.
      assertThat(HBaseTables.count(table)).isEqualTo(1_500);
    }
    tables().fill(name, 1_500);
    long cachedBytes = cacheUsedBytes(from);
    engine().move(region.id(), to, LIMIT);
    until(s -> s.partition(region.id()).flatMap(PartitionState::node).equals(Optional.of(to)));
    TimeUnit.SECONDS.sleep(2);
    long misses = engine().snapshot().node(to).orElseThrow().gauges().cacheMisses();
    long hits = engine().snapshot().node(to).orElseThrow().gauges().cacheHits();

    try (Table table = connection().getTable(name)) {
      assertThat(HBaseTables.count(table)).isEqualTo(1_500);
    }
    until(s -> s.node(to).orElseThrow().gauges().cacheHits() >= hits + 40);
    assertThat(engine().snapshot().node(to).orElseThrow().gauges().cacheMisses() - misses)
        .as("misses of 46 blocks")
        .isLessThanOrEqualTo(4);
    assertThat(cachedBytes - cacheUsedBytes(from))
        .as("23 blocks of 64 KiB, in bytes")
        .isGreaterThan(1_300_000);
  }

  private long cacheUsedBytes(NodeId node) throws EngineException {
    return engine().snapshot().node(node).orElseThrow().gauges().cacheUsedBytes();
  }

  @Test
  void aProfileIsInForceAtOnceUnderLoadAndNoRegionCloses() throws Exception {
    TableName name = tables().create("loaded", "2", "4", "6", "8");
    Map<String, Long> opened = tables().openings(name);
    ClusterSnapshot before = engine().snapshot();
    try (ReadWriteLoad load = new ReadWriteLoad(connection(), name)) {
      for (Profile profile : List.of(Profile.WRITE, Profile.READ, Profile.READ_WRITE)) {
        for (LabNode node : lab().nodes()) {
          engine().applyProfile(node.id(), profile, LIMIT);
          NodeState state = engine().snapshot().node(node.id()).orElseThrow();
          assertThat(state.profile()).contains(profile);
          double heap = state.gauges().heapMaxBytes();
          assertThat(heapCacheBytes(state.gauges()) / heap)
              .isBetween(profile.cacheFraction() - 0.001, profile.cacheFraction() + 0.001);
          assertThat(state.gauges().memstoreMaxBytes() / heap)
              .isBetween(profile.memstoreFraction() - 0.001, profile.memstoreFraction() + 0.001);
        }
      }
      // Servers renew what they tell of response times every 10 s.
      ServedTimes served =
          ServedTimes.between(before, whole(s -> ServedTimes.between(before, s).known()));
      assertThat(served.p99Ms()).as("99th percentile, ms").isBetween(0.0, 10_000.0);
      load.stop();
      assertThat(load.failures()).isEmpty();
      assertThat(load.done()).isPositive();
    }
    assertThat(tables().openings(name)).isEqualTo(opened);
  }

  /** It serves nothing, and must not keep the others from being decided on. */
  @Test
  void aTableThatIsDisabledAndKeptIsNotMissed() throws Exception {
    TableName name = tables().create("asleep", "m");
    partitions("asleep", HBaseContract::areTwoThatAreServed);
    try (Admin admin = connection().getAdmin()) {
      admin.disableTable(name);
      ClusterSnapshot now = until(s -> s.gaps().isEmpty() && s.partitionsInTransition() == 0);
      assertThat(partitions(now, "asleep")).isEmpty();

      admin.enableTable(name);
      partitions("asleep", HBaseContract::areTwoThatAreServed);
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  /** A region that is moved is served by nobody for a while, and nobody asks twice for a check. */
  @Test
  void aWholeTableIsReadWhileARegionIsUnderWay() throws Exception {
    WorkloadSpec spec = tenant("checked", "read: 1.0", 1, 1);
    Map<String, AcknowledgedWrites> ledgers = load(spec);
    List<RegionInfo> regions;
    try (RegionLocator locator = connection().getRegionLocator(TableName.valueOf("checked"))) {
      regions = locator.getAllRegionLocations().stream().map(HRegionLocation::getRegion).toList();
    }
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (Admin admin = connection().getAdmin()) {
      for (RegionInfo region : regions) {
        admin.unassign(region.getRegionName(), false);
      }

      Future<Verifier.Verification> found =
          other.submit(() -> new Verifier(target()).verify(spec, ledgers));

      pause(2_000);
      assertThat(found.isDone()).as("it waits").isFalse();
      for (RegionInfo region : regions) {
        admin.assign(region.getRegionName());
      }
      Verifier.Verification verified = found.get(1, TimeUnit.MINUTES);
      assertThat(verified.right()).isTrue();
      assertThat(verified.records()).isEqualTo(2_000);
      admin.disableTable(TableName.valueOf("checked"));
      admin.deleteTable(TableName.valueOf("checked"));
    } finally {
      other.shutdownNow();
    }
  }

  private static boolean areTwoThatAreServed(List<PartitionState> regions) {
    return regions.size() == 2 && regions.stream().allMatch(region -> region.node().isPresent());
  }

  /** Of the block cache; data blocks may be in a cache beside it. */
  private static double heapCacheBytes(NodeGauges gauges) {
    return gauges.own().getOrDefault("BlockCache.heapMaxBytes", (double) gauges.cacheMaxBytes());
  }

  /** Losing hbase:meta takes minutes to mend, and is HBase's own matter. */
  final NodeId servesButNotMeta(List<PartitionState> partitions) throws IOException {
    try (RegionLocator locator = connection().getRegionLocator(TableName.META_TABLE_NAME)) {
      String meta = locator.getAllRegionLocations().get(0).getHostnamePort();
      return partitions.stream()
          .map(partition -> partition.node().orElseThrow())
          .filter(node -> !node.name().equals(meta))
          .findFirst()
          .orElseThrow();
    }
  }

  final NodeId otherThan(NodeId node) {
    return lab().nodes().stream()
        .map(LabNode::id)
        .filter(id -> !id.equals(node))
        .findFirst()
        .orElseThrow();
  }

  /** Counters are renewed every second. */
  final List<PartitionState> partitions(String table, Predicate<List<PartitionState>> wanted)
      throws EngineException {
    ClusterSnapshot found = until(s -> s.gaps().isEmpty() && wanted.test(partitions(s, table)));
    return partitions(found, table);
  }

  static List<PartitionState> partitions(ClusterSnapshot snapshot, String table) {
    return snapshot.partitions().stream().filter(p -> p.id().table().equals(table)).toList();
  }

  /** Takes snapshots until one is as wanted, and fails with the last one. */
  final ClusterSnapshot until(Predicate<ClusterSnapshot> wanted) throws EngineException {
    ClusterSnapshot snapshot = engine().snapshot();
    for (int i = 0; !wanted.test(snapshot) && i < 300; i++) {
      try {
        TimeUnit.MILLISECONDS.sleep(300);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      snapshot = engine().snapshot();
    }
    assertThat(wanted.test(snapshot)).as(snapshot.toString()).isTrue();
    return snapshot;
  }
}

package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.Bytes;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.cluster.CacheEngine;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same on nodes whose data blocks are in a bucket cache: in a file in memory, or where {@code
 * ./trimtab test --bucket-cache} says.
 */
@Tag("beside-others")
class HBaseBucketCacheIT extends HBaseContract {
  private static final Bytes BUCKET_CACHE = Bytes.parse("12m");
  private static final CacheEngine ENGINE =
      CacheEngine.valueOf(
          System.getProperty("trimtab.bucket-cache", "file").toUpperCase(Locale.ROOT));

  /** With room for what reopening everything again and again leaves behind in native memory. */
  private static final Bytes NODE_MEMORY = new Bytes(768L << 20);

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster =
        HBaseCluster.up(
            "bucket-it",
            home,
            Map.of(),
            c -> c.withBucketCache(BUCKET_CACHE, ENGINE).withLimits(0.75, NODE_MEMORY, 0));
  }

  @Override
  protected HBaseCluster cluster() {
    return cluster;
  }

  @Override
  @Test
  @Tag(REPEATED)
  protected void aKilledNodeIsDeadTheLoadIsServedAndItComesBack() throws Exception {
    super.aKilledNodeIsDeadTheLoadIsServedAndItComesBack();
  }

  @Override
  @Test
  @Tag(REPEATED)
  protected void aNodeComesAndAnotherGoesUnderLoad() throws Exception {
    super.aNodeComesAndAnotherGoesUnderLoad();
  }

  private NodeGauges gauges(NodeId node) throws EngineException {
    return engine().snapshot().node(node).orElseThrow().gauges();
  }

  /** By what the server's process holds. */
  @Test
  void theCacheIsInTheMemoryThatItsEngineSays() throws EngineException {
    NodeId node = engine().snapshot().nodes().get(0).id();
    LabState state = cluster.lab().state();
    Path file = state.memory().resolve(Lab.find(state, node).regionServer());

    assertThat(file.toFile().isFile()).isEqualTo(ENGINE != CacheEngine.OFFHEAP);
    assertThat(pooledBytes(node, "mapped") >= BUCKET_CACHE.value())
        .isEqualTo(ENGINE == CacheEngine.MMAP);
    if (ENGINE == CacheEngine.OFFHEAP) {
      assertThat(pooledBytes(node, "direct")).isGreaterThanOrEqualTo(BUCKET_CACHE.value());
    }
  }

  /** As its JVM counts them. */
  private static long pooledBytes(NodeId node, String pool) {
    return cluster
        .lab()
        .bean(node, "java.nio:type=BufferPool,name=" + pool)
        .orElseThrow()
        .path("MemoryUsed")
        .asLong(-1);
  }

  /** HBase itself counts a miss twice there. */
  @Test
  void hitsMissesAndSizesAreThoseOfTheBucketCache() throws Exception {
    HBaseTables tables = new HBaseTables(cluster.connection());
    TableName name = tables.create("buckets");
    tables.fill(name, 1_500);
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.flush(name);
    }
    NodeId node =
        partitions("buckets", all -> !all.isEmpty()).stream()
            .map(PartitionState::node)
            .findFirst()
            .orElseThrow()
            .orElseThrow();
    pause(2_000);
    NodeGauges before = gauges(node);
    try (Table table = cluster.connection().getTable(name)) {
      assertThat(HBaseTables.count(table)).isEqualTo(1_500);
      until(s -> s.node(node).orElseThrow().gauges().cacheMisses() >= before.cacheMisses() + 20);
      pause(2_000);
      NodeGauges cold = gauges(node);
      assertThat(cold.cacheMisses() - before.cacheMisses()).as("of 24 blocks").isBetween(20L, 30L);
      assertThat(cold.cacheUsedBytes() - before.cacheUsedBytes())
          .as("23 blocks of 64 KiB, in bytes")
          .isGreaterThan(1_300_000);
      assertThat(cold.own().get("BlockCache.blocks")).isGreaterThanOrEqualTo(23);

      assertThat(HBaseTables.count(table)).isEqualTo(1_500);
      until(s -> s.node(node).orElseThrow().gauges().cacheHits() >= cold.cacheHits() + 20);
      assertThat(gauges(node).cacheMisses() - cold.cacheMisses()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void aProfileChangesTheHeapAndNotTheBucketCache() throws EngineException {
    NodeId node = engine().snapshot().nodes().get(0).id();
    NodeGauges before = gauges(node);
    assertThat(before.cacheBesideHeap()).isTrue();
    assertThat(before.cacheMaxBytes()).isEqualTo(BUCKET_CACHE.value());

    engine().applyProfile(node, Profile.WRITE, LIMIT);

    NodeGauges after = gauges(node);
    assertThat(engine().snapshot().node(node).orElseThrow().profile()).contains(Profile.WRITE);
    assertThat(after.cacheMaxBytes()).isEqualTo(before.cacheMaxBytes());
    assertThat(after.own().get("BlockCache.heapMaxBytes"))
        .isLessThan(before.own().get("BlockCache.heapMaxBytes"));
    assertThat(after.memstoreMaxBytes()).isGreaterThan(before.memstoreMaxBytes());
  }
}

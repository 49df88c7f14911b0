package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Profile;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabConfigTest {

  @Test
  void everyKeyHasADefault() {
    LabConfig config = StrictYaml.parse("lab.yaml", "{}", LabConfig.class);

    assertThat(config).isEqualTo(LabConfig.defaults());
    assertThat(config.name()).isEqualTo("lab");
    assertThat(config.nodes()).isEqualTo(3);
    assertThat(config.spareNodes()).isEqualTo(3);
    assertThat(config.heap()).isEqualTo(Bytes.parse("300m"));
    assertThat(config.isolate()).isEqualTo(Isolate.AUTO);
    assertThat(config.profile()).isEqualTo(Profile.HOMOGENEOUS);
    assertThat(config.memoryLimit().value())
        .isEqualTo(config.heap().value() + LabConfig.NATIVE_BYTES);
    assertThat(config.readIops()).isEqualTo(150);
    assertThat(config.plugin()).isTrue();
    assertThat(config.site()).isEmpty();
  }

  @Test
  void aSecureLabHasItsKdcAmongItsProcesses() {
    LabConfig open = LabConfig.defaults();
    assertThat(open.database().services(open)).doesNotContain("kdc").contains("master");
    LabConfig secure = open.withSecure(true);
    assertThat(secure.database().services(secure)).contains("kdc", "master");
  }

  @Test
  void everyKeyIsReadFromAFile() {
    String text =
        """
        name: e1
        nodes: 5
        spareNodes: 0
        heap: 200m
        bucketCache: 64m
        bucketCacheEngine: mmap
        isolate: on
        profile: read_write
        cpus: 0.35
        memoryLimit: 600m
        readIops: 120
        plugin: false
        site:
          hbase.rs.prefetchblocksonopen: "true"
        """;

    assertThat(StrictYaml.parse("lab.yaml", text, LabConfig.class))
        .isEqualTo(
            new LabConfig(
                    "e1",
                    5,
                    0,
                    Bytes.parse("200m"),
                    Isolate.ON,
                    Profile.READ_WRITE,
                    0.35,
                    null,
                    120,
                    false,
                    Map.of("hbase.rs.prefetchblocksonopen", "true"),
                    null,
                    null)
                .withBucketCache(Bytes.parse("64m"), CacheEngine.MMAP)
                .withLimits(0.35, Bytes.parse("600m"), 120));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: Big_Lab       | name: must be",
        "nodes: 0            | nodes: must be in [1, 50], not 0",
        "nodes: 51           | nodes: must be in [1, 50], not 51",
        "spareNodes: -1      | spareNodes: must be",
        "heap: 64m           | heap: must be at least 128m, not 64m",
        "heap: 300           | a size needs a unit",
        "cpus: 0.0           | cpus: must be",
        "memoryLimit: 300m   | memoryLimit: must be more than the heap",
        "bucketCache: 300k   | bucketCache: must be a whole number of MiB, not 300k",
        "bucketCacheEngine: mmap | bucketCacheEngine: must be left out without bucketCache",
        "{bucketCache: 1m, bucketCacheEngine: ram} | must be file, offheap or mmap, not 'ram'",
        "{bucketCache: 1m, cassandra: {}} | bucketCache: must be left out for Cassandra",
        "tls: true           | tls: must be left out where secure is not true",
        "{tls: true, secure: true, cassandra: {}} | tls: must be left out",
        "readIops: -1        | readIops: must be",
        "isolate: maybe      | isolate: must be auto, on or off, not 'maybe'",
        "profile: FAST       | unknown profile 'FAST'; known are READ, WRITE",
        "node: 3             | unknown key; did you mean nodes?",
      })
  void aBadValueIsOneLineWithFileAndLine(String text, String problem) {
    assertThatThrownBy(() -> StrictYaml.parse("lab.yaml", text, LabConfig.class))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(problem)
        .hasMessageStartingWith("lab.yaml:1")
        .message()
        .hasLineCount(1);
  }

  @Test
  void theCpuQuotaFollowsTheNumberOfNodesAndTheMemoryLimitTheHeap() {
    LabConfig few = LabConfig.defaults().withNodes(1);
    LabConfig many = LabConfig.defaults().withNodes(10);
    LabConfig big = LabConfig.defaults().withHeap(Bytes.parse("1g"));

    assertThat(many.cpus()).isLessThan(few.cpus()).isPositive();
    assertThat(big.memoryLimit().value()).isEqualTo((1L << 30) + LabConfig.NATIVE_BYTES);
  }

  @Test
  void aBucketCacheIsBesideTheHeapAndZeroBytesAreNone() {
    LabConfig with = LabConfig.defaults().withBucketCache(Bytes.parse("100m"));

    assertThat(with.memoryLimit().value())
        .isEqualTo(LabConfig.defaults().memoryLimit().value() + (100L << 20));
    assertThat(with.withHeap(Bytes.parse("200m")).bucketCache()).isEqualTo(Bytes.parse("100m"));
    assertThat(with.withBucketCache(Bytes.parse("0b"))).isEqualTo(LabConfig.defaults());
  }

  @Test
  void aBucketCacheIsAFileUnlessItsEngineIsOffTheHeap() {
    Bytes size = Bytes.parse("100m");
    LabConfig file = LabConfig.defaults().withBucketCache(size);
    LabConfig offHeap = LabConfig.defaults().withBucketCache(size, CacheEngine.OFFHEAP);

    assertThat(file.bucketCacheEngine()).isEqualTo(CacheEngine.FILE);
    assertThat(file.cachesInFiles()).isTrue();
    assertThat(file.cacheOffHeapBytes()).isZero();
    assertThat(offHeap.withSpareNodes(1).withNodes(2).bucketCacheEngine())
        .isEqualTo(CacheEngine.OFFHEAP);
    assertThat(offHeap.cachesInFiles()).isFalse();
    assertThat(offHeap.cacheOffHeapBytes()).isEqualTo(100L << 20);
    assertThat(offHeap.memoryLimit()).isEqualTo(file.memoryLimit());
    assertThat(LabConfig.defaults().cacheOffHeapBytes()).isZero();
    NodeControl.checkSharedMemory(offHeap, Path.of("/no/such/folder"));
  }

  @Test
  void bucketCachesForWhichThereIsNoRoomAreRefusedBeforeAnythingStarts() {
    LabConfig config = LabConfig.defaults().withBucketCache(new Bytes(1L << 50));
    Path folder = Path.of("/");

    assertThatThrownBy(() -> NodeControl.checkSharedMemory(config, folder))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("not enough room for the bucket caches of 3 nodes");
    assertThatThrownBy(() -> NodeControl.checkSharedMemory(config, Path.of("/no/such/folder")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("/no/such/folder: can't hold bucket caches");
    NodeControl.checkSharedMemory(LabConfig.defaults(), Path.of("/no/such/folder"));
  }

  @Test
  void aLabThatDoesNotFitIsRefusedBeforeAnythingStarts() {
    LabConfig config = LabConfig.defaults().withNodes(10);

    assertThatThrownBy(() -> NodeControl.checkMemory(config, 4L << 30))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("not enough memory for 10 nodes")
        .hasMessageContaining("4.00 GiB available");
    NodeControl.checkMemory(config, 16L << 30);
  }
}

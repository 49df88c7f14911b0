package io.trimtab.hbase.pages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A RegionServer process's beans, as far as a snapshot needs them. Values are those of the
 * process's metrics system, which renews them every 10 s unless it is configured otherwise.
 *
 * @param server HBase's own bean of the whole server
 * @param regions HBase's bean of the single regions
 * @param calls HBase's bean of the calls that it answers
 * @param jvm the beans of the Java platform
 */
public record ServerBeans(
    JsonNode server, RegionBeans regions, JsonNode calls, List<JsonNode> jvm) {
  /** In the names of the counters of the block cache. */
  private static final List<String> OTHER_BLOCKS =
      List.of(
          "LeafIndex",
          "BloomChunk",
          "Meta",
          "RootIndex",
          "IntermediateIndex",
          "FileInfo",
          "GeneralBloomMeta",
          "DeleteFamilyBloom",
          "Trailer");

  /** Calls that a client must make again, or that failed: queue full, too old, memory full. */
  private static final List<String> REFUSED =
      List.of(
          "exceptions.callQueueTooBig",
          "exceptions.RegionTooBusyException",
          "numGeneralCallsDropped");

  /** Of a version, with whatever a distribution adds to it. */
  private static final Pattern RELEASE = Pattern.compile("2\\.([0-9]{1,6})\\.([0-9]{1,6})");

  private static final String HBASE = "Hadoop:service=HBase,name=RegionServer,sub=";

  /** HBase takes its beans away for half a second, 5 s after a region was opened or closed. */
  private static final Duration ABSENCE = Duration.ofMillis(700);

  /**
   * @param address {@code host:port} of the server's information page
   */
  public static ServerBeans read(HttpJmx jmx, Clocks clocks, String address) throws IOException {
    Optional<JsonNode> server = bean(jmx, clocks, address, "Server");
    if (server.isEmpty()) {
      throw new IOException(address + " has no bean " + HBASE + "Server");
    }
    // A server that has had no region yet does not have the bean either.
    boolean empty = server.get().path("regionCount").asLong(-1) == 0;
    Optional<JsonNode> regions = empty ? Optional.empty() : bean(jmx, clocks, address, "Regions");
    return new ServerBeans(
        server.get(),
        new RegionBeans(regions.orElse(MissingNode.getInstance())),
        jmx.beans(address, HBASE + "IPC").stream().findFirst().orElse(MissingNode.getInstance()),
        jmx.beans(address, "java.lang:*"));
  }

  private static Optional<JsonNode> bean(HttpJmx jmx, Clocks clocks, String address, String sub)
      throws IOException {
    List<JsonNode> found = jmx.beans(address, HBASE + sub);
    if (found.isEmpty()) {
      clocks.sleep(ABSENCE);
      found = jmx.beans(address, HBASE + sub);
    }
    return found.stream().findFirst();
  }

  private JsonNode jvmBean(String type) {
    String name = "java.lang:type=" + type;
    return jvm.stream()
        .filter(bean -> bean.path("name").asText().equals(name))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private long server(String attribute) {
    return server.path(attribute).asLong(-1);
  }

  /**
   * Of all calls, of which users' are by far the most; HBase's percentiles are those of the calls
   * since its metrics system asked before.
   */
  public RequestTimes requestTimes() {
    return new RequestTimes(
        calls.path("TotalCallTime_num_ops").asLong(-1),
        calls.path("TotalCallTime_99th_percentile").asDouble(Double.NaN),
        calls.isMissingNode()
            ? -1
            : REFUSED.stream().mapToLong(name -> calls.path(name).asLong(0)).sum(),
        calls.path("TotalCallTime_mean").asDouble(Double.NaN));
  }

  public long heapUsedBytes() {
    return jvmBean("Memory").path("HeapMemoryUsage").path("used").asLong(-1);
  }

  public long heapMaxBytes() {
    return jvmBean("Memory").path("HeapMemoryUsage").path("max").asLong(-1);
  }

  /** Collections' time since the process started. */
  public long gcMillis() {
    return jvm.stream()
        .filter(bean -> bean.path("name").asText().contains("type=GarbageCollector"))
        .mapToLong(bean -> Math.max(0, bean.path("CollectionTime").asLong()))
        .sum();
  }

  /** The process's number on its own machine, −1 where its JVM names itself in another way. */
  public long pid() {
    String name = jvmBean("Runtime").path("Name").asText();
    String pid = name.split("@", 2)[0];
    return pid.matches("[0-9]{1,18}") ? Long.parseLong(pid) : -1;
  }

  /** When the JVM started, in milliseconds since 1970 by its machine's clock. */
  public long startedAtMs() {
    return jvmBean("Runtime").path("StartTime").asLong(-1);
  }

  /** CPU time of the process since it started; −1 if not available. */
  public long processCpuNs() {
    return jvmBean("OperatingSystem").path("ProcessCpuTime").asLong(-1);
  }

  public int processors() {
    return Math.max(1, jvmBean("OperatingSystem").path("AvailableProcessors").asInt(1));
  }

  /** One-minute load average of the machine; NaN if not available. */
  public double load1() {
    double load = jvmBean("OperatingSystem").path("SystemLoadAverage").asDouble(Double.NaN);
    return load < 0 ? Double.NaN : load;
  }

  /** Memory of the machine in use, including page cache; −1 if not available. */
  public long machineMemoryUsedBytes() {
    JsonNode system = jvmBean("OperatingSystem");
    long total = system.path("TotalPhysicalMemorySize").asLong(-1);
    long free = system.path("FreePhysicalMemorySize").asLong(-1);
    return total < 0 || free < 0 ? -1 : total - free;
  }

  /** Whether data blocks are in a bucket cache. */
  public boolean hasBucketCache() {
    return bucketMaxBytes() > 0;
  }

  public long cacheHits() {
    long bucket = hasBucketCache() ? server("l2CacheHitCount") : -1;
    return bucket >= 0 ? bucket : dataBlocks("Hit");
  }

  /**
   * Data blocks that were asked for and were not in the cache, each counted once; -1 if not
   * available.
   *
   * <p>HBase looks a second time for a block that it is about to read into the cache. Without a
   * bucket cache it does not count that. With one, 2.5.7 and later, 2.6 included, count a miss each
   * time. Versions before count none of the second looks, but what is in neither level as a miss of
   * both, so that the bucket cache's are those of all kinds of blocks.
   *
   * @param version of the server's HBase; not needed without a bucket cache
   */
  public long cacheMisses(String version) {
    long counted = hasBucketCache() ? server("l2CacheMissCount") : -1;
    if (counted < 0) {
      return dataBlocks("Miss");
    }
    Matcher release = RELEASE.matcher(version);
    if (!release.lookingAt()) {
      return -1;
    }
    if (!countsBothLooks(release)) {
      return Math.max(0, counted - otherBlocks("Miss") / 2);
    }
    long twice = server("blockCacheMissCachingCount") - Math.max(0, server("l1CacheMissCount"));
    return counted - Math.max(0, Math.min(counted, twice)) / 2;
  }

  private static boolean countsBothLooks(Matcher release) {
    int minor = Integer.parseInt(release.group(1));
    return minor > 5 || (minor == 5 && Integer.parseInt(release.group(2)) >= 7);
  }

  /**
   * Index and Bloom filter blocks are nearly always found, whatever happens to the data. What HBase
   * counts as data leaves out the blocks that a scan goes on to, so data is what is left of all.
   */
  private long dataBlocks(String what) {
    long all = server("blockCache" + what + "Count");
    return all < 0 ? all : all - otherBlocks(what);
  }

  private long otherBlocks(String what) {
    return OTHER_BLOCKS.stream()
        .mapToLong(kind -> Math.max(0, server("blockCache" + kind + what + "Count")))
        .sum();
  }

  /** Of the block cache on the heap. */
  long cacheUsedBytes() {
    long all = server("blockCacheSize");
    return all < 0 ? -1 : all - bucketUsedBytes();
  }

  /** Of the block cache on the heap. */
  long cacheMaxBytes() {
    long free = server("blockCacheFreeSize");
    long all = server("blockCacheSize");
    return free < 0 || all < 0 ? -1 : all + free - bucketMaxBytes();
  }

  /** Blocks in the whole block cache; -1 if not available. */
  long cachedBlocks() {
    return server("blockCacheCount");
  }

  /** Capacity of the bucket cache, in which data blocks are then; 0 without one. */
  long bucketMaxBytes() {
    long free = server("l2CacheFreeSize");
    return free < 0 ? 0 : bucketUsedBytes() + free;
  }

  long bucketUsedBytes() {
    return Math.max(0, server("l2CacheSize"));
  }

  public long memstoreUsedBytes() {
    return server("memStoreHeapSize");
  }

  public long compactionQueue() {
    return server("compactionQueueLength");
  }

  public long flushQueue() {
    return server("flushQueueLength");
  }
}

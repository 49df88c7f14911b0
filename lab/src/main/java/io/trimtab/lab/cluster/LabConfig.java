package io.trimtab.lab.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.setup.ProfileDeserializer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a local cluster shall look like. In a file every key is optional.
 *
 * @param name of the lab: lower-case letters, digits and dashes, at most 20; default {@code lab}
 * @param nodes RegionServers, each with a DataNode, or Cassandra nodes, in [1, 50]; default 3
 * @param spareNodes nodes that may be added later, in [0, 50]; default 3
 * @param heap of each RegionServer, ≥ 128m, default 300m; of each Cassandra node, ≥ 256m, default
 *     384m
 * @param isolate whether nodes get control groups; default {@code auto}
 * @param profile the nodes' first memory split; in a file the name of a standard profile; default
 *     {@code HOMOGENEOUS}
 * @param cpus CPU quota of an isolated node in cores, in (0, 64]; default: three quarters of the
 *     machine shared by the nodes, so that clients find the rest
 * @param memoryLimit of an isolated node, page cache included; default: the heap, the bucket cache
 *     and {@link #NATIVE_BYTES}, for Cassandra {@link #CASSANDRA_NATIVE_BYTES}
 * @param readIops read limit of an isolated node's disk in operations per second, ≥ 0, 0 = none;
 *     default 150, as a 7200 rpm disk
 * @param plugin whether RegionServers load Trimtab's coprocessor where the class path has it;
 *     default true
 * @param site more properties for every hbase-site.xml, or keys for every cassandra.yaml
 * @param cassandra makes it a Cassandra cluster; missing: HBase
 * @param bucketCache of each RegionServer, in memory beside its heap, a whole number of MiB; null:
 *     blocks are cached on the heap. HBase only
 * @param bucketCacheEngine where in memory; default {@code file}; null without a bucket cache
 * @param secure whether clients and nodes prove who they are: TLS and passwords for Cassandra,
 *     Kerberos for HBase; default false
 * @param tls whether a secure HBase also has its pages served by HTTPS, to who shows a ticket, and
 *     HDFS's by HTTPS, and clients reach ZooKeeper by TLS; default false
 */
public record LabConfig(
    String name,
    Integer nodes,
    Integer spareNodes,
    Bytes heap,
    Isolate isolate,
    @JsonDeserialize(using = ProfileDeserializer.class) Profile profile,
    Double cpus,
    Bytes memoryLimit,
    Integer readIops,
    Boolean plugin,
    Map<String, String> site,
    CassandraSettings cassandra,
    @JsonInclude(JsonInclude.Include.NON_NULL) Bytes bucketCache,
    @JsonInclude(JsonInclude.Include.NON_NULL) CacheEngine bucketCacheEngine,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean secure,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean tls) {

  /** The key of cassandra.yaml that names the snitch. */
  public static final String SNITCH = "endpoint_snitch";

  private static final int NODES_MAX = 50;
  private static final long MIB = 1L << 20;
  private static final long HEAP_MIN_BYTES = 128L << 20;
  private static final long CASSANDRA_HEAP_MIN_BYTES = 256L << 20;

  /**
   * Memory of a RegionServer and its DataNode in addition to the heap. Measured with a 300m heap
   * under reads, writes and compactions: 555 to 590 MiB of anonymous memory for both, so that this
   * leaves about 40 MiB for the page cache. More would let the page cache do the block cache's
   * work, and a small block cache would look good; less risks the kernel's killer.
   */
  public static final long NATIVE_BYTES = 320L << 20;

  /** Memory of a Cassandra node in addition to its heap. */
  public static final long CASSANDRA_NATIVE_BYTES = 480L << 20;

  public LabConfig {
    name = name == null ? "lab" : name;
    nodes = nodes == null ? 3 : nodes;
    spareNodes = spareNodes == null ? 3 : spareNodes;
    heap = heap == null ? new Bytes((cassandra == null ? 300L : 384L) << 20) : heap;
    isolate = isolate == null ? Isolate.AUTO : isolate;
    profile = profile == null ? Profile.HOMOGENEOUS : profile;
    check(name.matches("[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?"), "name", "1 to 20 of a-z 0-9 -", name);
    check(nodes >= 1 && nodes <= NODES_MAX, "nodes", "in [1, " + NODES_MAX + "]", nodes);
    check(
        spareNodes >= 0 && spareNodes <= NODES_MAX,
        "spareNodes",
        "in [0, " + NODES_MAX + "]",
        spareNodes);
    Bytes least = leastHeap(cassandra == null ? Database.HBASE : Database.CASSANDRA);
    check(heap.value() >= least.value(), "heap", "at least " + least, heap);
    bucketCache = bucketCache == null || bucketCache.value() == 0 ? null : bucketCache;
    long bucketBytes = bucketCache == null ? 0 : bucketCache.value();
    check(bucketBytes % MIB == 0, "bucketCache", "a whole number of MiB", bucketCache);
    check(
        cassandra == null || bucketBytes == 0,
        "bucketCache",
        "left out for Cassandra",
        bucketCache);
    check(
        bucketCacheEngine == null || bucketCache != null,
        "bucketCacheEngine",
        "left out without bucketCache",
        bucketCacheEngine);
    if (bucketCache != null && bucketCacheEngine == null) {
      bucketCacheEngine = CacheEngine.FILE;
    }
    cpus = cpus == null ? defaultCpus(nodes) : cpus;
    check(cpus > 0 && cpus <= 64, "cpus", "in (0, 64]", cpus);
    long caches = heap.value() + bucketBytes;
    memoryLimit = memoryLimit == null ? new Bytes(caches + nativeBytes(cassandra)) : memoryLimit;
    check(
        memoryLimit.value() > caches,
        "memoryLimit",
        "more than the heap and the bucket cache",
        memoryLimit);
    readIops = readIops == null ? 150 : readIops;
    check(readIops >= 0, "readIops", "at least 0", readIops);
    plugin = plugin == null || plugin;
    site = site == null ? Map.of() : Map.copyOf(new TreeMap<>(site));
    secure = secure != null && secure;
    tls = tls != null && tls;
    check(
        !tls || (secure && cassandra == null),
        "tls",
        "left out where secure is not true, and for Cassandra, which then has it",
        tls);
  }

  /** Of a cluster that is not secure; a bucket cache is in a file. */
  public LabConfig(
      String name,
      Integer nodes,
      Integer spareNodes,
      Bytes heap,
      Isolate isolate,
      Profile profile,
      Double cpus,
      Bytes memoryLimit,
      Integer readIops,
      Boolean plugin,
      Map<String, String> site,
      CassandraSettings cassandra,
      Bytes bucketCache) {
    this(
        name,
        nodes,
        spareNodes,
        heap,
        isolate,
        profile,
        cpus,
        memoryLimit,
        readIops,
        plugin,
        site,
        cassandra,
        bucketCache,
        null,
        false,
        false);
  }

  private static long nativeBytes(CassandraSettings cassandra) {
    return cassandra == null ? NATIVE_BYTES : CASSANDRA_NATIVE_BYTES;
  }

  private static double defaultCpus(int nodes) {
    double share = 0.75 * Runtime.getRuntime().availableProcessors() / nodes;
    return Math.min(1, Math.max(0.1, Math.round(share * 20) / 20.0));
  }

  static void check(boolean good, String key, String rule, Object value) {
    if (!good) {
      throw new IllegalArgumentException(key + " must be " + rule + ", not " + value);
    }
  }

  /** The smallest heap that a database's node starts with. */
  public static Bytes leastHeap(Database database) {
    return new Bytes(database == Database.HBASE ? HEAP_MIN_BYTES : CASSANDRA_HEAP_MIN_BYTES);
  }

  /** What the cluster runs. */
  public Database database() {
    return cassandra == null ? Database.HBASE : Database.CASSANDRA;
  }

  /** Of a Cassandra cluster whose nodes do not rank replicas; where they do, the wrapped one. */
  public String snitch() {
    return site.getOrDefault(SNITCH, cassandra.snitch());
  }

  /** All defaults. */
  public static LabConfig defaults() {
    return new LabConfig(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null);
  }

  /** Reads a YAML file; unknown keys and bad values are one-line errors. */
  public static LabConfig read(Path file) {
    return StrictYaml.read(file, LabConfig.class);
  }

  public LabConfig withName(String value) {
    return with(value, nodes, heap, isolate, profile, cpus, memoryLimit, readIops);
  }

  /** The CPU quota follows the number of nodes, unless set afterwards. */
  public LabConfig withNodes(int value) {
    return with(name, value, heap, isolate, profile, null, memoryLimit, readIops);
  }

  /** A number of nodes and spare nodes, each with this configuration's limits. */
  public LabConfig withNodesOfSameKind(int value, int spare) {
    return withNodes(value).withLimits(cpus, memoryLimit, readIops).withSpareNodes(spare);
  }

  /** The memory limit follows the heap, unless set afterwards. */
  public LabConfig withHeap(Bytes value) {
    return with(name, nodes, value, isolate, profile, cpus, null, readIops);
  }

  public LabConfig withIsolate(Isolate value) {
    return with(name, nodes, heap, value, profile, cpus, memoryLimit, readIops);
  }

  public LabConfig withProfile(Profile value) {
    return with(name, nodes, heap, isolate, value, cpus, memoryLimit, readIops);
  }

  /** The limits of an isolated node. */
  public LabConfig withLimits(double cores, Bytes memory, int iops) {
    return with(name, nodes, heap, isolate, profile, cores, memory, iops);
  }

  public LabConfig withSpareNodes(int value) {
    return with(value, site, memoryLimit, bucketCache, bucketCacheEngine);
  }

  public LabConfig withSite(Map<String, String> value) {
    return with(spareNodes, value, memoryLimit, bucketCache, bucketCacheEngine);
  }

  /**
   * One in a file; none: zero bytes. The memory limit follows the bucket cache, unless set
   * afterwards.
   */
  public LabConfig withBucketCache(Bytes value) {
    return with(spareNodes, site, null, value, null);
  }

  /** As {@link #withBucketCache(Bytes)}, of more than zero bytes, wherever it is kept. */
  public LabConfig withBucketCache(Bytes value, CacheEngine engine) {
    return with(spareNodes, site, null, value, engine);
  }

  /** Whether RegionServers have bucket caches that are files. */
  public boolean cachesInFiles() {
    return bucketCache != null && bucketCacheEngine.inFile();
  }

  /** What a RegionServer's bucket cache takes of its process's direct memory, bytes. */
  public long cacheOffHeapBytes() {
    return bucketCache == null || cachesInFiles() ? 0 : bucketCache.value();
  }

  /**
   * The same as a Cassandra cluster; heap and memory limit are Cassandra's, unless set afterwards.
   */
  public LabConfig withCassandra(CassandraSettings value) {
    return new LabConfig(
        name,
        nodes,
        spareNodes,
        null,
        isolate,
        profile,
        cpus,
        null,
        readIops,
        plugin,
        site,
        value,
        null,
        null,
        secure,
        null);
  }

  public LabConfig withSecure(boolean value) {
    return secured(value, value && tls);
  }

  /** Of an HBase lab that is secure. */
  public LabConfig withTls(boolean value) {
    return secured(secure, value);
  }

  private LabConfig secured(boolean kerberos, boolean encrypted) {
    return new LabConfig(
        name,
        nodes,
        spareNodes,
        heap,
        isolate,
        profile,
        cpus,
        memoryLimit,
        readIops,
        plugin,
        site,
        cassandra,
        bucketCache,
        bucketCacheEngine,
        kerberos,
        encrypted);
  }

  private LabConfig with(
      String otherName,
      Integer otherNodes,
      Bytes otherHeap,
      Isolate otherIsolate,
      Profile otherProfile,
      Double otherCpus,
      Bytes otherLimit,
      Integer otherIops) {
    return new LabConfig(
        otherName,
        otherNodes,
        spareNodes,
        otherHeap,
        otherIsolate,
        otherProfile,
        otherCpus,
        otherLimit,
        otherIops,
        plugin,
        site,
        cassandra,
        bucketCache,
        bucketCacheEngine,
        secure,
        tls);
  }

  private LabConfig with(
      Integer otherSpare,
      Map<String, String> otherSite,
      Bytes otherLimit,
      Bytes otherBucketCache,
      CacheEngine otherEngine) {
    return new LabConfig(
        name,
        nodes,
        otherSpare,
        heap,
        isolate,
        profile,
        cpus,
        otherLimit,
        readIops,
        plugin,
        otherSite,
        cassandra,
        otherBucketCache,
        otherEngine,
        secure,
        tls);
  }
}

package io.trimtab.lab.setup;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.Bytes;
import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.process.CassandraCommand;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the configuration folder of every Cassandra node. */
public final class CassandraFiles {
  private static final int SEEDS = 3;
  private static final int CONCURRENT_WRITES = 8;

  /** Of the heap, of a node without a profile of its own. */
  private static final double MEMTABLE_SHARE = 0.2;

  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger FIRST = BigInteger.valueOf(Long.MIN_VALUE);

  private final LabDir dir;
  private final LabState state;

  public CassandraFiles(LabDir dir, LabState state) {
    this.dir = dir;
    this.state = state;
  }

  public void write(LabState.Node node) {
    Path conf = dir.conf(node.cassandra());
    try {
      Files.createDirectories(conf);
      Files.createDirectories(dir.data(node.cassandra()));
      Files.createDirectories(dir.tmp(node.cassandra()));
      Path yaml = conf.resolve("cassandra.yaml");
      if (state.config().secure()) {
        // It has the password of the keys.
        PrivateFiles.replace(yaml, yaml(node).getBytes(StandardCharsets.UTF_8));
      } else {
        Files.writeString(yaml, yaml(node));
      }
      Files.writeString(
          conf.resolve("cassandra-rackdc.properties"),
          "dc=%s\nrack=%s\n"
              .formatted(
                  state.config().cassandra().datacenter(node.index()),
                  state.config().cassandra().rack(node.index())));
      Files.writeString(conf.resolve("logback.xml"), SiteFiles.logback(dir.log(node.cassandra())));
    } catch (IOException e) {
      throw new UserError(conf + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  private String yaml(LabState.Node node) {
    StringBuilder text = new StringBuilder();
    keys(node).forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    text.append("seed_provider:\n");
    text.append("  - class_name: org.apache.cassandra.locator.SimpleSeedProvider\n");
    text.append("    parameters:\n");
    text.append("      - seeds: \"").append(seeds(node)).append("\"\n");
    text.append("data_file_directories:\n  - ");
    text.append(dir.data(node.cassandra()).resolve("data")).append('\n');
    return text.toString();
  }

  private Map<String, String> keys(LabState.Node node) {
    LabSlot slot = state.addresses();
    CassandraSettings settings = state.config().cassandra();
    Path data = dir.data(node.cassandra());
    Map<String, String> keys = new TreeMap<>();
    keys.put("cluster_name", "trimtab " + state.config().name());
    keys.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    int chosen = node.tokens().size();
    keys.put("num_tokens", Integer.toString(chosen > 0 ? chosen : settings.tokens()));
    if (node.index() <= state.config().nodes()) {
      // A new cluster has nothing to stream. Its nodes start at once, and would choose the same.
      keys.put("initial_token", tokens(node.index() - 1));
      keys.put("auto_bootstrap", "false");
    } else if (chosen > 0) {
      keys.put(
          "initial_token",
          node.tokens().stream().map(Object::toString).collect(Collectors.joining(",")));
    } else {
      keys.put("allocate_tokens_for_local_replication_factor", copies(state.config()) + "");
    }
    if (settings.ranking() != null) {
      keys.put("dynamic_snitch", "false");
    }
    keys.put("listen_address", slot.node(node.index()));
    keys.put("rpc_address", slot.node(node.index()));
    keys.put("storage_port", Integer.toString(slot.storagePort()));
    keys.put("native_transport_port", Integer.toString(slot.cqlPort()));
    keys.put("commitlog_directory", data.resolve("commitlog").toString());
    keys.put("saved_caches_directory", data.resolve("saved_caches").toString());
    keys.put("hints_directory", data.resolve("hints").toString());
    keys.put("commitlog_sync", "periodic");
    keys.put("commitlog_sync_period", "10000ms");
    // Its segments would take eight times as much.
    keys.put("commitlog_total_space", "256MiB");
    keys.put("commitlog_segment_size", "16MiB");
    // Mapped files would escape the limit on what a node may hold of the page cache.
    keys.put("disk_access_mode", "standard");
    Profile profile = node.profile();
    boolean own = profile.sameMemory(Profile.HOMOGENEOUS);
    long heap = state.config().heap().value();
    double cache = profile.cacheFraction() * heap;
    keys.put(
        "row_cache_size",
        own ? mebibytes(settings.rowCache()) : mebibytes(new Bytes((long) cache)));
    keys.put("key_cache_size", mebibytes(settings.keyCache()));
    double memtables = own ? MEMTABLE_SHARE : profile.memstoreFraction();
    keys.put("memtable_heap_space", mebibytes(new Bytes((long) (memtables * heap))));
    keys.put("memtable_offheap_space", "16MiB");
    keys.put("networking_cache_size", "16MiB");
    keys.put("file_cache_size", "32MiB");
    int threads = settings.concurrentReads() + CONCURRENT_WRITES;
    int readers = own ? settings.concurrentReads() : CassandraEngine.readers(profile, threads);
    keys.put("concurrent_reads", Integer.toString(readers));
    keys.put("concurrent_writes", Integer.toString(threads - readers));
    keys.put("native_transport_max_threads", "32");
    keys.put("concurrent_compactors", "1");
    keys.put("compaction_throughput", "32MiB/s");
    keys.put("auto_snapshot", "false");
    return asItsVersionHasThem(keys);
  }

  /** With what a secure lab and its settings add. */
  private Map<String, String> asItsVersionHasThem(Map<String, String> keys) {
    String version = CassandraCommand.version();
    if (state.config().secure()) {
      if (version.startsWith("4.")) {
        throw new UserError("secure: not for a lab of Cassandra " + version);
      }
      keys.putAll(new CassandraKeys(dir, state).settings());
    }
    Map<String, String> all = new TreeMap<>(YamlKeys.of(keys, version));
    // A testbed's own are among them, and no key of an older release has a unit in its value.
    all.putAll(YamlKeys.of(state.config().site(), version));
    boolean ranks = state.config().cassandra().ranking() != null;
    all.put(LabConfig.SNITCH, ranks ? CassandraSettings.RANKING_SNITCH : state.config().snitch());
    return all;
  }

  /** More copies than nodes can't be kept. */
  public static int copies(LabConfig config) {
    return Math.min(config.cassandra().replication(), config.nodes());
  }

  private static String mebibytes(Bytes size) {
    return (size.value() >> 20) + "MiB";
  }

  /** Evenly round the ring, the nodes in turn. */
  private String tokens(int node) {
    int each = state.config().cassandra().tokens();
    int nodes = state.config().nodes();
    BigInteger step = RING.divide(BigInteger.valueOf((long) each * nodes));
    return IntStream.range(0, each)
        .mapToObj(i -> FIRST.add(step.multiply(BigInteger.valueOf((long) i * nodes + node))))
        .map(BigInteger::toString)
        .collect(Collectors.joining(","));
  }

  /** A node that counts itself a seed would not fetch its share of the data. */
  private String seeds(LabState.Node node) {
    LabSlot slot = state.addresses();
    boolean first = node.equals(state.nodes().get(0));
    List<LabState.Node> others =
        state.nodes().stream().filter(n -> n.index() != node.index()).toList();
    List<LabState.Node> seeds =
        first && node.index() <= state.config().nodes() ? List.of(node) : others;
    return seeds.stream()
        .limit(SEEDS)
        .map(n -> slot.node(n.index()) + ":" + slot.storagePort())
        .collect(Collectors.joining(","));
  }
}

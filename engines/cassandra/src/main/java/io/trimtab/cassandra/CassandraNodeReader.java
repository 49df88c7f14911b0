package io.trimtab.cassandra;

import io.trimtab.cassandra.maintenance.NodeWork;
import io.trimtab.cassandra.times.RecentTimes;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.DiskWait;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.UsageReading;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.host.Clocks;
import io.trimtab.host.LocalDisks;
import io.trimtab.host.LocalProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads single nodes: JMX, and the kernel for those of this machine. Thread-safe. */
final class CassandraNodeReader {
  private static final Logger LOG = LoggerFactory.getLogger(CassandraNodeReader.class);
  private static final String METRICS = "org.apache.cassandra.metrics:";
  static final String ROW_CACHE = METRICS + "type=Cache,scope=RowCache,name=";
  static final String RUNTIME = "java.lang:type=Runtime";
  private static final String SYSTEM = "java.lang:type=OperatingSystem";
  private static final Path PROC = Path.of("/proc");

  /** Long enough for Linux's hundredths of a second to say something. */
  private static final Duration FIRST_INTERVAL = Duration.ofSeconds(1);

  /** Cassandra compresses, and reads, chunks of this size unless a table says otherwise. */
  private static final int CHUNK_BYTES = 16 << 10;

  private final MemtableSpace memtables;
  private final Clocks clocks;
  private final RecentTimes times = new RecentTimes();

  CassandraNodeReader(MemtableSpace memtables, Clocks clocks) {
    this.memtables = memtables;
    this.clocks = clocks;
  }

  /**
   * What was read of a node.
   *
   * @param startedAtMs its process, in ms since 1970
   * @param tables its share of each table
   * @param gaps what could not be read of them, a sentence each
   * @param maintenance what it does beside serving
   */
  record JmxSample(
      long startedAtMs,
      NodeGauges gauges,
      NodeUsage usage,
      List<PartitionState> tables,
      Map<NodeSetting, Integer> settings,
      List<String> gaps,
      List<String> maintenance) {}

  /** Forgets nodes that are gone. */
  void keep(Collection<NodeId> present) {
    memtables.keep(present);
    times.keep(present);
  }

  /** Reads a node; takes a second longer the first time. */
  JmxSample read(Member member, NodeJmx jmx, UsageReadings since) throws IOException {
    long started = jmx.number(RUNTIME, "StartTime");
    Optional<LocalProcess> local = local(jmx, member.host(), started);
    List<String> gaps = new ArrayList<>();
    List<PartitionState> tables = tables(member.id(), jmx, gaps);
    return new JmxSample(
        started,
        gauges(member, started, jmx, local),
        usage(member.id(), started, jmx, local, since),
        tables,
        NodeSettings.read(jmx),
        gaps,
        maintenance(jmx));
  }

  /** Nothing where this user may not see it: then its load alone tells of it. */
  private static List<String> maintenance(NodeJmx jmx) throws IOException {
    return NodeWork.of(
        jmx.list(NodeWork.COMPACTIONS, "Compactions").orElse(List.of()),
        jmx.list(NodeFigures.STREAMS, "CurrentStreams").orElse(List.of()),
        repairs(jmx));
  }

  private static long repairs(NodeJmx jmx) throws IOException {
    try {
      return jmx.told(NodeWork.REPAIRS, NodeWork.REPAIRS_COUNT).orElse(null) instanceof Number n
          ? n.longValue()
          : 0;
    } catch (NodeJmx.BeanFailedException e) {
      return 0;
    }
  }

  private static Optional<LocalProcess> local(NodeJmx jmx, String host, long startedAtMs)
      throws IOException {
    return LocalProcess.find(PROC, host, jmx.number(RUNTIME, "Pid"), startedAtMs);
  }

  /**
   * Bytes of memory that a node can have in addition at most; −1 if unknown. On this machine what
   * Linux says is available, since the pages of files that it caches are free for programs. JMX
   * tells no such figure, and its "free" memory lacks these pages: of another machine only what
   * heap and row cache leave of its memory is known, which is more.
   *
   * @param heapMaxBytes what its heap may take
   * @param cachedBytes what its row cache takes now
   */
  static long freeMemory(NodeJmx jmx, long heapMaxBytes, long cachedBytes) throws IOException {
    long total = jmx.number(SYSTEM, "TotalPhysicalMemorySize");
    long rest = total < 0 ? -1 : Math.max(0, total - heapMaxBytes - cachedBytes);
    Optional<LocalProcess> local = local(jmx, jmx.host(), jmx.number(RUNTIME, "StartTime"));
    long available = local.isPresent() ? local.get().machineAvailableBytes() : -1;
    return rest < 0 || available < 0 ? Math.max(rest, available) : Math.min(rest, available);
  }

  private NodeUsage usage(
      NodeId id, long started, NodeJmx jmx, Optional<LocalProcess> local, UsageReadings since)
      throws IOException {
    Optional<NodeUsage> usage = since.next(id, started, reading(jmx, local));
    if (usage.isPresent()) {
      return usage.get();
    }
    clocks.sleep(FIRST_INTERVAL);
    return since.next(id, started, reading(jmx, local)).orElse(NodeUsage.UNKNOWN);
  }

  /** No JVM knows its I/O wait, nor what of its CPU time was the kernel's. */
  private UsageReading reading(NodeJmx jmx, Optional<LocalProcess> local) throws IOException {
    if (local.isPresent()) {
      return local.get().usage(clocks.nowNs());
    }
    double load = ((Number) jmx.attribute(SYSTEM, "SystemLoadAverage")).doubleValue();
    double cores = Math.max(1, jmx.number(SYSTEM, "AvailableProcessors"));
    return new UsageReading(
        clocks.nowNs(),
        jmx.number(SYSTEM, "ProcessCpuTime") / 1e9,
        0,
        cores,
        DiskWait.NONE,
        load / cores,
        "jvm");
  }

  /** What the JVM may take at most, in bytes. */
  static long heapMax(NodeJmx jmx) throws IOException {
    CompositeData heap = (CompositeData) jmx.attribute("java.lang:type=Memory", "HeapMemoryUsage");
    return ((Number) heap.get("max")).longValue();
  }

  private NodeGauges gauges(
      Member member, long startedAtMs, NodeJmx jmx, Optional<LocalProcess> local)
      throws IOException {
    CompositeData heap = (CompositeData) jmx.attribute("java.lang:type=Memory", "HeapMemoryUsage");
    CompositeData other =
        (CompositeData) jmx.attribute("java.lang:type=Memory", "NonHeapMemoryUsage");
    long used = ((Number) heap.get("used")).longValue();
    long most = ((Number) heap.get("max")).longValue();
    long hits = jmx.number(ROW_CACHE + "Hits", "Count");
    long asked = jmx.number(ROW_CACHE + "Requests", "Count");
    long pendingFlushes =
        jmx.number(
            METRICS + "type=ThreadPools,path=internal,scope=MemtableFlushWriter,name=PendingTasks",
            "Value");
    return new NodeGauges(
        local.isPresent()
            ? local.get().memoryBytes()
            : used + ((Number) other.get("used")).longValue(),
        used,
        most,
        hits,
        asked < 0 ? -1 : asked - hits,
        jmx.number(ROW_CACHE + "Size", "Value"),
        jmx.number(ROW_CACHE + "Capacity", "Value"),
        jmx.number(METRICS + "type=Table,name=AllMemtablesHeapSize", "Value"),
        memtables.bytes(member, startedAtMs, most),
        jmx.number(METRICS + "type=Compaction,name=PendingTasks", "Value"),
        pendingFlushes,
        garbage(jmx),
        NodeFigures.read(jmx),
        disk(jmx, local),
        NodeFigures.times(member.id(), startedAtMs, jmx, times),
        false);
  }

  /** Cassandra tells what it stores; the capacity only the file systems of this machine do. */
  private static DiskSpace disk(NodeJmx jmx, Optional<LocalProcess> local) throws IOException {
    long stored = jmx.number(METRICS + "type=Storage,name=Load", "Count");
    if (local.isPresent()) {
      try {
        String[] folders = (String[]) jmx.attribute(StorageService.BEAN, "AllDataFileLocations");
        return LocalDisks.of(Arrays.stream(folders).map(Path::of).toList(), stored);
      } catch (IOException e) {
        // Folders of a container, or of another user: unknown, as those of another machine.
        LOG.debug("The data folders of {} can't be asked for their size", jmx.address(), e);
      }
    }
    return new DiskSpace(-1, -1, stored);
  }

  private static long garbage(NodeJmx jmx) throws IOException {
    long ms = 0;
    for (ObjectName collector : jmx.names("java.lang:type=GarbageCollector,name=*")) {
      ms += Math.max(0, jmx.number(collector.getCanonicalName(), "CollectionTime"));
    }
    return ms;
  }

  /**
   * Requests as this node served them as a replica, not as a coordinator. A figure that is missing
   * is a gap, not zero.
   */
  static List<PartitionState> tables(NodeId id, NodeJmx jmx, List<String> gaps) throws IOException {
    List<PartitionState> tables = new ArrayList<>();
    for (ObjectName bean : jmx.names(METRICS + "type=Table,keyspace=*,scope=*,name=ReadLatency")) {
      String keyspace = bean.getKeyProperty("keyspace");
      String table = bean.getKeyProperty("scope");
      if (Keyspaces.isUsers(keyspace)) {
        String prefix = METRICS + "type=Table,keyspace=" + keyspace + ",scope=" + table + ",name=";
        long reads = jmx.number(prefix + "ReadLatency", "Count");
        // Of a range read each replica counts every page of every range that it is asked for.
        long scanCalls = jmx.number(prefix + "RangeLatency", "Count");
        long writes = jmx.number(prefix + "WriteLatency", "Count");
        long bytes = jmx.number(prefix + "LiveDiskSpaceUsed", "Count");
        boolean counted = reads >= 0 && scanCalls >= 0 && writes >= 0;
        if (!counted || bytes < 0) {
          gaps.add(
              "node %s does not tell %s of table %s.%s"
                  .formatted(id, counted ? "the size" : "the requests", keyspace, table));
        }
        tables.add(
            new PartitionState(
                new PartitionId(keyspace + "." + table, id.name()),
                Optional.of(id),
                // A replica does not count the rows of its range reads.
                counted
                    ? Optional.of(new PartitionCounters(reads, scanCalls, scanCalls, writes))
                    : Optional.empty(),
                Math.max(0, bytes),
                1,
                CHUNK_BYTES,
                KeyRange.ALL));
      }
    }
    return tables;
  }
}

package io.trimtab.cassandra;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.UsageReading;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.host.Clocks;
import io.trimtab.host.LocalProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** Reads single nodes: JMX, and the kernel for those of this machine. Thread-safe. */
final class CassandraNodeReader {
  private static final String METRICS = "org.apache.cassandra.metrics:";
  static final String ROW_CACHE = METRICS + "type=Cache,scope=RowCache,name=";
  private static final String RUNTIME = "java.lang:type=Runtime";
  private static final String SYSTEM = "java.lang:type=OperatingSystem";
  private static final Path PROC = Path.of("/proc");

  /** Long enough for Linux's hundredths of a second to say something. */
  private static final Duration FIRST_INTERVAL = Duration.ofSeconds(1);

  /** Cassandra compresses, and reads, chunks of this size unless a table says otherwise. */
  private static final int CHUNK_BYTES = 16 << 10;

  private final MemtableSpace memtables;
  private final Clocks clocks;

  CassandraNodeReader(MemtableSpace memtables, Clocks clocks) {
    this.memtables = memtables;
    this.clocks = clocks;
  }

  /**
   * What was read of a node.
   *
   * @param startedAtMs its process, in ms since 1970
   * @param tables its share of each table
   */
  record JmxSample(
      long startedAtMs,
      NodeGauges gauges,
      NodeUsage usage,
      List<PartitionState> tables,
      Map<NodeSetting, Integer> settings) {}

  /** Forgets nodes that are gone. */
  void keep(Collection<NodeId> present) {
    memtables.keep(present);
  }

  /** Reads a node; takes a second longer the first time. */
  JmxSample read(Member member, NodeJmx jmx, UsageReadings since) throws IOException {
    long pid = jmx.number(RUNTIME, "Pid");
    long started = jmx.number(RUNTIME, "StartTime");
    Optional<LocalProcess> local = LocalProcess.find(PROC, member.host(), pid, started);
    List<PartitionState> tables = tables(member.id(), jmx);
    return new JmxSample(
        started,
        gauges(member, started, jmx, local),
        usage(member.id(), started, jmx, local, since),
        tables,
        NodeSettings.read(jmx));
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
    return new UsageReading(
        clocks.nowNs(),
        jmx.number(SYSTEM, "ProcessCpuTime") / 1e9,
        0,
        Math.max(1, jmx.number(SYSTEM, "AvailableProcessors")),
        0,
        load,
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
        NodeFigures.read(jmx));
  }

  private static long garbage(NodeJmx jmx) throws IOException {
    long ms = 0;
    for (ObjectName collector : jmx.names("java.lang:type=GarbageCollector,name=*")) {
      ms += Math.max(0, jmx.number(collector.getCanonicalName(), "CollectionTime"));
    }
    return ms;
  }

  /** Requests as this node served them as a replica, not as a coordinator. */
  private static List<PartitionState> tables(NodeId id, NodeJmx jmx) throws IOException {
    List<PartitionState> tables = new ArrayList<>();
    for (ObjectName bean : jmx.names(METRICS + "type=Table,keyspace=*,scope=*,name=ReadLatency")) {
      String keyspace = bean.getKeyProperty("keyspace");
      String table = bean.getKeyProperty("scope");
      if (Keyspaces.isUsers(keyspace)) {
        String prefix = METRICS + "type=Table,keyspace=" + keyspace + ",scope=" + table + ",name=";
        long scans = count(jmx, prefix + "RangeLatency");
        tables.add(
            new PartitionState(
                new PartitionId(keyspace + "." + table, id.name()),
                Optional.of(id),
                // A replica does not count the rows of its scans.
                new PartitionCounters(
                    count(jmx, prefix + "ReadLatency"),
                    scans,
                    scans,
                    count(jmx, prefix + "WriteLatency")),
                count(jmx, prefix + "LiveDiskSpaceUsed"),
                1,
                CHUNK_BYTES,
                KeyRange.ALL));
      }
    }
    return tables;
  }

  private static long count(NodeJmx jmx, String bean) throws IOException {
    return Math.max(0, jmx.number(bean, "Count"));
  }
}

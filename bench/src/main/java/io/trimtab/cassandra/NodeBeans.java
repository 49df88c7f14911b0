package io.trimtab.cassandra;

import io.trimtab.cassandra.maintenance.NodeWork;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;

/** The beans of a Cassandra 5.0 node that a snapshot reads; always the same values. */
final class NodeBeans {
  private static final String METRICS = "org.apache.cassandra.metrics:type=";
  private static final long MIB = 1 << 20;

  /** As many as Cassandra has by default. */
  private static final int BUCKETS = 90;

  private final Map<String, Bean> all = new TreeMap<>();

  /**
   * @param storage addresses of all nodes between nodes
   * @param tables of the keyspace
   */
  NodeBeans(List<String> storage, String keyspace, int tables) throws OpenDataException {
    jvm();
    caches();
    add(StorageService.BEAN, ring(storage), Map.of());
    add(NodeFigures.STREAMS, Map.of("CurrentStreams", new HashSet<>()), Map.of());
    add(NodeWork.COMPACTIONS, Map.of("Compactions", List.of()), Map.of());
    add(NodeWork.REPAIRS, Map.of(), Map.of(NodeWork.REPAIRS_COUNT, 0));
    value("Table,name=AllMemtablesHeapSize", 100 * MIB);
    value("Compaction,name=PendingTasks", 0L);
    count("Storage,name=Load", 100_000 * MIB);
    count("Storage,name=TotalHints", 0L);
    for (String request : List.of("Read", "Write", "RangeSlice")) {
      String its = "ClientRequest,scope=" + request + ",name=";
      add(
          METRICS + its + "Latency",
          Map.of("Count", 1_000_000L, "Mean", 450.0, "99thPercentile", 2_300.0),
          Map.of("values", new long[BUCKETS]));
      count(its + "Timeouts", 3L);
      count(its + "Unavailables", 0L);
      count(its + "Failures", 0L);
    }
    for (String verb : List.of("READ", "MUTATION", "RANGE_SLICE")) {
      count("DroppedMessage,scope=" + verb + ",name=Dropped", 0L);
    }
    for (String pool :
        List.of(
            "request,scope=ReadStage",
            "request,scope=MutationStage",
            "transport,scope=Native-Transport-Requests",
            "internal,scope=CompactionExecutor",
            "internal,scope=MemtableFlushWriter")) {
      value("ThreadPools,path=" + pool + ",name=ActiveTasks", 2L);
      value("ThreadPools,path=" + pool + ",name=PendingTasks", 0L);
    }
    for (int i = 0; i < tables; i++) {
      String its = "Table,keyspace=%s,scope=table%d,name=".formatted(keyspace, i);
      count(its + "ReadLatency", 500_000L);
      count(its + "RangeLatency", 1_000L);
      count(its + "WriteLatency", 400_000L);
      count(its + "LiveDiskSpaceUsed", 5_000 * MIB);
    }
  }

  private void jvm() throws OpenDataException {
    // Without a process id: of another machine.
    add("java.lang:type=Runtime", Map.of("StartTime", 1_700_000_000_000L), Map.of());
    add(
        "java.lang:type=OperatingSystem",
        Map.of(
            "SystemLoadAverage",
            1.5,
            "AvailableProcessors",
            8,
            "ProcessCpuTime",
            1_000_000_000_000L),
        Map.of());
    add(
        "java.lang:type=Memory",
        Map.of(
            "HeapMemoryUsage", memory(4_000 * MIB, 8_000 * MIB),
            "NonHeapMemoryUsage", memory(200 * MIB, -1)),
        Map.of());
    for (String collector : List.of("G1 Young Generation", "G1 Old Generation")) {
      add(
          "java.lang:type=GarbageCollector,name=" + collector,
          Map.of("CollectionTime", 5_200L),
          Map.of());
    }
  }

  private void caches() {
    for (String cache : List.of("RowCache", "KeyCache", "ChunkCache")) {
      String its = "Cache,scope=" + cache + ",name=";
      count(its + "Hits", 900_000L);
      count(its + "Requests", 1_000_000L);
      value(its + "Size", 300 * MIB);
      value(its + "Capacity", 400 * MIB);
      value(its + "Entries", 250_000L);
    }
  }

  private static Map<String, Object> ring(List<String> storage) {
    return Map.of(
        "OperationMode",
        "NORMAL",
        "LiveNodesWithPort",
        storage,
        "JoiningNodesWithPort",
        List.of(),
        "LeavingNodesWithPort",
        List.of(),
        "MovingNodesWithPort",
        List.of(),
        "CompactionThroughtputMibPerSecAsDouble",
        64.0);
  }

  private static CompositeData memory(long used, long max) throws OpenDataException {
    String[] items = {"used", "max"};
    CompositeType type =
        new CompositeType(
            "memory", "memory", items, items, new OpenType<?>[] {SimpleType.LONG, SimpleType.LONG});
    return new CompositeDataSupport(type, items, new Object[] {used, max});
  }

  private void count(String metric, long count) {
    add(METRICS + metric, Map.of("Count", count), Map.of());
  }

  private void value(String metric, long value) {
    add(METRICS + metric, Map.of("Value", value), Map.of());
  }

  private void add(String name, Map<String, Object> attributes, Map<String, Object> operations) {
    all.put(name, new Bean(attributes, operations));
  }

  /** By their names; may be registered at several servers. */
  Map<String, Bean> all() {
    return all;
  }

  /**
   * A bean that answers.
   *
   * @param operations what they return
   */
  record Bean(Map<String, Object> attributes, Map<String, Object> operations)
      implements DynamicMBean {
    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
      Object value = attributes.get(attribute);
      if (value == null) {
        throw new AttributeNotFoundException(attribute);
      }
      return value;
    }

    @Override
    public Object invoke(String operation, Object[] parameters, String[] signature)
        throws ReflectionException {
      Object value = operations.get(operation);
      if (value == null) {
        throw new ReflectionException(new NoSuchMethodException(operation));
      }
      return value;
    }

    @Override
    public void setAttribute(Attribute attribute) {
      throw new UnsupportedOperationException(attribute.getName());
    }

    @Override
    public AttributeList getAttributes(String[] names) {
      throw new UnsupportedOperationException();
    }

    @Override
    public AttributeList setAttributes(AttributeList values) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MBeanInfo getMBeanInfo() {
      return new MBeanInfo(Bean.class.getName(), "a bean", null, null, null, null);
    }
  }
}

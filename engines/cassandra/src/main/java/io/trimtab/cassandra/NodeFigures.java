package io.trimtab.cassandra;

import io.trimtab.cassandra.times.LatencyBuckets;
import io.trimtab.cassandra.times.RecentTimes;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.RequestTimes;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.openmbean.CompositeData;

/**
 * What a Cassandra node tells of itself beyond what every engine does: requests that it
 * coordinated, its other caches, its thread pools, what it dropped, hints and streams. Named as the
 * node's own metrics are.
 */
final class NodeFigures {
  /** Where a node lists its streams. */
  static final String STREAMS = "org.apache.cassandra.net:type=StreamManager";

  private static final String METRICS = "org.apache.cassandra.metrics:";
  private static final List<String> REQUESTS = List.of("Read", "Write", "RangeSlice");
  private static final List<String> CACHES = List.of("KeyCache", "ChunkCache");
  private static final List<String> POOLS =
      List.of(
          "request/ReadStage",
          "request/MutationStage",
          "transport/Native-Transport-Requests",
          "internal/CompactionExecutor",
          "internal/MemtableFlushWriter");

  /** Figures, and what they are called in a stream's state. */
  private static final Map<String, String> STREAMED =
      Map.of(
          "streams.receivedBytes", "currentRxBytes",
          "streams.toReceiveBytes", "totalRxBytes",
          "streams.sentBytes", "currentTxBytes",
          "streams.toSendBytes", "totalTxBytes");

  private static final List<String> DROPPED = List.of("READ", "MUTATION", "RANGE_SLICE");

  /** Of requests that users' clients were told have failed. */
  private static final List<String> FAILED = List.of("Timeouts", "Unavailables", "Failures");

  private NodeFigures() {}

  /**
   * How a node has served the requests that clients sent to it, at the replicas that it asked, too.
   *
   * @param startedAtMs its process
   * @param recent readings before
   */
  static RequestTimes times(NodeId node, long startedAtMs, NodeJmx jmx, RecentTimes recent)
      throws IOException {
    long[] buckets = {};
    long requests = 0;
    long refused = 0;
    for (String request : REQUESTS) {
      String bean = METRICS + "type=ClientRequest,scope=" + request + ",name=";
      buckets = LatencyBuckets.sum(buckets, jmx.numbers(bean + "Latency", "values"));
      requests += Math.max(0, jmx.number(bean + "Latency", "Count"));
      for (String failed : FAILED) {
        refused += Math.max(0, jmx.number(bean + failed, "Count"));
      }
    }
    for (String verb : DROPPED) {
      String bean = METRICS + "type=DroppedMessage,scope=" + verb + ",name=Dropped";
      refused += Math.max(0, jmx.number(bean, "Count"));
    }
    return buckets.length == 0
        ? RequestTimes.UNKNOWN
        : new RequestTimes(requests, recent.p99Ms(node, startedAtMs, buckets), refused);
  }

  /** By name, sorted; a metric that this version of Cassandra does not have is left out. */
  static Map<String, Double> read(NodeJmx jmx) throws IOException {
    Map<String, Double> figures = new TreeMap<>();
    for (String request : REQUESTS) {
      String bean = METRICS + "type=ClientRequest,scope=" + request + ",name=Latency";
      put(figures, request + ".count", jmx, bean, "Count");
      put(figures, request + ".meanMicros", jmx, bean, "Mean");
      put(figures, request + ".p99Micros", jmx, bean, "99thPercentile");
    }
    for (String cache : CACHES) {
      String bean = METRICS + "type=Cache,scope=" + cache + ",name=";
      put(figures, cache + ".hits", jmx, bean + "Hits", "Count");
      put(figures, cache + ".requests", jmx, bean + "Requests", "Count");
      put(figures, cache + ".bytes", jmx, bean + "Size", "Value");
    }
    put(
        figures,
        "RowCache.entries",
        jmx,
        METRICS + "type=Cache,scope=RowCache,name=Entries",
        "Value");
    for (String pool : POOLS) {
      String[] parts = pool.split("/", 2);
      String bean = METRICS + "type=ThreadPools,path=" + parts[0] + ",scope=" + parts[1] + ",name=";
      put(figures, parts[1] + ".active", jmx, bean + "ActiveTasks", "Value");
      put(figures, parts[1] + ".pending", jmx, bean + "PendingTasks", "Value");
    }
    for (String verb : DROPPED) {
      String bean = METRICS + "type=DroppedMessage,scope=" + verb + ",name=Dropped";
      put(figures, "dropped." + verb, jmx, bean, "Count");
    }
    put(figures, "hints", jmx, METRICS + "type=Storage,name=TotalHints", "Count");
    jmx.list(STREAMS, "CurrentStreams").ifPresent(all -> figures.putAll(streams(all)));
    return figures;
  }

  /** How many streams are under way, and how far: bytes that have come and gone, and all. */
  static Map<String, Double> streams(Collection<?> current) {
    Map<String, Double> figures = new TreeMap<>();
    figures.put("streams", (double) current.size());
    STREAMED.forEach(
        (name, item) ->
            figures.put(
                name,
                current.stream()
                    .mapToDouble(each -> ((Number) ((CompositeData) each).get(item)).doubleValue())
                    .sum()));
    return figures;
  }

  private static void put(
      Map<String, Double> figures, String name, NodeJmx jmx, String bean, String attribute)
      throws IOException {
    double value = jmx.decimal(bean, attribute);
    if (!Double.isNaN(value)) {
      figures.put(name, value);
    }
  }
}

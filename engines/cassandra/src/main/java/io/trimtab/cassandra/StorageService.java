package io.trimtab.cassandra;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.ReflectionException;
import javax.management.openmbean.CompositeData;

/** The MBean for the state of the ring, and for decommission, removal and cleanup. */
record StorageService(NodeJmx node) {
  static final String BEAN = "org.apache.cassandra.db:type=StorageService";
  private static final String STRING = String.class.getName();
  private static final Duration QUICK = Duration.ofSeconds(15);

  /** {@code STARTING, JOINING, NORMAL, LEAVING, DECOMMISSIONED, …}. */
  String mode() throws IOException {
    return String.valueOf(node.attribute(BEAN, "OperationMode"));
  }

  /** Whether it listens for CQL. */
  boolean acceptsClients() throws IOException {
    return Boolean.TRUE.equals(node.attribute(BEAN, "NativeTransportRunning"));
  }

  /** Storage addresses of the nodes that this one can reach, itself included. */
  Set<String> live() throws IOException {
    return nodes("LiveNodesWithPort");
  }

  /** Nodes that are about to join, leave or change their tokens. */
  Set<String> changing() throws IOException {
    Set<String> changing = new TreeSet<>(nodes("JoiningNodesWithPort"));
    changing.addAll(nodes("LeavingNodesWithPort"));
    changing.addAll(nodes("MovingNodesWithPort"));
    return changing;
  }

  Set<String> joining() throws IOException {
    return nodes("JoiningNodesWithPort");
  }

  private Set<String> nodes(String attribute) throws IOException {
    Set<String> nodes = new TreeSet<>();
    for (Object each : (List<?>) node.attribute(BEAN, attribute)) {
      nodes.add(String.valueOf(each));
    }
    return nodes;
  }

  /** Returns when the node has streamed everything to others and left the ring. */
  void decommission(Duration limit) throws IOException {
    node.invoke(limit, BEAN, "decommission", new Object[] {false}, "boolean");
  }

  /** Whether a decommission that has failed shows in its mode: from Cassandra 5.0 on. */
  boolean tellsFailedLeave() throws IOException {
    return node.known(BEAN, "DecommissionFailed").isPresent();
  }

  /** Takes back the node's own decommission, which has failed; only from Cassandra 6.0 on. */
  void abortDecommission() throws IOException {
    node.invoke(QUICK, BEAN, "abortDecommission", new Object[] {null}, STRING);
  }

  /** Removes a dead node from the ring; returns when the others have its data. */
  void removeNode(String hostId, Duration limit) throws IOException {
    node.invoke(limit, BEAN, "removeNode", new Object[] {hostId}, STRING);
  }

  void flush(String keyspace, Duration limit) throws IOException {
    node.invoke(
        limit,
        BEAN,
        "forceKeyspaceFlush",
        new Object[] {keyspace, new String[0]},
        STRING,
        String[].class.getName());
  }

  /** Makes one file of a table's. */
  void compact(String keyspace, String table, Duration limit) throws IOException {
    node.invoke(
        limit,
        BEAN,
        "forceKeyspaceCompaction",
        new Object[] {false, keyspace, new String[] {table}},
        "boolean",
        STRING,
        String[].class.getName());
  }

  void clearRowCache() throws IOException {
    node.invoke(QUICK, "org.apache.cassandra.db:type=Caches", "invalidateRowCache", new Object[0]);
  }

  /**
   * Which partition keys are requested, by sampler, the most frequent first; returns after so long.
   *
   * @param keys of each table
   */
  @SuppressWarnings("unchecked") // what the bean's interface says
  Map<String, List<CompositeData>> sample(
      Duration watch, int keys, List<String> samplers, Duration limit) throws IOException {
    return (Map<String, List<CompositeData>>)
        node.invoke(
            limit,
            BEAN,
            "samplePartitions",
            new Object[] {(int) watch.toMillis(), keys, keys, samplers},
            "int",
            "int",
            "int",
            List.class.getName());
  }

  /** Whether it has the operation of {@link #token}, which Cassandra 4.0 lacks. */
  boolean tellsTokens() throws IOException {
    try {
      // A key of every node's.
      Optional<Long> unused = token("system", "local", "local");
      return true;
    } catch (IOException e) {
      if (e.getCause() instanceof ReflectionException) {
        return false;
      }
      if (e.getCause() instanceof JMException || e.getCause() instanceof JMRuntimeException) {
        // It has answered, if only that it does not know the key.
        return true;
      }
      throw e;
    }
  }

  /** Where a partition key lies, in the words of the sampler; empty where the node can't tell. */
  Optional<Long> token(String keyspace, String table, String key) throws IOException {
    Object token =
        node.invoke(
            QUICK, BEAN, "getToken", new Object[] {keyspace, table, key}, STRING, STRING, STRING);
    try {
      return Optional.of(Long.valueOf(String.valueOf(token)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The most threads of a stage. */
  int threads(String stage) throws IOException {
    Object all =
        node.invoke(
            QUICK, BEAN, "getConcurrency", new Object[] {List.of(stage)}, List.class.getName());
    List<?> coreAndMost = (List<?>) ((Map<?, ?>) all).get(stage);
    return ((Number) coreAndMost.get(1)).intValue();
  }

  /** At most so many; the least stays as it is. */
  void setThreads(String stage, int most) throws IOException {
    node.invoke(
        QUICK, BEAN, "setConcurrency", new Object[] {stage, -1, most}, STRING, "int", "int");
  }

  /**
   * Rewrites the node's files of a keyspace without what it no longer owns.
   *
   * @throws IOException also if the node tells that it did not: it only returns a status then
   */
  void cleanup(String keyspace, Duration limit) throws IOException {
    Object status =
        node.invoke(
            limit,
            BEAN,
            "forceKeyspaceCleanup",
            new Object[] {keyspace, new String[0]},
            STRING,
            String[].class.getName());
    if (status instanceof Number n && n.intValue() != 0) {
      throw new IOException(
          n.intValue() == 1
              ? "it was aborted; the node's log says why"
              : "compactions that are under way could not be stopped for it (status " + n + ")");
    }
  }
}

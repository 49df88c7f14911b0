package io.trimtab.cassandra;

import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many threads nodes have for requests, which readers and writers share. A change that failed
 * half-way leaves another sum; until one succeeds, or the node is restarted, the sum of before is
 * what is parted. Thread-safe.
 */
final class NodeThreads {
  static final String READERS = "ReadStage";
  static final String WRITERS = "MutationStage";

  private final Map<NodeId, Found> found = new ConcurrentHashMap<>();

  private record Found(long started, int threads) {}

  /** Readers and writers together; remembered until {@link #parted}. */
  int of(NodeId node, NodeJmx jmx) throws IOException {
    long started = jmx.number(CassandraNodeReader.RUNTIME, "StartTime");
    Found known = found.get(node);
    if (known != null && known.started == started) {
      return known.threads;
    }
    StorageService service = new StorageService(jmx);
    int threads = service.threads(READERS) + service.threads(WRITERS);
    found.put(node, new Found(started, threads));
    return threads;
  }

  /** A change has succeeded: the node has as many as before. */
  void parted(NodeId node) {
    found.remove(node);
  }
}

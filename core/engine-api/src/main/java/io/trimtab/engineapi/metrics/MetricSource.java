package io.trimtab.engineapi.metrics;

import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;

/** Tells of the machines and processes of nodes, beside the database itself. Thread-safe. */
public interface MetricSource extends AutoCloseable {

  /** The name in settings and messages. */
  String name();

  /**
   * Readings of nodes; one of which it knows nothing is absent. Gives up within its own time limit,
   * and when its thread is interrupted.
   *
   * @param nodes that there are
   * @throws IOException naming the address, if it could not be asked
   */
  Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) throws IOException;

  @Override
  default void close() {}
}

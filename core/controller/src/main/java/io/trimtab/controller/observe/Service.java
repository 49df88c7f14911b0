package io.trimtab.controller.observe;

import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.ProvisioningTable;
import java.util.List;

/**
 * An agreement, and how it has been kept since the cluster was last changed.
 *
 * @param tenant whose it is
 * @param objective what was promised
 * @param table what clusters of such nodes can do
 * @param nodeType of the cluster's nodes
 * @param checks what clients said, the oldest first
 */
public record Service(
    String tenant,
    Objective objective,
    ProvisioningTable table,
    String nodeType,
    List<Check> checks) {

  /**
   * What all clients together said at one moment.
   *
   * @param clients that ask at the same time
   * @param responseTimeMs mean over the clients
   * @param p95Ms 95th percentile, mean over the clients; NaN where they do not say
   * @param p99Ms 99th percentile, mean over the clients; NaN where they do not say
   * @param throughputMBps of all
   * @param cacheUsedBytes of all nodes; −1 if the engine does not report it
   * @param cacheMaxBytes of all nodes; −1 if the engine does not report it
   */
  public record Check(
      int clients,
      double responseTimeMs,
      double p95Ms,
      double p99Ms,
      double throughputMBps,
      long cacheUsedBytes,
      long cacheMaxBytes) {}

  public Service {
    checks = List.copyOf(checks);
  }
}

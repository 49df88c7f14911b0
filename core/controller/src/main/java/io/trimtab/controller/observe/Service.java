package io.trimtab.controller.observe;

import io.trimtab.models.capacity.Latency;
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
 * @param morePaid whether clients above the agreed number have a price, and so get nodes
 */
public record Service(
    String tenant,
    Objective objective,
    ProvisioningTable table,
    String nodeType,
    List<Check> checks,
    boolean morePaid) {

  /** What a percentile of several clients is. */
  public enum Basis {
    /** Of all clients' requests together: their histograms were merged. */
    ALL_REQUESTS("of all requests"),
    /** Clients sent numbers, which can't be merged: the greatest, so never too low. */
    GREATEST("the greatest that a client reports");

    private final String title;

    Basis(String title) {
      this.title = title;
    }

    /** To follow a percentile. */
    public String title() {
      return title;
    }
  }

  /**
   * Percentiles of the response times of all clients.
   *
   * @param p95Ms 95th percentile; NaN unless all clients report it, or if there was no request
   * @param p99Ms 99th percentile; NaN unless all clients report it, or if there was no request
   */
  public record Percentiles(double p95Ms, double p99Ms, Basis basis) {
    /** No client reports any. */
    public static final Percentiles UNKNOWN =
        new Percentiles(Double.NaN, Double.NaN, Basis.GREATEST);

    /** Whether all clients sent their histograms, and these have no request. */
    public boolean idle() {
      return basis == Basis.ALL_REQUESTS && Double.isNaN(p95Ms) && Double.isNaN(p99Ms);
    }
  }

  /**
   * What all clients together said at one moment.
   *
   * @param clients that ask at the same time
   * @param responseTimeMs mean over the clients
   * @param percentiles of the response times
   * @param throughputMBps of all
   * @param cacheUsedBytes of all nodes; −1 if the engine does not report it
   * @param cacheMaxBytes of all nodes; −1 if the engine does not report it
   * @param reads of all clients; unknown unless all report them apart
   * @param writes of all clients; unknown unless all report them apart
   */
  public record Check(
      int clients,
      double responseTimeMs,
      Percentiles percentiles,
      double throughputMBps,
      long cacheUsedBytes,
      long cacheMaxBytes,
      Latency reads,
      Latency writes) {
    /** Of clients that do not tell reads and writes apart. */
    public Check(
        int clients,
        double responseTimeMs,
        Percentiles percentiles,
        double throughputMBps,
        long cacheUsedBytes,
        long cacheMaxBytes) {
      this(
          clients,
          responseTimeMs,
          percentiles,
          throughputMBps,
          cacheUsedBytes,
          cacheMaxBytes,
          Latency.UNKNOWN,
          Latency.UNKNOWN);
    }
  }

  public Service {
    checks = List.copyOf(checks);
  }

  /** Without a price for clients above the agreed number. */
  public Service(
      String tenant,
      Objective objective,
      ProvisioningTable table,
      String nodeType,
      List<Check> checks) {
    this(tenant, objective, table, nodeType, checks, false);
  }
}

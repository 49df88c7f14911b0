package io.trimtab.models.capacity;

import java.util.List;

/**
 * What a tenant's clients may ask for where there are more than were agreed: short-term changes are
 * met "by either throttling the application or by expanding the set of resources" (Chalkiadaki
 * 2013, ch. 1). Pure.
 */
public final class Admission {
  private Admission() {}

  /**
   * The throughput that the nodes give the agreed number of clients according to the table, at
   * least the agreed one. It does not depend on what is asked for, so that it stays the same while
   * clients keep to it. Of the numbers of nodes in the table the next smaller one counts. Fewer
   * nodes than any of them count as too few for more clients than agreed, and give as much less of
   * what the smallest number gives: more nodes give less than in proportion more, so that these can
   * give at least that.
   *
   * @param agreed with the agreed number of clients, for a workload of the table; limits for reads
   *     and writes apart, which tables do not tell, as those of all operations ({@link
   *     Objective#ofAll})
   * @param clients that there are
   * @param nodes that serve, ≥ 1
   * @return MB/s of all clients together; infinite if nobody has to hold back: there are not more
   *     clients than agreed, or the nodes meet the objectives for all of them
   */
  public static double megabytesPerSecond(
      ProvisioningTable table, String nodeType, Objective agreed, int clients, int nodes) {
    if (clients <= agreed.clients()) {
      return Double.POSITIVE_INFINITY;
    }
    int measured = measured(table.nodes(agreed.workload(), nodeType), nodes);
    Objective all = agreed.forClients(clients);
    if (measured <= nodes
        && all.misses(table.at(agreed.workload(), nodeType, clients, measured)).isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    double given =
        table.at(agreed.workload(), nodeType, agreed.clients(), measured).throughputMBps().value()
            * Math.min(1, (double) nodes / measured);
    double promised = agreed.throughputMBps();
    double admitted = Double.isNaN(promised) ? given : Math.max(given, promised);
    return admitted > 0 ? admitted : Double.POSITIVE_INFINITY;
  }

  /** The largest number that is not above {@code nodes}, or else the smallest. */
  private static int measured(List<Integer> ascending, int nodes) {
    return ascending.stream()
        .filter(number -> number <= nodes)
        .reduce((smaller, larger) -> larger)
        .orElse(ascending.get(0));
  }
}

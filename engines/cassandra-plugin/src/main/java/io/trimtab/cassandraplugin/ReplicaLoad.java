package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.Average;
import io.trimtab.plugincore.ranking.Told;
import java.util.function.IntSupplier;

/** What this node, as a replica, says of itself with the answer to a read. */
final class ReplicaLoad {
  private final IntSupplier queued;
  private final Average service;

  /**
   * @param queued reads that wait or run
   * @param readers how many run at a time
   */
  ReplicaLoad(IntSupplier queued, int readers) {
    this.queued = queued;
    service = Average.ofServiceTimes(readers);
  }

  /** Fills in what there is to say of a read that is about to be answered. */
  void tell(Served served, long now, Told told) {
    served.tell(now, told);
    // The one that is about to be answered is not in the way of others any more.
    told.queued = Math.max(0, queued.getAsInt() - 1);
    service.add(told.service, now);
    told.recentService = (long) service.value();
  }
}

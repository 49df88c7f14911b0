package io.trimtab.simulator.replicas;

import io.trimtab.plugincore.ranking.ScoredRanking;
import io.trimtab.plugincore.ranking.Told;

/** Knows all servers' rates and requests, those on their way too: what no coordinator can know. */
final class OracleRanking extends ScoredRanking {
  private final Server[] servers;
  private final int concurrency;
  private final double serviceNs;
  private final double diskShare;

  OracleRanking(Server[] servers, ReplicaModel model) {
    super(0);
    this.servers = servers;
    concurrency = model.concurrency();
    serviceNs = model.serviceMs() * 1e6;
    diskShare = model.disturbances().disks().share();
  }

  @Override
  protected double score(int server, long now) {
    double before = Math.max(0, servers[server].pending - concurrency + 1);
    double works = (1 + before / concurrency) / servers[server].rate();
    Disk disk = servers[server].disk;
    return disk == null ? works : works + diskShare * disk.ahead(now) / serviceNs;
  }

  /** Equals in the servers' order: it matters to nobody which of them is asked. */
  @Override
  public void order(int[] replicas, int count, long now) {
    sort(replicas, count, now);
  }

  @Override
  public void received(int replica, long now, long took, Told told) {}
}

package io.trimtab.simulator.replicas;

import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.Told;

/** Knows all servers' rates and requests, those on their way too: what no coordinator can know. */
final class OracleRanking implements ReplicaRanking {
  private final Server[] servers;
  private final int concurrency;

  OracleRanking(Server[] servers, int concurrency) {
    this.servers = servers;
    this.concurrency = concurrency;
  }

  private double expected(int server) {
    double before = Math.max(0, servers[server].pending - concurrency + 1);
    return (1 + before / concurrency) / servers[server].rate();
  }

  @Override
  public void order(int[] replicas, int count, long now) {
    for (int i = 1; i < count; i++) {
      int replica = replicas[i];
      int at = i;
      while (at > 0 && expected(replicas[at - 1]) > expected(replica)) {
        replicas[at] = replicas[at - 1];
        at--;
      }
      replicas[at] = replica;
    }
  }

  @Override
  public void sent(int replica, long now) {}

  @Override
  public void received(int replica, long now, long took, Told told) {}

  @Override
  public void lost(int replica, long now, long after) {}
}

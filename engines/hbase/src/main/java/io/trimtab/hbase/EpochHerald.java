package io.trimtab.hbase;

import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every plug-in the epoch of a new controller, so that it refuses what an earlier one still
 * sends. A courtesy, not a condition: a server that does not answer learns the epoch with the next
 * request that changes something.
 */
final class EpochHerald {
  private static final Logger LOG = LoggerFactory.getLogger(EpochHerald.class);

  /** A takeover is not kept waiting for longer; a slow server is told all the same. */
  private static final Duration WAIT = Duration.ofSeconds(2);

  private static final int AT_ONCE = 8;

  private final Cluster cluster;
  private final PluginClient plugin;

  EpochHerald(Cluster cluster, PluginClient plugin) {
    this.cluster = cluster;
    this.plugin = plugin;
  }

  /** Returns when all have been told, or after {@link #WAIT}. */
  void announce() {
    ExecutorService tellers =
        Executors.newFixedThreadPool(
            AT_ONCE,
            work -> {
              Thread thread = new Thread(work, "trimtab-epoch-herald");
              thread.setDaemon(true);
              return thread;
            });
    // The master, too, may not answer.
    tellers.execute(
        () -> {
          live().forEach(server -> tellers.execute(() -> tell(server)));
          tellers.shutdown();
        });
    try {
      if (!tellers.awaitTermination(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("not all RegionServers have answered yet that there is a new controller");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<ServerName> live() {
    try {
      return List.copyOf(cluster.admin().getRegionServers());
    } catch (IOException e) {
      LOG.info("RegionServers are not told of the new controller: {}", HBaseErrors.line(e));
      return List.of();
    }
  }

  /** By the most harmless of the requests that carry an epoch. */
  private void tell(ServerName server) {
    try {
      plugin
          .evict(server, BlockList.of(List.of()))
          .map(answer -> answer.text(Field.REFUSAL))
          .filter(refusal -> !refusal.isEmpty())
          .ifPresent(refusal -> LOG.warn("{}: {}", Cluster.node(server), refusal));
    } catch (IOException e) {
      Interrupts.in(e);
      LOG.debug("{} was not told of the new controller", server, e);
    }
  }
}

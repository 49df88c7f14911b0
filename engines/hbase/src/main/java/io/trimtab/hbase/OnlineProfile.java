package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;

/** Applies a profile's memory split through the plug-in. */
final class OnlineProfile {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** A share, in thousandths of the heap, that rounding may take away. */
  private static final double TOLERANCE = 0.001;

  private final Cluster cluster;
  private final PluginClient plugin;

  OnlineProfile(Cluster cluster, PluginClient plugin) {
    this.cluster = cluster;
    this.plugin = plugin;
  }

  /**
   * Asks until the split is in force. Memstores that hold more than their new limit are flushed
   * first; past half of the time limit the new limit is set all the same, and updates wait for the
   * flushes.
   */
  void apply(NodeId node, Profile profile, Duration limit, InCharge control)
      throws EngineException {
    long insistAtNs = cluster.clocks().nowNs() + limit.dividedBy(2).toNanos();
    HBaseErrors.RETRY
        .under(control)
        .until(
            "applying " + profile.name() + " to " + node,
            limit,
            PAUSE,
            () -> {
              boolean force = cluster.clocks().nowNs() - insistAtNs >= 0;
              return step(node, profile, force, control);
            });
  }

  private boolean step(NodeId node, Profile profile, boolean force, InCharge control)
      throws IOException, EngineException {
    ResizeRequest request =
        new ResizeRequest(profile.cacheFraction(), profile.memstoreFraction(), force);
    ServerName server = cluster.live(node);
    control.require();
    Optional<NodeReport> answer = plugin.resize(server, request);
    NodeReport report =
        answer.orElseThrow(
            () ->
                new EngineException(
                    node + " has no plug-in; see: trimtab plugin install hbase, or restart it"));
    String refusal = report.text(Field.REFUSAL);
    if (!refusal.isEmpty()) {
      throw new EngineException(node + " refuses " + profile.name() + ": " + refusal);
    }
    return !report.flag(Field.PENDING) && inForce(report, profile);
  }

  private static boolean inForce(NodeReport report, Profile profile) {
    double heap = report.number(Field.HEAP_MAX_BYTES);
    double cache = report.number(Field.CACHE_MAX_BYTES) / heap;
    double memstore = report.number(Field.MEMSTORE_MAX_BYTES) / heap;
    return Math.abs(cache - profile.cacheFraction()) < TOLERANCE
        && Math.abs(memstore - profile.memstoreFraction()) < TOLERANCE;
  }
}

package io.trimtab.hbase;

import io.trimtab.engineapi.NodeGauges;
import io.trimtab.engineapi.NodeUsage;
import io.trimtab.hbaseplugin.NodeReport;
import io.trimtab.hbaseplugin.NodeReport.Field;
import io.trimtab.host.LocalProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;

/** Reads single nodes: JMX, plug-in, kernel. Thread-safe. */
final class NodeReader {
  private static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
  private static final double MEMSTORE_UNSET = 0.4;

  /** Long enough for Linux's hundredths of a second to say something. */
  private static final long FIRST_INTERVAL_NS = 1_000_000_000L;

  private final JmxClient jmx;
  private final PluginClient plugin;
  private final UsageMeter meter = new UsageMeter(Path.of("/proc"));

  /** The memstore's share in the server's own configuration, which is read once per process. */
  private final Map<ServerName, Double> memstoreShares = new ConcurrentHashMap<>();

  NodeReader(JmxClient jmx, PluginClient plugin) {
    this.jmx = jmx;
    this.plugin = plugin;
  }

  /**
   * What was read of a node.
   *
   * @param regions its regions' counters
   * @param online whether its memory split can be changed without a restart
   */
  record Sample(NodeGauges gauges, NodeUsage usage, RegionBeans regions, boolean online) {}

  /** Forgets servers that are gone. */
  void keep(Collection<ServerName> live) {
    meter.keep(live);
    memstoreShares.keySet().retainAll(live);
  }

  /** Reads a live node; takes a second longer the first time. */
  Sample read(ServerName server, int infoPort) throws IOException {
    if (infoPort <= 0) {
      throw new IOException(
          server.getAddress() + " has no information page (hbase.regionserver.info.port)");
    }
    String address = server.getHostname() + ":" + infoPort;
    ServerBeans beans = ServerBeans.read(jmx, address);
    Optional<NodeReport> report = plugin.report(server);
    boolean online =
        report
            .map(r -> r.text(Field.NOT_RESIZABLE).isEmpty() && r.text(Field.REFUSAL).isEmpty())
            .orElse(false);
    return new Sample(
        gauges(server, address, beans, report),
        usage(server, beans, report),
        beans.regions(),
        online);
  }

  private NodeUsage usage(ServerName server, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    Optional<NodeUsage> usage = meter.usage(server, beans, report);
    if (usage.isPresent()) {
      return usage.get();
    }
    Await.sleep(FIRST_INTERVAL_NS);
    Optional<NodeReport> later = report.isPresent() ? plugin.report(server) : report;
    return meter.usage(server, beans, later).orElse(NodeUsage.UNKNOWN);
  }

  private NodeGauges gauges(
      ServerName server, String address, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    Optional<LocalProcess> local = meter.local(server, beans);
    return new NodeGauges(
        local.isPresent() ? local.get().memoryBytes() : beans.machineMemoryUsedBytes(),
        beans.heapUsedBytes(),
        beans.heapMaxBytes(),
        beans.cacheHits(),
        beans.cacheMisses(),
        plugin(report, Field.CACHE_USED_BYTES).orElse(beans.cacheUsedBytes()),
        plugin(report, Field.CACHE_MAX_BYTES).orElse(beans.cacheMaxBytes()),
        plugin(report, Field.MEMSTORE_USED_BYTES).orElse(beans.memstoreUsedBytes()),
        memstoreMaxBytes(server, address, beans, report),
        beans.compactionQueue(),
        beans.flushQueue(),
        beans.gcMillis(),
        Map.of());
  }

  /** The plug-in knows the value of now; JMX may be 10 s old. */
  private static Optional<Long> plugin(Optional<NodeReport> report, Field field) {
    return report.map(r -> r.number(field)).filter(value -> value >= 0);
  }

  private long memstoreMaxBytes(
      ServerName server, String address, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    Optional<Long> told = plugin(report, Field.MEMSTORE_MAX_BYTES);
    if (told.isPresent()) {
      return told.get();
    }
    Double share = memstoreShares.get(server);
    if (share == null) {
      String set = jmx.settings(address).getOrDefault(MEMSTORE, "");
      share = set.isBlank() ? MEMSTORE_UNSET : Double.parseDouble(set);
      memstoreShares.put(server, share);
    }
    return (long) (share * beans.heapMaxBytes());
  }
}

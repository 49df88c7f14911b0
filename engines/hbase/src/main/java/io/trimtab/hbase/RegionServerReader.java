package io.trimtab.hbase;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.hbase.pages.CacheSizes;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.hbase.pages.RegionBeans;
import io.trimtab.hbase.pages.ServerBeans;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.host.Clocks;
import io.trimtab.host.LocalProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads single nodes: JMX, plug-in, kernel. Thread-safe. */
final class RegionServerReader {
  private static final Logger LOG = LoggerFactory.getLogger(RegionServerReader.class);

  private static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
  private static final double MEMSTORE_UNSET = 0.4;

  /** In the defaults that come with HBase; it starts with those of its own version only. */
  private static final String VERSION = "hbase.defaults.for.version";

  /** Long enough for Linux's hundredths of a second to say something. */
  private static final Duration FIRST_INTERVAL = Duration.ofSeconds(1);

  private final HttpJmx jmx;
  private final PluginClient plugin;
  private final Clocks clocks;
  private final UsageMeter meter;

  /** Read once per process. */
  private final Map<ServerName, OwnSettings> settings = new ConcurrentHashMap<>();

  /** Whose plug-in was said to be outdated. */
  private final Set<ServerName> outdated = ConcurrentHashMap.newKeySet();

  /** Those that could not be read when they were looked at last. */
  private final Set<ServerName> silent = ConcurrentHashMap.newKeySet();

  /**
   * What a server's own configuration says.
   *
   * @param memstoreShare of the heap
   * @param version of its HBase: during a rolling upgrade servers have different ones
   */
  private record OwnSettings(double memstoreShare, String version) {}

  RegionServerReader(HttpJmx jmx, PluginClient plugin, Clocks clocks) {
    this.jmx = jmx;
    this.plugin = plugin;
    this.clocks = clocks;
    this.meter = new UsageMeter(Path.of("/proc"), clocks);
  }

  /**
   * What was read of a node.
   *
   * @param regions its regions' counters
   * @param heapCacheMaxBytes the most that its block cache may hold on the heap; -1 if unknown, or
   *     if no profile is to be concluded from it
   * @param online whether its memory split can be changed without a restart
   */
  record MetricsSample(
      NodeGauges gauges,
      NodeUsage usage,
      RegionBeans regions,
      long heapCacheMaxBytes,
      boolean online) {}

  /** Forgets servers that are gone. */
  void keep(Collection<ServerName> live) {
    settings.keySet().retainAll(live);
    outdated.retainAll(live);
    silent.retainAll(live);
  }

  /** Whether a server could not be read when it was looked at last. */
  boolean silent(ServerName server) {
    return silent.contains(server);
  }

  /** It has not answered in time, or was not even asked, since others kept all readers waiting. */
  void gaveUp(ServerName server) {
    silent.add(server);
  }

  /**
   * Reads a live node; takes a second longer the first time that usage is requested.
   *
   * @param since readings since which usage is computed; empty for none
   */
  MetricsSample read(ServerName server, int infoPort, Optional<UsageReadings> since)
      throws IOException {
    try {
      MetricsSample sample = ask(server, infoPort, since);
      silent.remove(server);
      return sample;
    } catch (IOException | RuntimeException e) {
      silent.add(server);
      throw e;
    }
  }

  private MetricsSample ask(ServerName server, int infoPort, Optional<UsageReadings> since)
      throws IOException {
    if (infoPort <= 0) {
      throw new IOException(
          server.getAddress() + " has no information page (hbase.regionserver.info.port)");
    }
    String address = server.getHostname() + ":" + infoPort;
    ServerBeans beans = ServerBeans.read(jmx, clocks, address);
    Optional<NodeReport> report = plugin.report(server);
    boolean online =
        report
            .map(r -> r.text(Field.NOT_RESIZABLE).isEmpty() && r.text(Field.REFUSAL).isEmpty())
            .orElse(false);
    CacheSizes cache = CacheSizes.of(beans, report);
    NodeGauges gauges = gauges(server, address, beans, report, cache);
    return new MetricsSample(
        cache.beside() ? gauges.besideHeap() : gauges,
        since.isPresent() ? usage(server, beans, report, since.get()) : NodeUsage.UNKNOWN,
        beans.regions(),
        isOutdated(server, report) ? -1 : cache.heapMax(),
        online);
  }

  /**
   * Whether its plug-in is. Its memory split then counts as unknown: a plan would otherwise restart
   * the server to change what a plug-in of now changes online.
   */
  private boolean isOutdated(ServerName server, Optional<NodeReport> report) {
    Optional<String> why = report.flatMap(PluginInstall::outdated);
    if (why.isPresent() && outdated.add(server)) {
      LOG.warn("{}: {}; until then no plan changes its profile", Cluster.node(server), why.get());
    }
    return why.isPresent();
  }

  private NodeUsage usage(
      ServerName server, ServerBeans beans, Optional<NodeReport> report, UsageReadings since)
      throws IOException {
    NodeId node = Cluster.node(server);
    Optional<NodeUsage> usage =
        since.next(node, server.getStartcode(), meter.read(server, beans, report));
    if (usage.isPresent()) {
      return usage.get();
    }
    clocks.sleep(FIRST_INTERVAL);
    Optional<NodeReport> later = report.isPresent() ? plugin.report(server) : report;
    return since
        .next(node, server.getStartcode(), meter.read(server, beans, later))
        .orElse(NodeUsage.UNKNOWN);
  }

  private NodeGauges gauges(
      ServerName server,
      String address,
      ServerBeans beans,
      Optional<NodeReport> report,
      CacheSizes cache)
      throws IOException {
    Optional<LocalProcess> local = meter.local(server, beans);
    return new NodeGauges(
            local.isPresent() ? local.get().memoryBytes() : beans.machineMemoryUsedBytes(),
            beans.heapUsedBytes(),
            beans.heapMaxBytes(),
            beans.cacheHits(),
            beans.cacheMisses(beans.hasBucketCache() ? own(server, address).version() : ""),
            cache.used(),
            cache.max(),
            plugin(report, Field.MEMSTORE_USED_BYTES).orElse(beans.memstoreUsedBytes()),
            memstoreMaxBytes(server, address, beans, report),
            beans.compactionQueue(),
            beans.flushQueue(),
            beans.gcMillis(),
            cache.own())
        .with(beans.requestTimes());
  }

  /** The plug-in knows the value of now; JMX may be 10 s old. */
  private static Optional<Long> plugin(Optional<NodeReport> report, Field field) {
    return report.map(r -> r.number(field)).filter(value -> value >= 0);
  }

  private long memstoreMaxBytes(
      ServerName server, String address, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    Optional<Long> reported = plugin(report, Field.MEMSTORE_MAX_BYTES);
    if (reported.isPresent()) {
      return reported.get();
    }
    return (long) (own(server, address).memstoreShare() * beans.heapMaxBytes());
  }

  private OwnSettings own(ServerName server, String address) throws IOException {
    OwnSettings known = settings.get(server);
    if (known == null) {
      Map<String, String> all = jmx.settings(address);
      String share = all.getOrDefault(MEMSTORE, "");
      known =
          new OwnSettings(
              share.isBlank() ? MEMSTORE_UNSET : Double.parseDouble(share),
              all.getOrDefault(VERSION, ""));
      settings.put(server, known);
    }
    return known;
  }
}

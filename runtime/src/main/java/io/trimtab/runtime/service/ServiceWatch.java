package io.trimtab.runtime.service;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.formats.ProvisioningFile;
import io.trimtab.formats.Sla;
import io.trimtab.models.capacity.ProvisioningTable;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;

/** An agreement, its clients' reports, and the checks derived from them. Thread-safe. */
public final class ServiceWatch implements AutoCloseable {
  /** Clients report every 30 s; after two missing reports they count as disconnected. */
  static final Duration REPORT_AGE_MAX = Duration.ofSeconds(75);

  private record LastReport(ClientReport report, Instant at) {}

  private final Sla sla;
  private final ProvisioningTable table;
  private final String nodeType;
  private final int checksMax;
  private final Clock clock;
  private final Map<String, LastReport> lastReports = new ConcurrentSkipListMap<>();
  private final Deque<Service.Check> checks = new ArrayDeque<>();
  private final ReportServer server;

  private ServiceWatch(SloSettings settings, Clock clock, Executor threads) {
    Path file = Path.of(settings.sla());
    this.sla = Sla.read(file);
    this.table = ProvisioningFile.read(settings.tables().stream().map(Path::of).toList());
    this.nodeType = nodeType(file, settings);
    this.checksMax = settings.checks();
    this.clock = clock;
    this.server = ReportServer.open(settings.listen(), this::hear, threads);
  }

  /**
   * Reads the files and starts accepting reports.
   *
   * @param threads executes the requests
   * @throws UserError if a file is invalid, or the table does not contain the workload or the node
   *     type
   */
  public static ServiceWatch open(SloSettings settings, Clock clock, Executor threads) {
    return new ServiceWatch(settings, clock, threads);
  }

  private String nodeType(Path file, SloSettings settings) {
    if (!table.workloads().contains(sla.workload())) {
      throw new UserError(
          "%s: workload %s was not measured; measured: %s"
              .formatted(file, sla.workload(), String.join(", ", table.workloads())));
    }
    Set<String> types = table.nodeTypes(sla.workload());
    if (settings.nodeType() == null && types.size() == 1) {
      return types.iterator().next();
    }
    if (settings.nodeType() == null || !types.contains(settings.nodeType())) {
      throw new UserError(
          "slo.nodeType must be one of "
              + String.join(", ", types)
              + ", not "
              + settings.nodeType());
    }
    return settings.nodeType();
  }

  public int port() {
    return server.port();
  }

  void hear(ClientReport report) {
    if (report.tenant().equals(sla.name())) {
      lastReports.put(report.client(), new LastReport(report, clock.instant()));
    }
  }

  /** Adds a check, unless there are no recent reports. */
  public synchronized void check(ClusterSnapshot snapshot) {
    Instant oldest = clock.instant().minus(REPORT_AGE_MAX);
    lastReports.values().removeIf(h -> h.at().isBefore(oldest));
    List<ClientReport> reports = lastReports.values().stream().map(LastReport::report).toList();
    if (reports.isEmpty()) {
      return;
    }
    int clients = reports.stream().mapToInt(ClientReport::clients).sum();
    double ms = reports.stream().mapToDouble(r -> r.clients() * r.responseTimeMs()).sum();
    double p95 = reports.stream().mapToDouble(r -> r.clients() * r.p95Ms()).sum();
    double p99 = reports.stream().mapToDouble(r -> r.clients() * r.p99Ms()).sum();
    double rate = reports.stream().mapToDouble(ClientReport::throughputMBps).sum();
    checks.addLast(
        new Service.Check(
            clients,
            ms / clients,
            p95 / clients,
            p99 / clients,
            rate,
            CacheWarmup.used(snapshot).orElse(-1),
            CacheWarmup.most(snapshot).orElse(-1)));
    while (checks.size() > checksMax) {
      checks.removeFirst();
    }
  }

  public synchronized Service service() {
    return new Service(sla.name(), sla.toObjective(), table, nodeType, List.copyOf(checks));
  }

  /** The cluster was changed: discards reports and checks from before. */
  public synchronized void reset() {
    checks.clear();
    lastReports.clear();
  }

  @Override
  public void close() {
    server.close();
  }
}

package io.trimtab.runtime.service;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.CheckMeans;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.formats.Sla;
import io.trimtab.formats.TableChoice;
import io.trimtab.models.capacity.Admission;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.runtime.ports.MonotonicTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/** An agreement, its clients' reports, and the checks derived from them. Thread-safe. */
public final class ServiceWatch implements AutoCloseable {
  private final Sla sla;
  private final ProvisioningTable table;
  private final String nodeType;
  private final int checksMax;
  private final int nodesMax;
  private final Senders senders;
  private final Deque<Service.Check> checks = new ArrayDeque<>();
  private final ReportServer server;

  /** That were alive when the cluster was last seen; 0 before. */
  private volatile int nodes;

  /** The objective as one of all operations together, as tables have it. */
  private volatile Objective ofAll;

  private ServiceWatch(SloSettings settings, int nodesMax, MonotonicTime time, Executor threads) {
    Path file = Path.of(settings.sla());
    this.sla = Sla.read(file);
    this.ofAll = sla.toObjective().ofAll(Latency.UNKNOWN, Latency.UNKNOWN, Latency.UNKNOWN);
    this.nodesMax = Math.min(nodesMax, sla.maxNodes());
    this.table = TableChoice.of(file, sla, files(settings));
    this.nodeType = nodeType(file, settings);
    this.checksMax = settings.checks();
    this.senders = new Senders(time);
    Optional<Tokens> tokens =
        Optional.ofNullable(settings.tokens()).map(name -> Tokens.read(Path.of(name)));
    ReportDesk desk = new ReportDesk(sla.name(), tokens, senders, this::admitted);
    this.server = ReportServer.open(settings.listen(), desk, tokens.isEmpty(), threads, time);
  }

  /**
   * Reads the files and starts accepting reports.
   *
   * @param nodesMax that are added at most, for clients above the agreed number, too
   * @param time measures how long requests take, and how old reports are
   * @param threads runs the server, as one task that lasts until it is closed
   * @throws UserError if a file is invalid, no table covers the agreement or has the node type, or
   *     other machines could report without a token
   */
  public static ServiceWatch open(
      SloSettings settings, int nodesMax, MonotonicTime time, Executor threads) {
    return new ServiceWatch(settings, nodesMax, time, threads);
  }

  private static List<Path> files(SloSettings settings) {
    return settings.tables().stream().map(Path::of).toList();
  }

  private String nodeType(Path file, SloSettings settings) {
    Set<String> types = table.nodeTypes(sla.workload());
    String set = settings.nodeType();
    String names = String.join(", ", types);
    if (set == null && types.size() > 1) {
      throw new UserError(
          "slo.nodeType is missing: it must tell which nodes the cluster has, one of " + names);
    }
    if (set != null && !types.contains(set)) {
      String covers = "slo.nodeType: no table of %s nodes covers %s: ".formatted(set, file);
      throw new UserError(
          TableChoice.whyNot(sla, files(settings), set)
              .map(covers::concat)
              .orElse("slo.nodeType must be one of %s, not %s".formatted(names, set)));
    }
    return set == null ? types.iterator().next() : set;
  }

  public int port() {
    return server.port();
  }

  /** Throughput that the clients of a report may ask for, in MB/s: their share of all clients'. */
  private double admitted(ClientReport report) {
    int clients = clients();
    return admitted(clients) * report.clients() / Math.max(clients, report.clients());
  }

  /** Of all clients together; infinite while nobody has to hold back. */
  private double admitted(int clients) {
    int serving = nodes;
    // Who pays for more gets more nodes, as long as there may be more.
    boolean served = sla.clientPrice() != null && serving < nodesMax;
    return serving == 0 || served
        ? Double.POSITIVE_INFINITY
        : Admission.megabytesPerSecond(table, nodeType, ofAll, clients, serving);
  }

  private int clients() {
    return senders.connected().stream().mapToInt(ClientReport::clients).sum();
  }

  /** The clients that report at the moment, beside the agreed number. */
  public AgreedClients.Seen clientsNow() {
    int clients = clients();
    double price = sla.clientPrice() == null ? Double.NaN : sla.clientPrice();
    return new AgreedClients.Seen(sla.name(), clients, sla.clients(), price, admitted(clients));
  }

  /** Adds a check, unless there are no recent reports of all clients. */
  public synchronized void check(ClusterSnapshot snapshot) {
    nodes = snapshot.liveNodes().size();
    List<ClientReport> reports = senders.sinceChange();
    if (reports.isEmpty()) {
      return;
    }
    ReportSum sum = ReportSum.of(reports);
    checks.addLast(
        new Service.Check(
            sum.clients(),
            sum.responseTimeMs(),
            sum.percentiles(),
            sum.throughputMBps(),
            CacheWarmup.used(snapshot).orElse(-1),
            CacheWarmup.most(snapshot).orElse(-1),
            sum.reads(),
            sum.writes()));
    while (checks.size() > checksMax) {
      checks.removeFirst();
    }
    CheckMeans mean = CheckMeans.of(List.copyOf(checks));
    ofAll = sla.toObjective().ofAll(mean.all(), mean.reads(), mean.writes());
  }

  /** Mean over the clients that report at the moment; NaN if there are none. */
  public double responseTimeMs() {
    List<ClientReport> reports = senders.connected();
    return reports.isEmpty() ? Double.NaN : ReportSum.of(reports).responseTimeMs();
  }

  public synchronized Service service() {
    return new Service(sla.name(), sla.toObjective(), table, nodeType, List.copyOf(checks));
  }

  /** The cluster was changed: discards checks from before. The clients are the same. */
  public synchronized void reset() {
    checks.clear();
    senders.changed();
  }

  @Override
  public void close() {
    server.close();
  }
}

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
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.runtime.ports.MonotonicTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An agreement that a cluster keeps, its clients' reports, and the checks derived from them.
 * Thread-safe.
 */
final class Agreement {
  private final Path file;
  private final Sla sla;
  private final ProvisioningTable table;
  private final String nodeType;
  private final int checksMax;
  private final Senders senders;
  private final Deque<Service.Check> checks = new ArrayDeque<>();

  /** The objective as one of all operations together, as tables have it. */
  private volatile Objective ofAll;

  /** Reads an agreement and chooses its tables. */
  Agreement(Path file, SloSettings settings, MonotonicTime time) {
    List<Path> tables = settings.tables().stream().map(Path::of).toList();
    this.file = file;
    this.sla = Sla.read(file);
    this.ofAll = sla.toObjective().ofAll(Latency.UNKNOWN, Latency.UNKNOWN, Latency.UNKNOWN);
    this.table = TableChoice.of(file, sla, tables);
    this.nodeType = nodeType(tables, settings.nodeType());
    this.checksMax = settings.checks();
    this.senders = new Senders(time);
  }

  private String nodeType(List<Path> tables, String set) {
    Set<String> types = table.nodeTypes(sla.workload());
    String names = String.join(", ", types);
    if (set == null && types.size() > 1) {
      throw new UserError(
          "slo.nodeType is missing: it must tell which nodes the cluster has, one of " + names);
    }
    if (set != null && !types.contains(set)) {
      String covers = "slo.nodeType: no table of %s nodes covers %s: ".formatted(set, file);
      throw new UserError(
          TableChoice.whyNot(sla, tables, set)
              .map(covers::concat)
              .orElse("slo.nodeType must be one of %s, not %s".formatted(names, set)));
    }
    return set == null ? types.iterator().next() : set;
  }

  Path file() {
    return file;
  }

  String tenant() {
    return sla.name();
  }

  Senders senders() {
    return senders;
  }

  int maxNodes() {
    return sla.maxNodes();
  }

  /** Nodes that the agreed clients need according to the table; empty if it does not tell. */
  OptionalInt needs() {
    return Provisioner.fewest(table, sla.toObjective(), nodeType, Integer.MAX_VALUE).stream()
        .mapToInt(Provisioner.Choice::nodes)
        .findFirst();
  }

  /**
   * Throughput that the clients of a report may ask for, in MB/s: their share of all clients'.
   *
   * @param nodes as of {@link #clientsNow}
   */
  double admitted(ClientReport report, int nodes, boolean more) {
    int clients = clients();
    double all = admitted(clients, nodes, more);
    return all * report.clients() / Math.max(clients, report.clients());
  }

  /** Of all clients together; infinite while nobody has to hold back. */
  private double admitted(int clients, int nodes, boolean more) {
    // Who pays for more gets more nodes, as long as there may be more.
    boolean served = sla.clientPrice() != null && more;
    return nodes == 0 || served
        ? Double.POSITIVE_INFINITY
        : Admission.megabytesPerSecond(table, nodeType, ofAll, clients, nodes);
  }

  private int clients() {
    return senders.connected().stream().mapToInt(ClientReport::clients).sum();
  }

  /**
   * The clients that report at the moment, beside the agreed number.
   *
   * @param nodes that serve them; 0 before the cluster was seen
   * @param more whether nodes may still be added
   */
  AgreedClients.Seen clientsNow(int nodes, boolean more) {
    int clients = clients();
    double price = sla.clientPrice() == null ? Double.NaN : sla.clientPrice();
    double admitted = admitted(clients, nodes, more);
    return new AgreedClients.Seen(sla.name(), clients, sla.clients(), price, admitted);
  }

  /**
   * Adds a check, unless there are no recent reports of all clients. What was checked before tells
   * nothing when nobody reports any more: those clients may be gone.
   */
  synchronized void check(ClusterSnapshot snapshot) {
    if (senders.connected().isEmpty()) {
      checks.clear();
    }
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

  synchronized Service service() {
    boolean morePaid = sla.clientPrice() != null;
    return new Service(
        sla.name(), sla.toObjective(), table, nodeType, List.copyOf(checks), morePaid);
  }

  /** The cluster was changed: discards checks from before. The clients are the same. */
  synchronized void reset() {
    checks.clear();
    senders.changed();
  }
}

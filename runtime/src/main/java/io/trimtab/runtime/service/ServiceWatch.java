package io.trimtab.runtime.service;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ports.MonotonicTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

/**
 * The agreements that a cluster keeps, and the port on which their clients report. Several
 * agreements share the nodes: each counts the nodes that it needs alone according to its table, as
 * no table was measured with other clients beside its own. Thread-safe.
 */
public final class ServiceWatch implements AutoCloseable {
  private final Map<String, Agreement> agreements = new LinkedHashMap<>();

  /** Nodes that the agreed clients of the others need, by tenant. */
  private final Map<String, Integer> others = new LinkedHashMap<>();

  private final int nodesMax;

  /** Why there may be too few nodes for an agreement; a sentence without an end. */
  private final Optional<String> tooFew;

  private final ReportServer server;

  /** That were alive when the cluster was last seen; 0 before. */
  private volatile int nodes;

  private ServiceWatch(SloSettings settings, int guardMax, MonotonicTime time, Executor threads) {
    List<String> files = new ArrayList<>(List.of(settings.sla()));
    files.addAll(settings.also());
    int most = guardMax;
    String limit = "guard.maxNodes";
    for (String file : files) {
      Agreement agreement = new Agreement(Path.of(file), settings, time);
      Agreement other = agreements.put(agreement.tenant(), agreement);
      if (other != null) {
        throw new UserError(
            "%s: has the name %s, as %s has; reports could not be told apart"
                .formatted(file, agreement.tenant(), other.file()));
      }
      if (agreement.maxNodes() < most) {
        most = agreement.maxNodes();
        limit = "maxNodes of " + file;
      }
    }
    this.nodesMax = most;
    this.tooFew = agreements.size() == 1 ? tooFew(limit) : Optional.empty();
    if (agreements.size() > 1) {
      admitAll(limit);
    }
    Optional<Tokens> tokens =
        Optional.ofNullable(settings.tokens()).map(name -> Tokens.read(Path.of(name)));
    Map<String, Senders> senders = new LinkedHashMap<>();
    agreements.forEach((tenant, agreement) -> senders.put(tenant, agreement.senders()));
    ReportDesk desk = new ReportDesk(senders, tokens, this::admitted);
    this.server = ReportServer.open(settings.listen(), desk, tokens.isEmpty(), threads, time);
  }

  /**
   * Reads the files and starts accepting reports.
   *
   * @param nodesMax that are added at most, for clients above the agreed number, too
   * @param time measures how long requests take, and how old reports are
   * @param threads runs the server, as one task that lasts until it is closed
   * @throws UserError if a file is invalid, no table covers an agreement or has the node type,
   *     several agreements need more nodes than there may be, or other machines could report
   *     without a token
   */
  public static ServiceWatch open(
      SloSettings settings, int nodesMax, MonotonicTime time, Executor threads) {
    return new ServiceWatch(settings, nodesMax, time, threads);
  }

  /**
   * An agreement alone is served by all the nodes that there may be, if not as agreed: its table
   * was not measured on these nodes, and what its clients report counts.
   */
  private Optional<String> tooFew(String limit) {
    Agreement only = agreements.values().iterator().next();
    int needed = only.needs().orElse(0);
    return needed > nodesMax
        ? Optional.of(
            ("agreement %s: by its table the agreed clients need %d nodes, and there may be at"
                    + " most %d: raise %s, or agree on less")
                .formatted(only.tenant(), needed, nodesMax, limit))
        : Optional.empty();
  }

  /**
   * Several agreements are accepted only if the nodes may become enough for all of them.
   *
   * @param limit the setting that has the most that there may be
   */
  private void admitAll(String limit) {
    Map<String, Integer> needs = new LinkedHashMap<>();
    for (Agreement agreement : agreements.values()) {
      OptionalInt needed = agreement.needs();
      if (needed.isEmpty()) {
        throw new UserError(
            agreement.file()
                + ": no measured cluster is known to meet it, so that nothing tells what it leaves"
                + " to the other agreements of slo.also");
      }
      needs.put(agreement.tenant(), needed.getAsInt());
    }
    int all = needs.values().stream().mapToInt(each -> each).sum();
    if (all > nodesMax) {
      throw new UserError(
          ("slo.also: the agreements need %d nodes together (%s), and there may be at most %d:"
                  + " raise %s, or name fewer agreements")
              .formatted(all, text(needs), nodesMax, limit));
    }
    needs.forEach((tenant, own) -> others.put(tenant, all - own));
  }

  private static String text(Map<String, Integer> needs) {
    return String.join(
        ", ",
        needs.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList());
  }

  public int port() {
    return server.port();
  }

  /** Why there may be too few nodes for an agreement; a sentence without an end. */
  public Optional<String> tooFew() {
    return tooFew;
  }

  /** Throughput that the clients of a report may ask for, in MB/s; infinite if any. */
  private double admitted(ClientReport report) {
    String tenant = report.tenant();
    return agreements.get(tenant).admitted(report, serving(tenant), nodes < nodesMax);
  }

  /** Nodes that the others do not need; 0 before the cluster was seen. */
  private int serving(String tenant) {
    int seen = nodes;
    return seen == 0 ? 0 : Math.max(1, seen - others.getOrDefault(tenant, 0));
  }

  /** By agreement, the clients that report at the moment, beside the agreed number. */
  public List<AgreedClients.Seen> clientsNow() {
    return agreements.values().stream()
        .map(each -> each.clientsNow(serving(each.tenant()), nodes < nodesMax))
        .toList();
  }

  /** Adds a check to each agreement, unless there are no recent reports of all its clients. */
  public void check(ClusterSnapshot snapshot) {
    nodes = snapshot.liveNodes().size();
    agreements.values().forEach(each -> each.check(snapshot));
  }

  /** Mean over all clients that report at the moment; NaN if there are none. */
  public double responseTimeMs() {
    List<ClientReport> reports =
        agreements.values().stream().flatMap(each -> each.senders().connected().stream()).toList();
    return reports.isEmpty() ? Double.NaN : ReportSum.of(reports).responseTimeMs();
  }

  /** The agreements, in the order of the settings. */
  public List<Service> services() {
    return agreements.values().stream().map(Agreement::service).toList();
  }

  /** The cluster was changed: discards checks from before. The clients are the same. */
  public void reset() {
    agreements.values().forEach(Agreement::reset);
  }

  @Override
  public void close() {
    server.close();
  }
}

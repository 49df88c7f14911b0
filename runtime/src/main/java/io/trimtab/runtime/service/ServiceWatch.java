package io.trimtab.runtime.service;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ports.MonotonicTime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The agreements that a cluster keeps, and the port on which their clients report. Thread-safe. */
public final class ServiceWatch implements AutoCloseable {
  private final Agreements agreements;
  private final ReportServer server;

  /** That were alive when the cluster was last seen; 0 before. */
  private volatile int nodes;

  private ServiceWatch(SloSettings settings, int guardMax, MonotonicTime time, Executor threads) {
    this.agreements = new Agreements(settings, guardMax, time);
    Optional<Tokens> tokens = tokens(settings, agreements);
    Map<String, Senders> senders = new LinkedHashMap<>();
    agreements.all().forEach(each -> senders.put(each.tenant(), each.senders()));
    ReportDesk desk = new ReportDesk(senders, tokens, this::admitted);
    this.server = ReportServer.open(settings.listen(), desk, tokens.isEmpty(), threads, time);
  }

  /** Reports of a tenant without a token would all be refused, and its agreement never judged. */
  private static Optional<Tokens> tokens(SloSettings settings, Agreements agreements) {
    Optional<Tokens> tokens =
        Optional.ofNullable(settings.tokens()).map(name -> Tokens.read(Path.of(name)));
    for (Agreement agreement : agreements.all()) {
      if (tokens.isPresent() && !tokens.get().has(agreement.tenant())) {
        throw new UserError(
            "slo.tokens: %s has no token of tenant %s, whose agreement is to be kept"
                .formatted(settings.tokens(), agreement.tenant()));
      }
    }
    return tokens;
  }

  /**
   * Reads the files and starts accepting reports.
   *
   * @param nodesMax that are added at most, for clients above the agreed number, too
   * @param time measures how long requests take, and how old reports are
   * @param threads runs the server, as one task that lasts until it is closed
   * @throws UserError if a file is invalid, no table covers an agreement or has the node type,
   *     several agreements need more nodes than there may be, a tenant has no token where others
   *     have, or other machines could report without one
   */
  public static ServiceWatch open(
      SloSettings settings, int nodesMax, MonotonicTime time, Executor threads) {
    return new ServiceWatch(settings, nodesMax, time, threads);
  }

  /**
   * Reads the files as {@link #open} does, and accepts no reports.
   *
   * @return as {@link #tooFew}
   * @throws UserError as {@link #open}, but for the address
   */
  public static Optional<String> check(SloSettings settings, int nodesMax) {
    Agreements agreements = new Agreements(settings, nodesMax, () -> 0);
    tokens(settings, agreements);
    return agreements.tooFew();
  }

  public int port() {
    return server.port();
  }

  /** Why there may be too few nodes for an agreement; a sentence without an end. */
  public Optional<String> tooFew() {
    return agreements.tooFew();
  }

  /** Throughput that the clients of a report may ask for, in MB/s; infinite if any. */
  private double admitted(ClientReport report) {
    String tenant = report.tenant();
    return agreements.of(tenant).admitted(report, serving(tenant), nodes < agreements.nodesMax());
  }

  /** Nodes that the others do not need; 0 before the cluster was seen. */
  private int serving(String tenant) {
    int seen = nodes;
    return seen == 0 ? 0 : Math.max(1, seen - agreements.others(tenant));
  }

  /** By agreement, the clients that report at the moment, beside the agreed number. */
  public List<AgreedClients.Seen> clientsNow() {
    boolean mayGrow = nodes < agreements.nodesMax();
    return agreements.all().stream()
        .map(each -> each.clientsNow(serving(each.tenant()), mayGrow))
        .toList();
  }

  /** Adds a check to each agreement, unless there are no recent reports of all its clients. */
  public void check(ClusterSnapshot snapshot) {
    nodes = snapshot.liveNodes().size();
    agreements.all().forEach(each -> each.check(snapshot));
  }

  /** Mean over all clients that report at the moment; NaN if there are none. */
  public double responseTimeMs() {
    List<ClientReport> reports =
        agreements.all().stream().flatMap(each -> each.senders().connected().stream()).toList();
    return reports.isEmpty() ? Double.NaN : ReportSum.of(reports).responseTimeMs();
  }

  /** The agreements, in the order of the settings. */
  public List<Service> services() {
    return agreements.all().stream().map(Agreement::service).toList();
  }

  /** The cluster was changed: discards checks from before. The clients are the same. */
  public void reset() {
    agreements.all().forEach(Agreement::reset);
  }

  @Override
  public void close() {
    server.close();
  }
}

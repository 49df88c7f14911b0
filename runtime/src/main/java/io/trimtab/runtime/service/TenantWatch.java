package io.trimtab.runtime.service;

import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.Settings;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What is kept of tenants: clients above the agreed number, and how agreements are kept. */
public final class TenantWatch {
  private final Journal journal;
  private final boolean acts;
  private final Duration period;
  private final Consumer<String> clientsAbove;
  private final AgreementWatch agreements;
  private final Map<String, AgreedClients> clients = new TreeMap<>();

  /**
   * @param journal has what was counted so far
   * @param acts whether that is this controller's to go on with; not a dry run's, which may run
   *     beside the controller that counts
   * @param clientsAbove is told of clients above the agreed number, a sentence without an end
   * @param agreement is told of agreements that are missed or kept again, likewise
   */
  public TenantWatch(
      Settings settings,
      Journal journal,
      boolean acts,
      Consumer<String> clientsAbove,
      Consumer<String> agreement) {
    this.journal = journal;
    this.acts = acts;
    this.period = settings.observe().period();
    this.clientsAbove = clientsAbove;
    this.agreements = new AgreementWatch(settings.slo().checks(), journal, agreement);
  }

  /**
   * For the next controller: tenants with no agreement any more, who had clients above it, or whose
   * agreement was missed; none for a dry run, whose settings may be others.
   */
  public List<Entry> gone(List<AgreedClients.Seen> seen, List<Service> services, Instant now) {
    if (!acts) {
      return List.of();
    }
    List<Entry.ClientsAbove> gone = AgreedClients.gone(journal, seen, now);
    gone.forEach(entry -> clientsAbove.accept(entry.what()));
    List<Entry> all = new ArrayList<>(gone);
    all.addAll(agreements.gone(services, now));
    return all;
  }

  /** For the journal, and for the next controller; none if there is nothing new. */
  public List<Entry> observe(List<AgreedClients.Seen> seen, List<Service> services, Instant now) {
    List<Entry> news = new ArrayList<>();
    for (AgreedClients.Seen each : seen) {
      clients.computeIfAbsent(each.tenant(), this::agreed).observe(each, now).ifPresent(news::add);
    }
    news.addAll(agreements.observe(services, now));
    return news;
  }

  /** What the next controller has to go on with. */
  public List<Entry> end(Instant now) {
    List<Entry> left = new ArrayList<>();
    clients.values().forEach(each -> each.left(now).ifPresent(left::add));
    return left;
  }

  private AgreedClients agreed(String tenant) {
    return new AgreedClients(tenant, journal, acts, period, clientsAbove);
  }
}

package io.trimtab.runtime.service;

import io.trimtab.controller.agreement.Compliance;
import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.controller.observe.Service;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells once when an agreement is missed and once when it is kept again, and gives it to a journal,
 * by which further agreements are admitted or not, also by others.
 */
public final class AgreementWatch {
  /** So that the journal's figures are not those of hours ago. */
  private static final Duration RENEWED = Duration.ofMinutes(10);

  private final int checks;
  private final Journal journal;
  private final Consumer<String> told;

  /**
   * @param checks that a judgement needs, as a decision does
   * @param journal has what was judged so far
   * @param told gets a sentence without an end
   */
  public AgreementWatch(int checks, Journal journal, Consumer<String> told) {
    this.checks = checks;
    this.journal = journal;
    this.told = told;
  }

  /**
   * Judges all agreements; those of which too little is known stay as they were.
   *
   * @return for the journal, and for the next controller; none if there is nothing new
   */
  public List<Entry.AgreementSeen> observe(List<Service> services, Instant now) {
    List<Entry.AgreementSeen> news = new ArrayList<>();
    for (Service service : services) {
      Compliance.lately(service, checks)
          .flatMap(judged -> news(service, judged, now))
          .ifPresent(news::add);
    }
    return news;
  }

  /**
   * Ends what is known of agreements that were missed and that this controller does not keep. Not
   * for a dry run: the settings of the controller that acts may be others.
   */
  public List<Entry.AgreementSeen> gone(List<Service> services, Instant now) {
    List<String> kept = services.stream().map(Service::tenant).toList();
    return journal.missed().keySet().stream()
        .filter(tenant -> !kept.contains(tenant))
        .map(
            tenant ->
                new Entry.AgreementSeen(
                    now, tenant, Verdict.UNKNOWN, now, 0, 0, "", "it is kept no longer"))
        .toList();
  }

  private Optional<Entry.AgreementSeen> news(Service service, Compliance judged, Instant now) {
    String tenant = service.tenant();
    Verdict verdict = judged.verdict();
    Optional<Entry.AgreementSeen> last =
        Optional.ofNullable(journal.agreements().get(tenant))
            .filter(seen -> seen.verdict() == verdict);
    Map<String, Instant> missed = journal.missed();
    Optional<Instant> before =
        verdict == Verdict.MISSED
            ? Optional.ofNullable(missed.get(tenant))
            : last.map(Entry.AgreementSeen::since);
    tell(tenant, judged, Optional.ofNullable(missed.get(tenant)), now);
    if (last.filter(seen -> isRecent(seen.at(), now)).isPresent()) {
      return Optional.empty();
    }
    String measured =
        verdict == Verdict.MISSED
            ? String.join(", ", judged.misses()) + "; " + judged.description()
            : judged.description();
    return Optional.of(
        new Entry.AgreementSeen(
            now,
            tenant,
            verdict,
            before.filter(since -> since.isBefore(now)).orElse(now),
            judged.clients(),
            service.objective().clients(),
            String.join(", ", service.objective().targets()),
            measured));
  }

  /**
   * Whether what was told then need not be told anew. What bears a time that is still to come, as
   * after a clock that was ahead was set back, would else stay as it is until then.
   */
  static boolean isRecent(Instant at, Instant now) {
    return !at.isAfter(now) && at.plus(RENEWED).isAfter(now);
  }

  private void tell(String tenant, Compliance judged, Optional<Instant> missedSince, Instant now) {
    boolean missed = judged.verdict() == Verdict.MISSED;
    if (missed && missedSince.isEmpty()) {
      told.accept(
          "%s's agreement is missed: %s".formatted(tenant, String.join(", ", judged.misses())));
    } else if (judged.verdict() == Verdict.KEPT && missedSince.isPresent()) {
      told.accept(
          "%s's agreement is kept again, after %d min"
              .formatted(tenant, Duration.between(missedSince.get(), now).toMinutes()));
    }
  }
}

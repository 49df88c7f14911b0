package io.trimtab.runtime.service;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.observe.Service.Percentiles;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgreementWatchTest {
  private static final int CHECKS = 4;
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final ProvisioningTable TABLE =
      new ProvisioningTable(
          List.of(
              new Cell("zipf", "small", 20, 3, 7, 10, Double.NaN, Double.NaN, 1),
              new Cell("zipf", "small", 100, 3, 33, 10, Double.NaN, Double.NaN, 1)));

  private final List<String> told = new ArrayList<>();
  private Journal journal = new Journal(new MemoryJournalStore());
  private AgreementWatch watch = watch();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private AgreementWatch watch() {
    return new AgreementWatch(CHECKS, journal, told::add);
  }

  private static Service service(String tenant, double p99Limit, int checks, double ms) {
    return new Service(
        tenant,
        new Objective("zipf", 100, 40, Double.NaN, p99Limit, Double.NaN, 7),
        TABLE,
        "small",
        Collections.nCopies(checks, new Check(100, ms, Percentiles.UNKNOWN, 10, -1, -1)));
  }

  private void look(Service... services) {
    watch.gone(List.of(services), now).forEach(journal::append);
    watch.observe(List.of(services), now).forEach(journal::append);
    now = now.plus(PERIOD);
  }

  private void look(double ms) {
    look(service("shop", Double.NaN, CHECKS, ms));
  }

  /** As the next controller on whatever host begins: from what the cluster keeps. */
  private void restart() {
    JournalState known = JournalState.of(Optional.of(journal.memory()), Optional.empty());
    journal = new Journal(new MemoryJournalStore(), known);
    journal.append(new Entry.Took(now, 2, "other", "", "slo", "", "run"));
    watch = watch();
  }

  private List<Entry.AgreementSeen> entries() {
    return journal.entries().stream()
        .filter(Entry.AgreementSeen.class::isInstance)
        .map(Entry.AgreementSeen.class::cast)
        .toList();
  }

  @Test
  void aMissIsToldOnceAndItsEndOnce() {
    look(30);
    Instant missedAt = now;
    for (int i = 0; i < 10; i++) {
      look(50);
    }
    assertThat(told)
        .containsExactly("shop's agreement is missed: mean response time 50.0 ms > 40.0");
    assertThat(journal.missed()).containsEntry("shop", missedAt);
    look(30);
    look(30);
    assertThat(told).hasSize(2).last().isEqualTo("shop's agreement is kept again, after 5 min");
    assertThat(journal.missed()).isEmpty();
    assertThat(entries())
        .extracting(Entry.AgreementSeen::verdict)
        .containsExactly(Verdict.KEPT, Verdict.MISSED, Verdict.KEPT);
  }

  @Test
  void theJournalHasWhatWasPromisedAndMeasured() {
    look(50);

    assertThat(entries())
        .containsExactly(
            new Entry.AgreementSeen(
                Instant.parse("2026-01-01T00:00:00Z"),
                "shop",
                Verdict.MISSED,
                Instant.parse("2026-01-01T00:00:00Z"),
                100,
                100,
                "mean response time ≤ 40.0 ms",
                "mean response time 50.0 ms > 40.0; 100 clients, 50.0 ms, 10.0 MB/s over 4"
                    + " checks"));
    assertThat(Why.agreements(journal.entries())).containsExactlyElementsOf(entries());
    assertThat(Why.explain(journal.entries(), Clock.fixed(now, UTC)))
        .contains("Missed agreement, as of 30 s ago: shop since 2026-01-01T00:00:00Z: mean");
  }

  @Test
  void figuresAreRenewedEveryTenMinutes() {
    for (int i = 0; i <= 40; i++) {
      look(30);
    }
    assertThat(entries()).hasSize(3);
    assertThat(entries())
        .extracting(Entry.AgreementSeen::since)
        .containsOnly(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(told).isEmpty();
  }

  /** Else they would be those of a time that is still to come until it has come. */
  @Test
  void figuresAreRenewedAsSoonAsAClockThatWasAheadIsSetBack() {
    look(30);
    now = now.minus(Duration.ofHours(5));
    Instant back = now;
    look(30);
    look(30);

    assertThat(entries()).hasSize(2);
    assertThat(entries()).last().returns(back, Entry.AgreementSeen::at);
    assertThat(entries()).last().returns(back, Entry.AgreementSeen::since);
  }

  @Test
  void theNextControllerKnowsSinceWhenItIsMissed() {
    Instant missedAt = now;
    look(50);
    now = now.plus(Duration.ofHours(1));
    restart();
    look(50);

    assertThat(told).hasSize(1);
    assertThat(entries()).hasSize(1);
    assertThat(entries().get(0).since()).isEqualTo(missedAt);
    assertThat(journal.memory().missed()).containsEntry("shop", missedAt);
  }

  /** After a change, or while its clients do not report. */
  @Test
  void withTooFewChecksItStaysAsItWas() {
    look(50);
    look(service("shop", Double.NaN, CHECKS - 1, 30));

    assertThat(entries()).hasSize(1);
    assertThat(journal.missed()).containsKey("shop");
  }

  @Test
  void whatIsNotMeasuredIsNeitherKeptNorMissed() {
    look(service("shop", 60, CHECKS, 30));

    assertThat(entries()).hasSize(1);
    assertThat(entries().get(0).verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(entries().get(0).measured()).contains("not measured: p99 of all operations");
    assertThat(journal.missed()).isEmpty();
    assertThat(told).isEmpty();
  }

  /** Else a further agreement would be admitted as soon as a client does not report. */
  @Test
  void whatWasMissedIsSoUntilItIsSeenToBeKept() {
    Instant missedAt = now;
    look(50);
    look(service("shop", 60, CHECKS, 30));
    assertThat(entries()).extracting(Entry.AgreementSeen::verdict).endsWith(Verdict.UNKNOWN);
    assertThat(journal.missed()).containsEntry("shop", missedAt);
    restart();
    assertThat(journal.missed()).containsEntry("shop", missedAt);

    look(50);
    assertThat(entries()).extracting(Entry.AgreementSeen::since).endsWith(missedAt);
    look(30);
    assertThat(journal.missed()).isEmpty();
  }

  @Test
  void anAgreementThatIsKeptNoLongerHoldsNobodyOff() {
    look(service("shop", Double.NaN, CHECKS, 50), service("logs", Double.NaN, CHECKS, 50));
    assertThat(journal.missed()).containsOnlyKeys("logs", "shop");

    look(service("logs", Double.NaN, CHECKS, 50));
    assertThat(journal.missed()).containsOnlyKeys("logs");
    assertThat(journal.agreements()).containsOnlyKeys("logs");
    restart();
    look();
    assertThat(journal.missed()).isEmpty();
  }
}

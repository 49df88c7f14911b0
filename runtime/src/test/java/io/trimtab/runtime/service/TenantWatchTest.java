package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.controller.settings.Settings;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.ports.MemoryJournalStore;
import io.trimtab.runtime.service.AgreedClients.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A dry run, as {@code trimtab plan}, beside the autopilot to which the clients report. */
class TenantWatchTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Seen NOBODY = new Seen("shop", 0, 8, Double.NaN, Double.POSITIVE_INFINITY);

  private final List<String> told = new ArrayList<>();
  private final Journal journal = new Journal(new MemoryJournalStore(), known());
  private Instant now = BEGIN;

  /** Since an hour shop has four clients more than agreed, and its agreement is missed. */
  private static JournalState known() {
    Journal other = new Journal(new MemoryJournalStore());
    other.append(new Entry.ClientsAbove(BEGIN, "shop", true, 4, "shop has 12 clients"));
    other.append(
        new Entry.AgreementSeen(BEGIN, "shop", Verdict.MISSED, BEGIN, 12, 8, "", "too slow"));
    return JournalState.of(Optional.of(other.memory()), Optional.empty());
  }

  private TenantWatch watch(boolean acts) {
    return new TenantWatch(Settings.defaults(), journal, acts, told::add, told::add);
  }

  /** For longer than a silent client counts. */
  private void look(TenantWatch watch, Seen... seen) {
    for (int i = 0; i < 5; i++) {
      watch.gone(List.of(seen), List.of(), now).forEach(journal::append);
      watch.observe(List.of(seen), List.of(), now).forEach(journal::append);
      now = now.plus(Duration.ofSeconds(30));
    }
  }

  @Test
  void aDryRunToWhichNobodyReportsEndsNoCountOfTheAutopilots() {
    look(watch(false), NOBODY);

    assertThat(told).isEmpty();
    assertThat(journal.entries()).isEmpty();
  }

  /** As one without a file of settings, which names no agreement. */
  @Test
  void aDryRunWithOtherSettingsSaysNothingOfAgreementsThatItDoesNotKeep() {
    look(watch(false));

    assertThat(told).isEmpty();
    assertThat(journal.entries()).isEmpty();
    assertThat(journal.missed()).containsOnlyKeys("shop");
  }

  @Test
  void aDryRunCountsWhatItSeesItself() {
    TenantWatch watch = watch(false);
    look(watch, new Seen("shop", 10, 8, Double.NaN, Double.POSITIVE_INFINITY));
    look(watch, NOBODY);

    assertThat(told)
        .containsExactly(
            "shop has 10 clients, 2 more than agreed",
            "shop has no more clients than agreed: there were 0.08 client-hours above");
  }

  @Test
  void anAutopilotThatActsEndsWhatIsOver() {
    look(watch(true), NOBODY);
    assertThat(told)
        .containsExactly(
            "shop has no more clients than agreed: there were 4.00 client-hours above");
    assertThat(journal.clientHours()).isEmpty();
    assertThat(journal.missed()).isEmpty();
  }
}

package io.trimtab.runtime.service;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.MemoryJournalStore;
import io.trimtab.runtime.service.AgreedClients.Seen;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgreedClientsTest {
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final double FREE = Double.NaN;
  private static final double AS_THEY_LIKE = Double.POSITIVE_INFINITY;

  private final List<String> told = new ArrayList<>();
  private Journal journal = new Journal(new MemoryJournalStore());
  private AgreedClients watch = watch(PERIOD);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private AgreedClients watch(Duration period) {
    return new AgreedClients("shop", journal, period, told::add);
  }

  private void look(int clients, double price, double admitted) {
    look(clients, price, admitted, PERIOD);
  }

  private void look(int clients, double price, double admitted, Duration next) {
    Seen seen = new Seen("shop", clients, 8, price, admitted);
    watch.observe(seen, now).ifPresent(journal::append);
    now = now.plus(next);
  }

  /** As the next controller on whatever host begins: from what the cluster keeps. */
  private void restart() {
    JournalState known = JournalState.of(Optional.of(journal.memory()), Optional.empty());
    journal = new Journal(new MemoryJournalStore(), known);
    journal.append(new Entry.Took(now, 2, "other", "", "slo", "", "run"));
    watch = watch(PERIOD);
  }

  /** For longer than a silent client counts. */
  private void lookUntilItIsOver(double price) {
    for (int i = 0; i < 4; i++) {
      look(8, price, AS_THEY_LIKE);
    }
  }

  private String why() {
    return Why.explain(journal.entries(), Clock.fixed(now, UTC));
  }

  private List<Entry.ClientsAbove> entries() {
    return journal.entries().stream()
        .filter(Entry.ClientsAbove.class::isInstance)
        .map(Entry.ClientsAbove.class::cast)
        .toList();
  }

  @Test
  void moreClientsThanAgreedAreToldOnceAndOnceWhenTheyAreGone() {
    look(8, FREE, AS_THEY_LIKE);
    assertThat(told).isEmpty();
    assertThat(why()).doesNotContain("than agreed");

    look(12, FREE, 5.25);
    look(14, FREE, 5.25);
    String text = "shop has 12 clients, 4 more than agreed; asked to stay below 5.3 MB/s together";
    assertThat(told).containsExactly(text);
    assertThat(why())
        .contains("More clients than agreed, as of 1 min ago: " + text + ".")
        .contains("The setting that would change it: clients of the agreement");

    lookUntilItIsOver(FREE);
    assertThat(told)
        .hasSize(2)
        .last()
        .isEqualTo("shop has no more clients than agreed: there were 0.08 client-hours above");
    assertThat(why()).doesNotContain("than agreed");
  }

  @Test
  void clientHoursAboveArePricedAndKeptInTheJournal() {
    for (int i = 0; i < 60; i++) {
      look(12, 0.5, AS_THEY_LIKE);
    }
    assertThat(told)
        .containsExactly("shop has 12 clients, 4 more than agreed, which cost 2 an hour");
    assertThat(entries().stream().mapToDouble(Entry.ClientsAbove::clientHours).toArray())
        .as("every ten minutes")
        .containsExactly(new double[] {0, 4 / 6.0, 8 / 6.0}, within(1e-9));

    lookUntilItIsOver(0.5);
    assertThat(told).last().asString().endsWith("there were 2.00 client-hours above, which cost 1");
    assertThat(entries()).last().matches(entry -> !entry.above());
  }

  /** Of an autopilot that was restarted: its clients' reports come in again one by one. */
  @Test
  void clientsThatAreMissingForAMomentAreNotToldAsGone() {
    look(12, FREE, AS_THEY_LIKE);
    look(0, FREE, AS_THEY_LIKE);
    look(6, FREE, AS_THEY_LIKE);
    look(12, FREE, AS_THEY_LIKE);
    look(0, FREE, AS_THEY_LIKE);
    look(6, FREE, AS_THEY_LIKE);
    look(12, FREE, AS_THEY_LIKE);
    assertThat(told).hasSize(1);
  }

  @Test
  void timeInWhichNobodyCountedIsNotCharged() {
    look(12, 0.5, AS_THEY_LIKE);
    now = now.plus(Duration.ofHours(3));
    look(12, 0.5, AS_THEY_LIKE);
    lookUntilItIsOver(0.5);
    assertThat(told).last().asString().contains("0.03 client-hours");
  }

  @Test
  void timeThatTheSettingLeavesBetweenTwoLooksIsCharged() {
    Duration period = Duration.ofMinutes(20);
    watch = watch(period);
    for (int i = 0; i < 3; i++) {
      look(12, 0.5, AS_THEY_LIKE, period);
    }
    look(8, 0.5, AS_THEY_LIKE, period);
    look(8, 0.5, AS_THEY_LIKE, period);
    assertThat(told).last().asString().contains("4.00 client-hours above, which cost 2");
  }

  /** Else a controller that is killed would lose the count of hours. */
  @Test
  void theCountIsKeptAsSoonAsAClockThatWasAheadIsSetBack() {
    look(12, FREE, AS_THEY_LIKE);
    now = now.minus(Duration.ofHours(5));
    for (int i = 0; i < 21; i++) {
      look(12, FREE, AS_THEY_LIKE);
    }

    assertThat(journal.clientHours().get("shop")).isCloseTo(4 / 6.0, within(1e-9));
  }

  @Test
  void theCountGoesOnAfterARestart() {
    for (int i = 0; i < 50; i++) {
      look(12, 0.5, AS_THEY_LIKE);
    }
    watch.left(now).ifPresent(journal::append);
    restart();
    assertThat(why()).as("the new one judges for itself").doesNotContain("than agreed");
    assertThat(watch.left(now)).as("it has not looked yet").isEmpty();
    now = now.plus(Duration.ofHours(1));
    for (int i = 0; i < 10; i++) {
      look(12, 0.5, AS_THEY_LIKE);
    }
    lookUntilItIsOver(0.5);
    assertThat(told).last().asString().contains("2.00 client-hours above, which cost 1");
    restart();
    lookUntilItIsOver(0.5);
    look(12, 0.5, AS_THEY_LIKE);
    assertThat(journal.clientHours()).as("another time").containsEntry("shop", 0.0);
  }

  @Test
  void theCountOfAnAgreementThatIsKeptNoLongerEnds() {
    for (int i = 0; i < 60; i++) {
      look(12, FREE, AS_THEY_LIKE);
    }
    watch.left(now).ifPresent(journal::append);
    restart();
    Seen shop = new Seen("shop", 12, 8, FREE, AS_THEY_LIKE);
    assertThat(AgreedClients.gone(journal, List.of(shop), now)).isEmpty();

    Seen other = new Seen("logs", 12, 8, FREE, AS_THEY_LIKE);
    AgreedClients.gone(journal, List.of(other), now).forEach(journal::append);
    assertThat(journal.clientHours()).isEmpty();
    assertThat(entries())
        .last()
        .satisfies(
            ended ->
                assertThat(ended.what())
                    .isEqualTo(
                        "shop's agreement is kept no longer: there were 2.00 client-hours above"));
  }

  @Test
  void clientsThatWereGoneAtARestartAreToldAsGone() {
    for (int i = 0; i < 60; i++) {
      look(12, FREE, AS_THEY_LIKE);
    }
    watch.left(now).ifPresent(journal::append);
    restart();
    lookUntilItIsOver(FREE);
    assertThat(told).last().asString().contains("there were 2.00 client-hours above");
    assertThat(journal.clientHours()).isEmpty();
  }
}

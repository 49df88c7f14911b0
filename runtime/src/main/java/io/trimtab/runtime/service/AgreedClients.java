package io.trimtab.runtime.service;

import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells once when a tenant has more clients than were agreed, with what they cost and what they may
 * ask for, and once when that is over; keeps it in a journal, so that it can be charged.
 */
public final class AgreedClients {
  /** So that the journal's figures are not those of hours ago. */
  private static final Duration RENEWED = Duration.ofMinutes(10);

  /** Between two looks that lie further apart nobody has counted. */
  private static final Duration GAP_MAX = Duration.ofMinutes(5);

  private static final double SECONDS_PER_HOUR = 3_600;
  private static final MathContext COST_DIGITS = new MathContext(6);

  /**
   * A tenant's clients at one moment.
   *
   * @param clients that report
   * @param agreed of the agreement
   * @param price of an hour of a client above that number; NaN if there is none
   * @param admittedMBps throughput that all clients together are asked to stay below; infinite if
   *     nobody has to hold back
   */
  public record Seen(String tenant, int clients, int agreed, double price, double admittedMBps) {
    int above() {
      return Math.max(0, clients - agreed);
    }

    private String text() {
      String cost = Double.isNaN(price) ? "" : cost(above() * price) + " an hour";
      String held =
          Double.isInfinite(admittedMBps)
              ? ""
              : String.format(
                  Locale.ROOT, "; asked to stay below %.1f MB/s together", admittedMBps);
      return "%s has %d clients, %d more than agreed%s%s"
          .formatted(tenant, clients, above(), cost, held);
    }

    private String ended(double hours) {
      String cost = Double.isNaN(price) ? "" : cost(hours * price);
      return String.format(
          Locale.ROOT,
          "%s has no more clients than agreed: there were %.2f client-hours above%s",
          tenant,
          hours,
          cost);
    }

    /** Of any currency: neither a thousandth is lost, nor is a million written with an exponent. */
    private static String cost(double value) {
      BigDecimal rounded = BigDecimal.valueOf(value).round(COST_DIGITS).stripTrailingZeros();
      return ", which cost " + rounded.toPlainString();
    }
  }

  private final Journal journal;
  private final Consumer<String> told;
  private Optional<Instant> last = Optional.empty();
  private int lastAbove;
  private double hours;

  /** Since when there are no more than agreed; reports of before a plan do not count after it. */
  private Optional<Instant> below = Optional.empty();

  /**
   * @param told gets a sentence without an end
   */
  public AgreedClients(Journal journal, Consumer<String> told) {
    this.journal = journal;
    this.told = told;
  }

  /** Counts what the clients of the last look have cost until now, and processes a new look. */
  public void observe(Seen seen, Instant now) {
    Optional<Duration> passed = last.map(before -> Duration.between(before, now));
    if (passed.filter(time -> time.compareTo(GAP_MAX) <= 0 && !time.isNegative()).isPresent()) {
      hours += lastAbove * passed.get().toMillis() / 1e3 / SECONDS_PER_HOUR;
    }
    last = Optional.of(now);
    lastAbove = seen.above();
    Optional<Entry.ClientsAbove> open = journal.above();
    if (lastAbove == 0) {
      below = below.or(() -> last);
      if (open.isPresent() && below.get().plus(Senders.REPORT_AGE_MAX).isBefore(now)) {
        append(seen, now, false, seen.ended(hours));
        told.accept(seen.ended(hours));
      }
      hours = journal.above().isPresent() ? hours : 0;
      return;
    }
    below = Optional.empty();
    if (open.isEmpty()) {
      told.accept(seen.text());
    }
    if (open.filter(known -> known.at().plus(RENEWED).isAfter(now)).isEmpty()) {
      append(seen, now, true, seen.text());
    }
  }

  private void append(Seen seen, Instant now, boolean above, String what) {
    journal.append(new Entry.ClientsAbove(now, seen.tenant(), above, hours, what));
  }
}

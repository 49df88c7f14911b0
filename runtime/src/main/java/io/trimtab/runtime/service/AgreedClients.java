package io.trimtab.runtime.service;

import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells once when a tenant has more clients than were agreed, with what they cost and what they may
 * ask for, and once when that is over; gives it to a journal, so that it can be charged, also by
 * the next controller.
 */
public final class AgreedClients {
  /** Between two looks that lie further apart nobody has counted, unless it is the rule. */
  private static final Duration GAP = Duration.ofMinutes(5);

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

  private final String tenant;
  private final Journal journal;
  private final boolean acts;
  private final Duration gapMax;
  private final Consumer<String> told;

  /** Whether this one has seen more than agreed that it has not told the end of. */
  private boolean begun;

  private Optional<Instant> last = Optional.empty();
  private int lastAbove;
  private double hours;

  /** Since when there are no more than agreed; after a restart clients come in one by one. */
  private Optional<Instant> below = Optional.empty();

  /**
   * @param tenant whose clients all looks are of
   * @param journal has what was counted so far
   * @param period between two looks, if none is left out
   * @param told gets a sentence without an end
   */
  public AgreedClients(String tenant, Journal journal, Duration period, Consumer<String> told) {
    this(tenant, journal, true, period, told);
  }

  /**
   * The same.
   *
   * @param acts whether what was counted so far is this one's to end; a dry run may run beside the
   *     controller that counts, to which the clients report
   */
  AgreedClients(
      String tenant, Journal journal, boolean acts, Duration period, Consumer<String> told) {
    this.tenant = tenant;
    this.journal = journal;
    this.acts = acts;
    this.hours = acts ? journal.clientHours().getOrDefault(tenant, 0.0) : 0;
    // A single look may be left out, or late.
    Duration two = period.multipliedBy(2);
    this.gapMax = two.compareTo(GAP) > 0 ? two : GAP;
    this.told = told;
  }

  /**
   * Counts what the clients of the last look have cost until now, and processes a new look.
   *
   * @return for the journal, and for the next controller; empty if there is nothing new
   */
  public Optional<Entry.ClientsAbove> observe(Seen seen, Instant now) {
    count(now);
    lastAbove = seen.above();
    if (lastAbove == 0) {
      below = below.or(() -> Optional.of(now));
      boolean over = below.get().plus(Senders.REPORT_AGE_MAX).isBefore(now);
      return over && (acts ? journal.clientHours().containsKey(tenant) : begun)
          ? Optional.of(ended(seen, now))
          : Optional.empty();
    }
    below = Optional.empty();
    begun = true;
    Optional<Entry.ClientsAbove> open = Optional.ofNullable(journal.above().get(tenant));
    if (open.isEmpty()) {
      told.accept(seen.text());
    }
    return open.filter(known -> AgreementWatch.isRecent(known.at(), now)).isPresent()
        ? Optional.empty()
        : Optional.of(new Entry.ClientsAbove(now, seen.tenant(), true, hours, seen.text()));
  }

  /** The count until now, for the next controller; empty if it has nothing to go on with. */
  public Optional<Entry.ClientsAbove> left(Instant now) {
    if (last.isEmpty()) {
      return Optional.empty();
    }
    count(now);
    return Optional.ofNullable(journal.above().get(tenant))
        .map(open -> new Entry.ClientsAbove(now, open.tenant(), true, hours, open.what()));
  }

  /** Ends the counts of agreements that an earlier controller has kept and this one does not. */
  public static List<Entry.ClientsAbove> gone(Journal journal, List<Seen> kept, Instant now) {
    Map<String, Double> left = journal.clientHours();
    kept.forEach(seen -> left.remove(seen.tenant()));
    return left.entrySet().stream()
        .map(
            each ->
                new Entry.ClientsAbove(
                    now,
                    each.getKey(),
                    false,
                    each.getValue(),
                    String.format(
                        Locale.ROOT,
                        "%s's agreement is kept no longer: there were %.2f client-hours above",
                        each.getKey(),
                        each.getValue())))
        .toList();
  }

  private void count(Instant now) {
    Optional<Duration> passed = last.map(before -> Duration.between(before, now));
    if (passed.filter(time -> time.compareTo(gapMax) <= 0 && !time.isNegative()).isPresent()) {
      hours += lastAbove * passed.get().toMillis() / 1e3 / SECONDS_PER_HOUR;
    }
    last = Optional.of(now);
  }

  private Entry.ClientsAbove ended(Seen seen, Instant now) {
    String what = seen.ended(hours);
    told.accept(what);
    Entry.ClientsAbove ended = new Entry.ClientsAbove(now, seen.tenant(), false, hours, what);
    hours = 0;
    begun = false;
    return ended;
  }
}

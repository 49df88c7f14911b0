package io.trimtab.workload;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What reads and scans of a tenant must find: every value as it was written, no version older than
 * what was acknowledged before, and of a scan on a database that is ordered by key every record, in
 * order. Thread-safe.
 */
final class Checks {
  /** Above, an order that is not that of the records' numbers would take much memory. */
  private static final int ORDERED_MAX = 10_000_000;

  private final TenantSpec spec;
  private final Keys keys;
  private final Values content;
  private final AcknowledgedWrites ledger;
  private final boolean ordered;

  /** Empty where scans are in an order that only the database knows. */
  private final Optional<Keys.Order> order;

  /**
   * @param ordered whether scans go up by key
   */
  Checks(TenantSpec spec, Values content, AcknowledgedWrites ledger, boolean ordered) {
    this.spec = spec;
    this.keys = new Keys(spec);
    this.content = content;
    this.ledger = ledger;
    this.ordered = ordered;
    this.order =
        ordered && spec.mix().scan() > 0 && (keys.asNumbers() || spec.records() <= ORDERED_MAX)
            ? Optional.of(new Keys.Order(keys, spec.records()))
            : Optional.empty();
  }

  /**
   * Something that a read or scan should not have found.
   *
   * @param lost whether something acknowledged is missing; otherwise something is there that nobody
   *     has written
   */
  record Finding(boolean lost, String what) {}

  /**
   * Loaded records that a scan is to find, with the versions that were acknowledged before it.
   *
   * @param records by key; only the first where nobody knows the others
   */
  record Expected(int[] records, int[] floors) {}

  private static Optional<Finding> lost(String what, Object... of) {
    return Optional.of(new Finding(true, String.format(Locale.ROOT, what, of)));
  }

  private static Optional<Finding> wrong(String what, Object... of) {
    return Optional.of(new Finding(false, String.format(Locale.ROOT, what, of)));
  }

  /**
   * What is wrong with a record.
   *
   * @param floor version that was acknowledged before it was read
   * @param values null if it was not found
   */
  Optional<Finding> read(int record, int floor, byte[][] values) {
    if (values == null) {
      return lost("record %d is missing", record);
    }
    for (int field = 0; field < values.length; field++) {
      long version = content.version(values[field], record, field);
      if (version < 0 || version > ledger.ceiling(record)) {
        return wrong("record %d field %d is wrong", record, field);
      }
      if (version < floor) {
        return lost("record %d has version %d, %d was acknowledged", record, version, floor);
      }
    }
    return Optional.empty();
  }

  /** What a scan that begins now is to find. */
  Expected expected(int record, int length) {
    int[] records = order.map(by -> by.from(record, length)).orElse(new int[] {record});
    return new Expected(records, Arrays.stream(records).map(ledger::floor).toArray());
  }

  /** What is wrong with a scan of so many records at most. */
  Optional<Finding> scan(Expected expected, int length, List<Target.Row> rows) {
    int first = expected.records[0];
    if (rows.isEmpty()) {
      return lost("a scan from record %d found nothing", first);
    }
    int at = 0;
    byte[] before = null;
    for (Target.Row row : rows) {
      long number = number(row);
      boolean follows = before == null || !ordered || Arrays.compare(before, row.key()) < 0;
      if (number < 0 || !follows) {
        return wrong("a scan from record %d has a wrong row", first);
      }
      if (before == null && number != first) {
        return lost("a scan from record %d misses record %d", first, first);
      }
      before = row.key();
      boolean later = number >= spec.records();
      Optional<Finding> found =
          later ? inserted(number, row) : loaded((int) number, at, expected, row);
      if (found.isPresent()) {
        return found;
      }
      at += later ? 0 : 1;
    }
    return order.isPresent() && rows.size() < length && at < expected.records.length
        ? lost("a scan from record %d ended before record %d", first, expected.records[at])
        : Optional.empty();
  }

  /** Of the record with the row's key; negative if the row has no such. */
  private long number(Target.Row row) {
    byte[] value = row.values()[0];
    long number = value == null ? -1 : Content.number(value, 0, value.length);
    return number >= 0 && Arrays.equals(row.key(), keys.key(number)) ? number : -1;
  }

  private Optional<Finding> loaded(int number, int at, Expected expected, Target.Row row) {
    if (order.isEmpty()) {
      boolean first = number == expected.records[0];
      return read(number, first ? expected.floors[0] : AcknowledgedWrites.LOADED, row.values());
    }
    int first = expected.records[0];
    if (at == expected.records.length) {
      return wrong("a scan from record %d has more records than were asked for", first);
    }
    if (expected.records[at] != number) {
      return lost("a scan from record %d misses record %d", first, expected.records[at]);
    }
    return read(number, expected.floors[at], row.values());
  }

  private Optional<Finding> inserted(long number, Target.Row row) {
    for (int field = 0; field < row.values().length; field++) {
      if (content.version(row.values()[field], number, field) < 0) {
        return wrong("record %d, which was inserted, is wrong in field %d", number, field);
      }
    }
    return Optional.empty();
  }
}

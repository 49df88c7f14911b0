package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is noticed of a scan that leaves out rows, or returns old or broken ones. */
class ChecksTest {
  private static final int RECORDS = 300;
  private static final int LENGTH = 20;

  private static final String PLAIN = "keyOrder: ordered";

  private static TenantSpec spec(String keys) {
    return WorkloadSpec.parse(
            "test",
            """
            tenants:
              - name: t
                records: %d
                fields: 2
                fieldLength: 30
                mix: {scan: 1.0}
                %s
            """
                .formatted(RECORDS, keys))
        .tenants()
        .get(0);
  }

  private final AcknowledgedWrites ledger = new AcknowledgedWrites(RECORDS, 0);

  private static Target.Row row(TenantSpec spec, long number, long version) {
    return new Target.Row(new Keys(spec).key(number), new Values(spec).of(number, version));
  }

  /** A whole table by key, with some inserted records. */
  private static List<Target.Row> table(TenantSpec spec, int inserted) {
    List<Target.Row> rows = new ArrayList<>();
    LongStream.range(0, RECORDS + inserted)
        .forEach(number -> rows.add(row(spec, number, AcknowledgedWrites.LOADED)));
    rows.sort((one, other) -> Arrays.compare(one.key(), other.key()));
    return rows;
  }

  private Checks checks(TenantSpec spec, boolean ordered) {
    return new Checks(spec, new Values(spec), ledger, ordered);
  }

  /** A scan of {@link #LENGTH} records from one on. */
  private static List<Target.Row> scan(TenantSpec spec, List<Target.Row> table, int record) {
    byte[] start = new Keys(spec).key(record);
    return new ArrayList<>(
        table.stream().filter(r -> Arrays.compare(r.key(), start) >= 0).limit(LENGTH).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        "keyOrder: hashed",
        "keyDigits: 1",
        "keyDigits: 1; keyStart: 95",
        "keyOrder: hashed; keyDigits: 1",
        "keyDigits: 40"
      })
  void wholeScansAreRightHoweverKeysAreMade(String keys) {
    TenantSpec spec = spec(keys.replace("; ", "\n    "));
    List<Target.Row> table = table(spec, 50);
    Checks checks = checks(spec, true);
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      int record = random.nextInt(RECORDS);
      Checks.Expected expected = checks.expected(record, LENGTH);
      List<Target.Row> found = scan(spec, table, record);
      assertThat(checks.scan(expected, LENGTH, found)).as("from %d", record).isEmpty();

      boolean loaded = Arrays.equals(found.get(found.size() / 2).key(), key(spec, expected, found));
      if (found.size() > 2 && loaded) {
        found.remove(found.size() / 2);
        assertThat(checks.scan(expected, LENGTH, found)).as("from %d", record).isPresent();
      }
    }
  }

  /** The key of the middle row if it is a loaded record's, else none that is there. */
  private static byte[] key(TenantSpec spec, Checks.Expected expected, List<Target.Row> found) {
    byte[] middle = found.get(found.size() / 2).key();
    return Arrays.stream(expected.records())
        .mapToObj(record -> new Keys(spec).key(record))
        .filter(key -> Arrays.equals(key, middle))
        .findFirst()
        .orElse(new byte[0]);
  }

  @Test
  void whatAScanLeavesOutIsLost() {
    TenantSpec spec = spec(PLAIN);
    Checks checks = checks(spec, true);
    Checks.Expected expected = checks.expected(7, LENGTH);
    List<Target.Row> found = scan(spec, table(spec, 0), 7);

    List<Target.Row> skips = new ArrayList<>(found);
    skips.remove(5);
    assertThat(checks.scan(expected, LENGTH, skips))
        .contains(new Checks.Finding(true, "a scan from record 7 misses record 12"));
    assertThat(checks.scan(expected, LENGTH, found.subList(0, 8)))
        .contains(new Checks.Finding(true, "a scan from record 7 ended before record 15"));
    assertThat(checks.scan(expected, LENGTH, List.of()))
        .contains(new Checks.Finding(true, "a scan from record 7 found nothing"));
    // At the end of the table there are no more.
    assertThat(
            checks.scan(
                checks.expected(RECORDS - 3, LENGTH),
                LENGTH,
                scan(spec, table(spec, 0), RECORDS - 3)))
        .isEmpty();
  }

  @Test
  void anOldVersionInTheMiddleOfAScanIsLost() {
    TenantSpec spec = spec(PLAIN);
    Checks checks = checks(spec, true);
    ledger.acknowledge(9, ledger.issue(9));
    List<Target.Row> found = scan(spec, table(spec, 0), 7);

    assertThat(checks.scan(checks.expected(7, LENGTH), LENGTH, found))
        .contains(new Checks.Finding(true, "record 9 has version 1, 2 was acknowledged"));
    found.set(2, row(spec, 9, 2));
    assertThat(checks.scan(checks.expected(7, LENGTH), LENGTH, found)).isEmpty();
    found.set(2, row(spec, 9, 3));
    assertThat(checks.scan(checks.expected(7, LENGTH), LENGTH, found))
        .as("nobody has written it")
        .contains(new Checks.Finding(false, "record 9 field 0 is wrong"));
  }

  /** Acknowledged after the scan began: either version is right. */
  @Test
  void whatIsWrittenMeanwhileMayBeThereOrNot() {
    TenantSpec spec = spec(PLAIN);
    Checks checks = checks(spec, true);
    Checks.Expected expected = checks.expected(7, LENGTH);
    ledger.acknowledge(9, ledger.issue(9));
    List<Target.Row> found = scan(spec, table(spec, 0), 7);

    assertThat(checks.scan(expected, LENGTH, found)).isEmpty();
    found.set(2, row(spec, 9, 2));
    assertThat(checks.scan(expected, LENGTH, found)).isEmpty();
  }

  @Test
  void everyFieldOfEveryRowIsRead() {
    for (boolean ordered : new boolean[] {true, false}) {
      TenantSpec spec = spec(PLAIN);
      Checks checks = checks(spec, ordered);
      List<Target.Row> found = scan(spec, table(spec, 0), 7);
      found.get(11).values()[1][25] ^= 1;

      assertThat(checks.scan(checks.expected(7, LENGTH), LENGTH, found))
          .contains(new Checks.Finding(false, "record 18 field 1 is wrong"));
    }
  }

  @Test
  void whereOnlyTheDatabaseKnowsTheOrderAnyIsRight() {
    TenantSpec spec = spec(PLAIN);
    Checks checks = checks(spec, false);
    List<Target.Row> found = scan(spec, table(spec, 0), 7);
    Collections.shuffle(found.subList(1, found.size()), new Random(3));

    assertThat(checks.scan(checks.expected(7, LENGTH), LENGTH, found)).isEmpty();
    assertThat(checks.scan(checks.expected(7, LENGTH), LENGTH, found.subList(1, found.size())))
        .as("the first one is known")
        .contains(new Checks.Finding(true, "a scan from record 7 misses record 7"));
  }
}

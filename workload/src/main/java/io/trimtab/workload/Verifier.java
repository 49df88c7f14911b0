package io.trimtab.workload;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Reads whole tables and compares them with what was acknowledged. */
public final class Verifier {
  /**
   * What a whole read found.
   *
   * @param records rows read
   * @param wrong rows with broken, foreign or impossible content
   * @param lost acknowledged records, versions or inserts that are not there
   */
  public record Verification(long records, long wrong, long lost) {
    public boolean right() {
      return wrong == 0 && lost == 0;
    }
  }

  private final Target target;

  public Verifier(Target target) {
    this.target = target;
  }

  /** Checks every tenant's table; nothing may be writing. */
  public Verification verify(WorkloadSpec spec, Map<String, AcknowledgedWrites> ledgers)
      throws IOException {
    var records = new AtomicLong();
    var wrong = new AtomicLong();
    long lost = 0;
    for (TenantSpec tenant : spec.tenants()) {
      lost += check(tenant, ledgers.get(tenant.name()), records, wrong);
    }
    return new Verification(records.get(), wrong.get(), lost);
  }

  /**
   * Reads a table's contents, for a run in another process than the load's.
   *
   * @throws IOException also when the table holds anything that no load or run wrote
   */
  public AcknowledgedWrites survey(TenantSpec tenant) throws IOException {
    var versions = new java.util.concurrent.atomic.AtomicIntegerArray(tenant.records());
    var inserts = new AtomicLong(-1);
    var strange = new AtomicLong();
    scan(
        tenant,
        (number, version) -> {
          if (number < 0 || (number >= tenant.records() && version < 0)) {
            strange.incrementAndGet();
          } else if (number < tenant.records()) {
            versions.set((int) number, (int) Math.max(0, version));
          } else {
            inserts.accumulateAndGet(number, Math::max);
          }
        });
    if (strange.get() > 0) {
      throw new IOException(
          ("table %s holds what no load or run of tenant %s has written, or with other fields,"
                  + " lengths or keys (rows: %d); load it anew, or use another table")
              .formatted(tenant.table(), tenant.name(), strange.get()));
    }
    long behind = Math.max(0, inserts.get() + 1 - tenant.records());
    AcknowledgedWrites ledger = new AcknowledgedWrites(tenant.records(), behind);
    for (int i = 0; i < tenant.records(); i++) {
      if (versions.get(i) < AcknowledgedWrites.LOADED) {
        throw new IOException(
            "table "
                + tenant.table()
                + " lacks record "
                + i
                + ", or it is corrupt or has another length; load it first");
      }
      ledger.resume(i, versions.get(i));
    }
    return ledger;
  }

  private long check(
      TenantSpec tenant, AcknowledgedWrites ledger, AtomicLong records, AtomicLong wrong)
      throws IOException {
    var seen = new BitSet(tenant.records());
    var inserts = new BitSet();
    var lost = new AtomicLong();
    scan(
        tenant,
        (number, version) -> {
          records.incrementAndGet();
          if (version < 0 || number < 0) {
            wrong.incrementAndGet();
          } else if (number < ledger.records()) {
            int record = (int) number;
            synchronized (seen) {
              seen.set(record);
            }
            if (version > ledger.ceiling(record)) {
              wrong.incrementAndGet();
            } else if (version < ledger.floor(record)) {
              lost.incrementAndGet();
            }
          } else if (number >= ledger.firstInsert()) {
            synchronized (inserts) {
              inserts.set((int) (number - ledger.firstInsert()));
            }
          }
        });
    return lost.get() + (tenant.records() - seen.cardinality()) + ledger.missing(inserts);
  }

  private interface Visitor {
    /** A row: its record number, and its version or what {@link Content} says instead. */
    void row(long number, long version);
  }

  private void scan(TenantSpec tenant, Visitor visitor) throws IOException {
    Keys keys = new Keys(tenant);
    Values content = new Values(tenant);
    target.forEach(
        tenant,
        row -> {
          byte[][] values = row.values();
          long number =
              Arrays.stream(values).anyMatch(Objects::isNull)
                  ? Content.BROKEN
                  : Content.number(values[0], 0, values[0].length);
          visitor.row(number, version(keys, content, row, number));
        });
  }

  /** The row's version if all its fields have the same and belong to its key. */
  private static long version(Keys keys, Values content, Target.Row row, long number) {
    if (number < 0 || !Arrays.equals(row.key(), keys.key(number))) {
      return Content.FOREIGN;
    }
    byte[][] values = row.values();
    long version = content.version(values[0], number, 0);
    for (int field = 1; field < values.length; field++) {
      if (content.version(values[field], number, field) != version) {
        return Content.BROKEN;
      }
    }
    return version;
  }
}

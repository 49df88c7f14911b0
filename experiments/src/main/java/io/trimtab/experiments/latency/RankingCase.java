package io.trimtab.experiments.latency;

import io.trimtab.workload.CassandraTarget.Routing;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.lengths.FieldLengths;
import java.util.Locale;

/**
 * A load under which orders of replicas are compared.
 *
 * @param reads share of the operations; the others are updates
 * @param records of about 1,000 bytes
 * @param unequal whether records' sizes differ, by Zipf's law
 * @param rate operations a second, open loop; 0: a closed loop, as fast as it goes
 */
record RankingCase(
    String title,
    double reads,
    Distribution distribution,
    int records,
    boolean unequal,
    double rate,
    Routing routing) {
  static final int THREADS = 64;

  /** Three copies on six nodes: 200 MB a node, of which 16 MiB are in the page cache. */
  static final int LARGE = 400_000;

  /** Data below a node's memory. */
  static final int SMALL = 20_000;

  /** Operations a second of an open loop: a read takes 1.2 reads from disks by Zipf's law. */
  static final double RATE = 300;

  /** The same where every record is asked as often, and half of the operations are reads. */
  static final double UNIFORM_RATE = 360;

  /** The same where sizes differ: long records lie in several blocks. */
  static final double UNEQUAL_RATE = 200;

  static final Distribution ZIPF = new Distribution(Distribution.Kind.SCRAMBLED, null, null);
  private static final int LENGTH = 1_000;
  private static final int LONGEST = 20_000;

  /**
   * A table that all loads of the same data share. Each ordering has its own, because nodes ask
   * another copy, too, when an answer takes longer than 99 % of its table's reads in the minutes
   * before: they would have been another ordering's.
   */
  String table(Ordering ordering) {
    return (unequal ? "unequal" : "alike")
        + records
        + "_"
        + ordering.name().toLowerCase(Locale.ROOT);
  }

  TenantSpec tenant(Ordering ordering) {
    return tenant(ordering, TenantSpec.Consistency.ONE);
  }

  /**
   * @param level that reads and writes wait for
   */
  TenantSpec tenant(Ordering ordering, TenantSpec.Consistency level) {
    return new TenantSpec(
        table(ordering),
        null,
        null,
        records,
        1,
        unequal ? LONGEST : LENGTH,
        null,
        null,
        null,
        new Mix(reads, 1 - reads, null, null, null),
        null,
        distribution,
        TenantSpec.KeyOrder.HASHED,
        THREADS,
        rate > 0 ? rate : null,
        rate > 0 ? TenantSpec.Loop.OPEN : TenantSpec.Loop.CLOSED,
        level,
        null,
        unequal ? new FieldLengths(FieldLengths.Kind.ZIPFIAN, null, null) : null,
        null,
        null,
        null,
        null);
  }
}

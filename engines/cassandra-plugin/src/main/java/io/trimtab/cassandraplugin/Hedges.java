package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.hedging.HedgeBudget;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.reads.SpeculativeRetryPolicy.Kind;

/**
 * Holds the speculative retries of each table on this coordinator to a share of its reads. Stock
 * asks a table after what time a read is made again; while the budget is spent it is told a time
 * that no read lasts. What waits already is made again all the same, and tables that always ask two
 * replicas go on doing so.
 */
final class Hedges {
  /** JVM property: the share at the start; 1 where nothing is held back. */
  static final String SHARE = "trimtab.hedgeShare";

  static final long EVERY_MS = 1_000 / HedgeBudget.TICKS;

  /** Longer than any read. */
  private static final long NEVER_US = TimeUnit.DAYS.toMicros(1);

  private final Map<TableId, Table> tables = new ConcurrentHashMap<>();
  private final LongAdder stops = new LongAdder();
  private volatile double share;

  /** What is known of one table; only the tick touches it, but for the reading of a name. */
  private static final class Table {
    final HedgeBudget budget = new HedgeBudget();
    volatile String stopped;
    long before;

    /** What stock had said; it may write again at any time what it has read from us before. */
    void giveBack(ColumnFamilyStore store) {
      if (store.sampleReadLatencyMicros == NEVER_US) {
        store.sampleReadLatencyMicros = before;
        store.updateSpeculationThreshold();
      }
      stopped = null;
    }
  }

  Hedges(double share) {
    this.share = checked(share);
  }

  /**
   * The share that the JVM property gives; 1, with a line in the log, where it is no share.
   *
   * @param complain gets what is wrong
   */
  static double given(String text, Consumer<String> complain) {
    try {
      return text == null ? 1 : checked(Double.parseDouble(text));
    } catch (IllegalArgumentException e) {
      complain.accept(SHARE + ": " + text + " is not a number from 0 to 1; hedges are unlimited");
      return 1;
    }
  }

  private static double checked(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("the share must be 0 to 1, not " + share);
    }
    return share;
  }

  double share() {
    return share;
  }

  void share(double of) {
    share = checked(of);
  }

  /** How often retries were stopped, of all tables. */
  long stops() {
    return stops.sum();
  }

  /** Tables whose reads are not made again now. */
  String[] stopped() {
    return tables.values().stream()
        .map(table -> table.stopped)
        .filter(name -> name != null)
        .sorted()
        .toArray(String[]::new);
  }

  /** To be called every {@link #EVERY_MS}, by one thread. */
  void tick() {
    double now = share;
    if (now >= 1 && tables.isEmpty()) {
      return;
    }
    Set<TableId> seen = new HashSet<>();
    try (Stream<Keyspace> all = Keyspace.allExisting()) {
      all.filter(keyspace -> !SchemaConstants.isLocalSystemKeyspace(keyspace.getName()))
          .flatMap(keyspace -> keyspace.getColumnFamilyStores().stream())
          .forEach(
              table -> {
                seen.add(table.metadata().id);
                held(table, now);
              });
    }
    tables.keySet().retainAll(seen);
  }

  private void held(ColumnFamilyStore store, double now) {
    Kind kind = store.metadata().params.speculativeRetry.kind();
    boolean can = now < 1 && kind != Kind.ALWAYS && kind != Kind.NEVER;
    Table table =
        can
            ? tables.computeIfAbsent(store.metadata().id, id -> new Table())
            : tables.get(store.metadata().id);
    if (table == null) {
      return;
    }
    boolean spent =
        table.budget.isSpent(
            store.metric.coordinatorReadLatency.getCount(),
            store.metric.speculativeRetries.getCount(),
            now);
    if (!can || !spent) {
      table.giveBack(store);
      return;
    }
    if (store.sampleReadLatencyMicros != NEVER_US) {
      // At first, or stock has calculated it anew.
      table.before = store.sampleReadLatencyMicros;
      store.sampleReadLatencyMicros = NEVER_US;
    }
    if (table.stopped == null) {
      table.stopped = store.metadata().toString();
      stops.increment();
    }
  }
}

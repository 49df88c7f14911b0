package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.lab.cluster.CassandraLab;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of known rows, and a client that reads it by every kind of statement. */
final class KnownRows implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(20);

  /** Keys of one read of several. */
  static final int SOME = 20;

  private final CqlSession session;
  private final String table;
  private final int count;

  private KnownRows(CqlSession session, String table, int count) {
    this.session = session;
    this.table = table;
    this.count = count;
  }

  /**
   * Makes and fills it.
   *
   * @param replication of its keyspace, as CQL has it
   */
  static KnownRows in(CassandraLab lab, String keyspace, String replication, int count) {
    CqlSession session =
        CqlSession.builder()
            .addContactPoints(lab.points())
            .withLocalDatacenter("datacenter1")
            .build();
    KnownRows rows = new KnownRows(session, keyspace + ".t", count);
    try {
      rows.run("CREATE KEYSPACE " + keyspace + " WITH replication = " + replication);
      rows.run("CREATE TABLE " + rows.table + " (k int PRIMARY KEY, v text)");
      PreparedStatement insert =
          session.prepare("INSERT INTO " + rows.table + " (k, v) VALUES (?, ?)");
      for (int i = 0; i < count; i++) {
        session.execute(
            insert
                .bind(i, "value " + i)
                .setConsistencyLevel(ConsistencyLevel.ALL)
                .setTimeout(LIMIT));
      }
      return rows;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  CqlSession session() {
    return session;
  }

  void run(String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(LIMIT));
  }

  List<Row> rows(String cql, ConsistencyLevel level) {
    return session
        .execute(
            SimpleStatement.newInstance(cql)
                .setConsistencyLevel(level)
                .setTimeout(LIMIT)
                // The client's connection to a node that has died is closed under its read.
                .setIdempotent(cql.startsWith("SELECT")))
        .all();
  }

  /** Every value, by each kind of statement. */
  void areRead(ConsistencyLevel level) {
    for (int i = 0; i < count; i++) {
      assertThat(rows("SELECT v FROM " + table + " WHERE k = " + i, level))
          .as("%s at %s", i, level)
          .extracting(row -> row.getString(0))
          .containsExactly("value " + i);
    }
    String some =
        IntStream.range(0, SOME).mapToObj(Integer::toString).collect(Collectors.joining(","));
    assertThat(rows("SELECT k, v FROM " + table + " WHERE k IN (" + some + ")", level))
        .hasSize(SOME)
        .allMatch(row -> row.getString(1).equals("value " + row.getInt(0)));
    assertThat(rows("SELECT k, v FROM " + table, level))
        .hasSize(count)
        .allMatch(row -> row.getString(1).equals("value " + row.getInt(0)));
  }

  @Override
  public void close() {
    session.close();
  }
}

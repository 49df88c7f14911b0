package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.LabNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of known rows, and a client that reads it by every kind of statement. */
final class KnownRows implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(20);

  private static final int AT_ONCE = 100;

  /** Keys of one read of several. */
  static final int SOME = 20;

  /** Whichever coordinator the client chooses. */
  static final Node ANY = null;

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
  static KnownRows in(CassandraLab lab, String keyspace, String replication, int count)
      throws Exception {
    // On a busy machine a node that serves may not have heard of all others yet.
    new RankedNodes(lab).awaitAllAlive();
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

  /** How many there are. */
  int count() {
    return count;
  }

  void run(String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(LIMIT));
  }

  List<Row> rows(String cql, ConsistencyLevel level) {
    return rows(cql, level, ANY);
  }

  /** What a coordinator answers, one of all nodes where it is {@link #ANY}. */
  List<Row> rows(String cql, ConsistencyLevel level, Node coordinator) {
    return session.execute(statement(cql, level, coordinator)).all();
  }

  private static SimpleStatement statement(String cql, ConsistencyLevel level, Node coordinator) {
    return SimpleStatement.newInstance(cql)
        .setConsistencyLevel(level)
        .setTimeout(LIMIT)
        .setNode(coordinator)
        // The client's connection to a node that has died is closed under its read.
        .setIdempotent(cql.startsWith("SELECT"));
  }

  /** What comes in many pages. */
  List<Row> pages(String cql, ConsistencyLevel level, Node coordinator, int each) {
    return session.execute(statement(cql, level, coordinator).setPageSize(each)).all();
  }

  /** As the client knows it. */
  Node node(LabNode node) {
    return session.getMetadata().getNodes().values().stream()
        .filter(its -> its.getEndPoint().toString().contains(RankedNodes.host(node) + ":"))
        .findFirst()
        .orElseThrow();
  }

  /** Every value, by each kind of statement. */
  void areRead(ConsistencyLevel level) {
    areRead(level, ANY);
  }

  /** Every value, by each kind of statement, from one coordinator. */
  void areRead(ConsistencyLevel level, Node coordinator) {
    for (int i = 0; i < count; i++) {
      assertThat(rows("SELECT v FROM " + table + " WHERE k = " + i, level, coordinator))
          .as("%s at %s", i, level)
          .extracting(row -> row.getString(0))
          .containsExactly("value " + i);
    }
    String some =
        IntStream.range(0, SOME).mapToObj(Integer::toString).collect(Collectors.joining(","));
    String of = "SELECT k, v FROM " + table;
    String ofSome = of + " WHERE k IN (" + some + ")";
    areThese(SOME, rows(ofSome, level, coordinator));
    areThese(count, rows(of, level, coordinator));
    areThese(SOME, pages(ofSome, level, coordinator, SOME / 3));
    areThese(count, pages(of, level, coordinator, count / 7));
  }

  private static void areThese(int number, List<Row> rows) {
    assertThat(rows)
        .allMatch(row -> row.getString(1).equals("value " + row.getInt(0)))
        .extracting(row -> row.getInt(0))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, number).boxed().toList());
  }

  /** Reads at ONE, many at a time. */
  void burst(int reads, Node coordinator) {
    for (int done = 0; done < reads; done += AT_ONCE) {
      List<CompletionStage<AsyncResultSet>> some = new ArrayList<>();
      for (int i = done; i < done + AT_ONCE; i++) {
        String cql = "SELECT k, v FROM " + table + " WHERE k = " + i % count;
        some.add(session.executeAsync(statement(cql, ConsistencyLevel.ONE, coordinator)));
      }
      for (CompletionStage<AsyncResultSet> read : some) {
        Row row = read.toCompletableFuture().join().one();
        assertThat(row.getString(1)).isEqualTo("value " + row.getInt(0));
      }
    }
  }

  @Override
  public void close() {
    session.close();
  }
}

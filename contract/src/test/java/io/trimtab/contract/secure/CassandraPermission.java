package io.trimtab.contract.secure;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.cluster.CassandraLab;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/**
 * What {@code docs/connections.md} asks for of a controller's user on Cassandra, each with what
 * needs it.
 */
enum CassandraPermission {
  /** The first controller makes its tables. */
  CREATE("CREATE", "trimtab_control") {
    @Override
    void need(CassandraEngine engine, CqlSession operator) throws EngineException {
      // The cluster keeps its number, which is in the table.
      String number =
          operator
              .execute("SELECT value FROM " + CONTROL + " WHERE name = 'cluster'")
              .one()
              .getString("value");
      run(operator, "DROP TABLE " + CONTROL);
      try {
        engine.takeControl("somebody").close();
      } finally {
        run(
            operator,
            "CREATE TABLE IF NOT EXISTS " + CONTROL + " (name text PRIMARY KEY, value text)");
        run(
            operator,
            "INSERT INTO " + CONTROL + " (name, value) VALUES ('cluster', '" + number + "')");
      }
    }
  },
  /** Without it copies stay as they are, and that is told; nothing else fails. */
  ALTER("ALTER", "trimtab_control") {
    @Override
    void need(CassandraEngine engine, CqlSession operator) throws EngineException {
      engine.takeControl("somebody").close();
    }

    @Override
    void prepare(CqlSession operator) {
      run(
          operator,
          "ALTER KEYSPACE trimtab_control WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 2}");
    }
  },
  SELECT("SELECT", "trimtab_control") {
    @Override
    void need(CassandraEngine engine, CqlSession operator) throws EngineException {
      engine.snapshot();
    }
  },
  MODIFY("MODIFY", "trimtab_control") {
    @Override
    void need(CassandraEngine engine, CqlSession operator) throws EngineException {
      engine.takeControl("somebody").close();
    }
  },
  /** Without it no profile is known, and that is told. */
  VIEWS("SELECT", "system_views") {
    @Override
    void need(CassandraEngine engine, CqlSession operator) throws EngineException {
      engine.snapshot();
    }
  };

  private static final String CONTROL = "trimtab_control.control";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Nodes keep what they know of permissions for a second. */
  private static final int TRIES = 20;

  private static final long PAUSE_MS = 500;

  private final String permission;
  private final String keyspace;

  CassandraPermission(String permission, String keyspace) {
    this.permission = permission;
    this.keyspace = keyspace;
  }

  /** Does what needs it. */
  abstract void need(CassandraEngine engine, CqlSession operator) throws EngineException;

  /** Makes that there is something that needs it. */
  void prepare(CqlSession operator) {}

  /** The statement that the check asks for. */
  String grant() {
    return "GRANT " + permission + " ON KEYSPACE " + keyspace + " TO trimtab";
  }

  /** What Cassandra says where it is missing. */
  String refusal() {
    return "has no " + permission + " permission on <";
  }

  /**
   * Takes it away. Who has made tables has all permissions on them; these go as well, as of tables
   * that another user's controller has made.
   */
  void takeAway(CqlSession operator) {
    for (String table : List.of("control", "state")) {
      run(operator, "REVOKE ALL PERMISSIONS ON TABLE trimtab_control." + table + " FROM trimtab");
    }
    run(operator, "REVOKE " + permission + " ON KEYSPACE " + keyspace + " FROM trimtab");
  }

  void giveBack(CqlSession operator) {
    run(operator, grant());
  }

  /** What the engine says once its user lacks it: in its error, or in its log where it goes on. */
  String told(CassandraLab lab, CqlSession operator) throws EngineException, InterruptedException {
    return soon(lab, operator, Optional::isPresent).orElseThrow();
  }

  /** Waits until the engine does it without a word. */
  void assertDone(CassandraLab lab, CqlSession operator)
      throws EngineException, InterruptedException {
    soon(lab, operator, Optional::isEmpty);
  }

  private Optional<String> soon(
      CassandraLab lab, CqlSession operator, Predicate<Optional<String>> expected)
      throws EngineException, InterruptedException {
    Optional<String> told = Optional.empty();
    for (int i = 0; i < TRIES; i++) {
      prepare(operator);
      told = lacking(lab, operator);
      if (expected.test(told)) {
        return told;
      }
      Thread.sleep(PAUSE_MS);
    }
    throw new AssertionError(this + ", after " + TRIES + " tries: " + told);
  }

  private Optional<String> lacking(CassandraLab lab, CqlSession operator) throws EngineException {
    Logger log = (Logger) LoggerFactory.getLogger("io.trimtab.cassandra");
    ListAppender<ILoggingEvent> warnings = new ListAppender<>();
    warnings.start();
    log.addAppender(warnings);
    try (CassandraEngine engine = lab.engine()) {
      need(engine, operator);
    } catch (EngineException e) {
      if (ofPermission(e.getMessage())) {
        return Optional.of(e.getMessage());
      }
      throw e;
    } finally {
      log.detachAppender(warnings);
    }
    return List.copyOf(warnings.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(CassandraPermission::ofPermission)
        .findFirst();
  }

  private static boolean ofPermission(String text) {
    return text.contains(" permission on <");
  }

  /** Carries out a statement of an operator's. */
  static void run(CqlSession operator, String cql) {
    operator.execute(SimpleStatement.builder(cql).setTimeout(LIMIT).build());
  }
}

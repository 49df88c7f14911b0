package io.trimtab.cassandra.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;

/** Statements that change the schema, until all nodes have taken it over. */
public final class SchemaChange {
  /** Longer than the driver's usual limit: nodes agree among themselves meanwhile. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private SchemaChange() {}

  /** Not all nodes have taken over a change of the schema yet. */
  public static final class PendingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PendingException() {
      super("not all nodes have taken over the new schema yet");
    }
  }

  /**
   * Checks that all live nodes have the same schema.
   *
   * @throws PendingException if they do not
   */
  public static void requireAgreement(CqlSession session) {
    if (!session.checkSchemaAgreement()) {
      throw new PendingException();
    }
  }

  /**
   * Carries out one statement.
   *
   * @throws com.datastax.oss.driver.api.core.DriverException if it fails, or no node answers
   * @throws PendingException if not all nodes have taken it over when the driver stops waiting
   */
  public static void run(CqlSession session, String cql) {
    boolean agreed =
        session
            .execute(SimpleStatement.builder(cql).setTimeout(LIMIT).build())
            .getExecutionInfo()
            .isSchemaInAgreement();
    if (!agreed) {
      throw new PendingException();
    }
  }
}

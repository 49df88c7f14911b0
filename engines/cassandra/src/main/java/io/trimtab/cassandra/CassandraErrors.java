package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryConsistencyException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.trimtab.cassandra.cql.SchemaChange;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.ErrorLine;
import io.trimtab.host.Retry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** What went wrong, in a line. */
final class CassandraErrors {
  /** A ring that has just lost or gained a node: for some seconds too few answer that must. */
  static final Retry ANSWERS = new Retry(CassandraErrors::tooFewAnswer, CassandraErrors::line);

  /** As {@link #ANSWERS}, where tables may have been created a moment ago, by whomever. */
  static final Retry NEW_TABLES =
      new Retry(e -> tooFewAnswer(e) || unknownTable(e), CassandraErrors::line);

  /** A node that starts, or whose state has yet to change. */
  static final Retry STATE = new Retry(e -> e instanceof IOException, CassandraErrors::line);

  private CassandraErrors() {}

  /**
   * A node that has not heard of a new table, or has heard of it but not opened it yet (Cassandra's
   * Schema.alterKeyspace shows tables before it opens them), or a schema on which nodes do not
   * agree yet.
   */
  private static boolean unknownTable(Throwable e) {
    return (e instanceof InvalidQueryException && e.getMessage().contains("does not exist"))
        || (e instanceof ServerError && e.getMessage().contains("Unknown CF"))
        || (e instanceof AllNodesFailedException all
            && all.getAllErrors().values().stream()
                .flatMap(List::stream)
                .anyMatch(CassandraErrors::unknownTable))
        || e instanceof SchemaChange.PendingException
        || (e instanceof EngineException && e.getCause() != null && unknownTable(e.getCause()));
  }

  private static boolean tooFewAnswer(Throwable e) {
    return e instanceof QueryConsistencyException
        || e instanceof UnavailableException
        || e instanceof DriverTimeoutException
        || (e instanceof EngineException && e.getCause() != null && tooFewAnswer(e.getCause()));
  }

  /**
   * An exception's first line, and why TLS has failed if that is its cause; of an exception that
   * stands for several nodes' failures, the first node's.
   */
  static String line(Throwable e) {
    Throwable cause = e;
    while (true) {
      if (cause instanceof AllNodesFailedException all && !all.getAllErrors().isEmpty()) {
        List<Throwable> first = all.getAllErrors().values().iterator().next();
        cause = first.isEmpty() ? null : first.get(0);
        if (cause == null) {
          return "no node answers";
        }
      } else if (blank(cause) && cause.getCause() != null) {
        cause = cause.getCause();
      } else {
        break;
      }
    }
    String line = ErrorLine.of(cause);
    return ofTls(cause)
        .filter(why -> !line.contains(why))
        .map(why -> line + ": " + why)
        .orElse(line);
  }

  /** Of a node that refuses this side's certificate the driver says that the channel has failed. */
  private static Optional<String> ofTls(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return Optional.of(ErrorLine.of(cause));
      }
    }
    return Optional.empty();
  }

  private static boolean blank(Throwable e) {
    return e.getMessage() == null || e.getMessage().isBlank();
  }
}

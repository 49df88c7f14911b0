package io.trimtab.workload.admin;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.workload.CassandraTarget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Statements of an operator: roles, permissions, keyspaces. */
public final class CqlScript {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private CqlScript() {}

  /**
   * Executes statements one after another.
   *
   * @param driver a file of the driver's options, with user and TLS
   * @throws IOException naming the first statement's keyword and what is wrong with it, or that
   *     nobody answers; never a statement in full, because it may have a password
   */
  public static void run(List<InetSocketAddress> points, Path driver, List<String> statements)
      throws IOException {
    try (CassandraTarget target = CassandraTarget.connect(points, 1, Optional.of(driver))) {
      CqlSession session = target.session();
      for (String statement : statements) {
        try {
          session.execute(SimpleStatement.builder(statement).setTimeout(LIMIT).build());
        } catch (RuntimeException e) {
          String keyword = statement.split(" ", 2)[0];
          throw new IOException(keyword + ": " + String.valueOf(e.getMessage()), e);
        }
      }
    }
  }
}

package io.trimtab.cassandra.tables;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.Keyspaces;
import io.trimtab.cassandra.cql.SchemaChange;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.ErrorLine;
import java.util.regex.Pattern;

/** Creates and deletes users' tables of a cluster. */
public final class CassandraTables {
  /** What CQL takes without quotes, so that everybody writes it alike. */
  private static final Pattern NAME =
      Pattern.compile("[a-z][a-z0-9_]{0,47}\\.[a-z][a-z0-9_]{0,47}");

  private final CassandraContact contact;

  public CassandraTables(CassandraContact contact) {
    this.contact = contact;
  }

  /**
   * Checks a table's name.
   *
   * @throws IllegalArgumentException if it is not {@code keyspace.table}, or not for users
   */
  public static void check(String table) {
    if (!NAME.matcher(table).matches()) {
      throw new IllegalArgumentException(
          "must be keyspace.table, each of 1 to 48 of a-z 0-9 _ and beginning with a letter, not "
              + table);
    }
    if (!Keyspaces.isUsers(table.split("\\.", 2)[0])) {
      throw new IllegalArgumentException("must not be in one of Cassandra's own keyspaces");
    }
  }

  /**
   * Creates a table with the columns {@code key} and {@code value}, both of type blob, and its
   * keyspace; does nothing if there is one. An application that needs other columns adds them.
   *
   * @param copies in each data centre that there is, ≥ 1
   */
  public void create(String table, int copies) throws EngineException {
    String[] names = table.split("\\.", 2);
    String keyspace =
        ("CREATE KEYSPACE IF NOT EXISTS \"%s\" WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'replication_factor': '%d'}")
            .formatted(names[0], copies);
    String columns = "CREATE TABLE IF NOT EXISTS %s (key blob PRIMARY KEY, value blob)";
    schema("creating table " + table, keyspace, columns.formatted(quoted(table)));
  }

  /**
   * Deletes a table, and leaves its keyspace; does nothing if there is none. Where the nodes have
   * {@code auto_snapshot}, as they have by default, each keeps a snapshot of its files.
   */
  public void drop(String table) throws EngineException {
    schema("deleting table " + table, "DROP TABLE IF EXISTS " + quoted(table));
  }

  private static String quoted(String table) {
    String[] names = table.split("\\.", 2);
    return "\"%s\".\"%s\"".formatted(names[0], names[1]);
  }

  private void schema(String what, String... statements) throws EngineException {
    try (CqlSession session = contact.session()) {
      for (String cql : statements) {
        SchemaChange.run(session, cql);
      }
    } catch (DriverException | SchemaChange.PendingException e) {
      throw new EngineException(
          "Cassandra at %s: %s: %s".formatted(contact.text(), what, ErrorLine.of(e)), e);
    }
  }
}

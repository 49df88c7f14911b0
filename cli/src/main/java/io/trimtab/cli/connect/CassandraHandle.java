package io.trimtab.cli.connect;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cassandra.check.CassandraCheck;
import io.trimtab.cassandra.tables.CassandraTables;
import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterTables;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.sources.MetricsConfig;
import java.util.Optional;
import java.util.function.Consumer;

/** A Cassandra cluster that was named, whichever way. */
public record CassandraHandle(
    String label, CassandraContact contact, Optional<MetricsConfig> metrics)
    implements ClusterHandle {
  /** Replication factor of a keyspace that a load creates. */
  private static final int COPIES = 3;

  @Override
  public Engine connect() throws EngineException {
    return CassandraEngine.connect(contact);
  }

  @Override
  public ControlAccess control() throws EngineException {
    return CassandraEngine.control(contact);
  }

  @Override
  public ClusterTables tables() {
    return new Tables(new CassandraTables(contact));
  }

  private record Tables(CassandraTables cassandra) implements ClusterTables {
    @Override
    public void check(String table) {
      try {
        CassandraTables.check(table);
      } catch (IllegalArgumentException e) {
        throw new UserError("table " + e.getMessage(), e);
      }
    }

    @Override
    public void create(String table, int copies) throws EngineException {
      cassandra.create(table, copies);
    }

    @Override
    public void drop(String table) throws EngineException {
      cassandra.drop(table);
    }
  }

  @Override
  public String nodeWord() {
    return "Cassandra node";
  }

  @Override
  public void check(Consumer<ConnectionStep> steps) {
    new CassandraCheck(contact, steps).run();
  }

  /** A load knows users and TLS from the driver's own file only. */
  @Override
  public ClusterAddress address() {
    return new ClusterAddress.Cassandra(contact.points(), COPIES, contact.protection().driver());
  }
}

package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.tables.CassandraTables;
import io.trimtab.engineapi.EngineException;

/** What {@code slo provision} and {@code slo release --drop-table} need besides. */
record TableRights(CassandraContact contact, CqlSession operator) {
  private static final String TABLE = "rights.orders";

  /** Nodes keep what they know of permissions for a second. */
  private static final long HEARD_MS = 2_000;

  /** Where somebody else has made the table, too. */
  void assertMissedByName() {
    CassandraTables tables = new CassandraTables(contact);
    assertThatThrownBy(() -> tables.create(TABLE, 2))
        .isInstanceOf(EngineException.class)
        .message()
        .contains("creating table " + TABLE, "has no CREATE permission on <all keyspaces>")
        .doesNotContain("\n");
    CassandraPermission.run(
        operator,
        "CREATE KEYSPACE rights WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 2}");
    try {
      CassandraPermission.run(operator, "CREATE TABLE " + TABLE + " (key blob PRIMARY KEY)");
      assertThatThrownBy(() -> tables.drop(TABLE))
          .isInstanceOf(EngineException.class)
          .message()
          .contains("deleting table " + TABLE, "has no DROP permission on <table " + TABLE + ">")
          .doesNotContain("\n");
      assertThat(tables()).isEqualTo(1);
    } finally {
      CassandraPermission.run(operator, "DROP KEYSPACE rights");
    }
  }

  /** Who has made a table may delete it. */
  void assertEnough() throws EngineException, InterruptedException {
    CassandraTables tables = new CassandraTables(contact);
    CassandraPermission.run(operator, "GRANT CREATE ON ALL KEYSPACES TO trimtab");
    try {
      Thread.sleep(HEARD_MS);
      tables.create(TABLE, 2);
      assertThat(tables()).isEqualTo(1);
      Thread.sleep(HEARD_MS);
      tables.drop(TABLE);
      assertThat(tables()).isZero();
    } finally {
      CassandraPermission.run(operator, "REVOKE CREATE ON ALL KEYSPACES FROM trimtab");
      CassandraPermission.run(operator, "DROP KEYSPACE IF EXISTS rights");
    }
  }

  private int tables() {
    return operator
        .execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'rights'")
        .all()
        .size();
  }
}

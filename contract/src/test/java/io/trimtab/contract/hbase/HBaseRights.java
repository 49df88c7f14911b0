package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.hbase.HBaseEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;

/**
 * What {@code slo provision}, {@code slo release --drop-table} and splits need where HBase checks
 * permissions: no more than ADMIN, but for the keys at which requests halve.
 *
 * @param engine of the user {@code trimtab}, who has the global ADMIN and nothing else
 * @param operator of one who may do everything
 */
public record HBaseRights(HBaseEngine engine, Connection operator) {
  private static final String USER = "trimtab";
  private static final int TRIES = 30;
  private static final long PAUSE_MS = 1_000;

  /**
   * READ is given and taken away again; without it the plug-in says which permission is missing.
   *
   * @param table of the operator, because who makes one may read it
   */
  public void assertKeysNeedRead(String table, int partitions)
      throws EngineException, IOException, InterruptedException {
    UserPermission read =
        new UserPermission(
            USER,
            Permission.newBuilder(TableName.valueOf(table))
                .withActions(Permission.Action.READ)
                .build());
    assertKeysAreWithheld(true, table, partitions);
    try (Admin admin = operator.getAdmin()) {
      admin.grant(read, false);
      assertKeysAreWithheld(false, table, partitions);
      admin.revoke(read);
      assertKeysAreWithheld(true, table, partitions);
    }
  }

  /** Servers hear of a change of permissions a moment after whoever made it. */
  private void assertKeysAreWithheld(boolean withheld, String table, int partitions)
      throws EngineException, InterruptedException {
    String missing = "user " + USER + " needs the permission READ on table " + table;
    Predicate<String> expected = reason -> reason.contains(missing) == withheld;
    List<String> reasons = reasons(table);
    for (int i = 0;
        i < TRIES && !(reasons.size() == partitions && reasons.stream().allMatch(expected));
        i++) {
      Thread.sleep(PAUSE_MS);
      reasons = reasons(table);
    }
    assertThat(reasons).hasSize(partitions).allMatch(expected);
  }

  private List<String> reasons(String table) throws EngineException {
    return engine.splitHints().stream()
        .filter(hint -> hint.partition().table().equals(table))
        .map(SplitHint::reason)
        .toList();
  }

  /** Splits one of a table's partitions at a key that nobody has had to be told. */
  public void split(List<PartitionState> partitions, Duration limit) throws EngineException {
    PartitionState split =
        partitions.stream().filter(p -> !p.range().start().isEmpty()).findFirst().orElseThrow();
    RowKey inside = new RowKey(split.range().start().hex() + "01");
    engine.split(split.id(), inside, split.node().orElseThrow(), limit);
  }

  /**
   * A table with its namespace is made and deleted, and so is one of somebody else's.
   *
   * @param others somebody else's, which is deleted
   */
  public void assertTablesAreMadeAndDeleted(String others) throws EngineException, IOException {
    TableName own = TableName.valueOf("rights:orders");
    try (Admin admin = operator.getAdmin()) {
      engine.createTable(own.getNameAsString());
      assertThat(admin.tableExists(own)).isTrue();
      for (TableName table : List.of(own, TableName.valueOf(others))) {
        engine.dropTable(table.getNameAsString());
        assertThat(admin.tableExists(table)).isFalse();
      }
      admin.deleteNamespace(own.getNamespaceAsString());
    }
  }
}

package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.host.GivenLock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase would do it, or drop it without a word: the engine looks first, and changes nothing. */
class RefusedVerbsTest {
  private static final PartitionId REGION = new PartitionId("t", "1234abcd");
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Tells a table's description, or refuses it. */
  @FunctionalInterface
  private interface Described {
    TableDescriptor get() throws IOException;
  }

  private static HBaseEngine engine(Described table) {
    Admin asking =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) ->
                switch (called.getName()) {
                  case "getDescriptor" -> table.get();
                  case "isSplitEnabled" -> true;
                  default -> throw new AssertionError(called.getName());
                });
    Connection connection =
        FakeAdmin.of(
            Connection.class,
            (proxy, called, a) -> FakeAdmin.of(RegionLocator.class, (p, of, b) -> List.of()));
    return FakeAdmin.engine(connection, asking, FakeAdmin.unused(Admin.class), new GivenLock());
  }

  /** And not waited for until the action's time limit. */
  @Test
  void whoMayNotSeeATablesDescriptionIsToldThatItMayNotCompactIt() {
    HBaseEngine engine =
        engine(
            () -> {
              throw new AccessDeniedException("Insufficient permissions (action=CREATE)");
            });
    assertThatThrownBy(() -> engine.compact(REGION, LIMIT))
        .isInstanceOf(EngineException.class)
        .message()
        .contains("compacting t/1234abcd")
        .contains("Insufficient permissions (action=CREATE)")
        .doesNotContain("\n");
  }

  /** HBase splits at any key that it is told, whatever the table's policy is there for. */
  @ParameterizedTest
  @ValueSource(strings = {"KeyPrefixRegionSplitPolicy", "DisabledRegionSplitPolicy"})
  void aTableWhosePolicyKeepsRowsTogetherIsNotSplit(String policy) {
    String name = "org.apache.hadoop.hbase.regionserver." + policy;
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setRegionSplitPolicyClassName(name)
            .build();
    HBaseEngine engine = engine(() -> table);
    RowKey key = RowKey.of(new byte[] {5});
    assertThatThrownBy(() -> engine.split(REGION, key, new NodeId("n1:16020"), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "splitting t/1234abcd at "
                + key
                + ": the table's split policy, "
                + name
                + ", may keep rows together that a split would separate");
  }
}

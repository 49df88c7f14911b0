package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.host.GivenLock;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** A RegionServer takes a request to compact from anybody, and tells nobody that it drops it. */
class RefusedCompactionTest {
  private final Admin asking =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) -> {
            if (called.getName().equals("getDescriptor")) {
              throw new AccessDeniedException("Insufficient permissions (action=CREATE)");
            }
            throw new AssertionError(called.getName());
          });

  private final Admin changing = FakeAdmin.unused(Admin.class);

  private final Connection connection = FakeAdmin.unused(Connection.class);

  private final HBaseEngine engine =
      FakeAdmin.engine(connection, asking, changing, new GivenLock());

  /** And not waited for until the action's time limit. */
  @Test
  void whoMayNotSeeATablesDescriptionIsToldThatItMayNotCompactIt() {
    PartitionId partition = new PartitionId("t", "1234abcd");
    assertThatThrownBy(() -> engine.compact(partition, Duration.ofMinutes(10)))
        .isInstanceOf(EngineException.class)
        .message()
        .contains("compacting t/1234abcd")
        .contains("Insufficient permissions (action=CREATE)")
        .doesNotContain("\n");
  }
}

package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.Test;

/**
 * A RegionServer that compacts some of a region's files drops a request to compact all of them, and
 * tells nobody (seen after a flush that had begun a compaction of three files).
 */
class DroppedCompactionTest {
  private static final ServerName SERVER = ServerName.valueOf("n1,16020,1");
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  private int requests;

  /** Looks at the region for which it still compacts a part of it. */
  private int partly;

  /** Which request is obeyed. */
  private int obeyed = 1;

  /** Looks until the compaction that was asked for has ended. */
  private int takes;

  private long seconds;
  private boolean rewritten;

  private final Admin asking =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) ->
              switch (called.getName()) {
                case "getDescriptor" -> null;
                case "getRegionMetrics" -> List.of(metrics());
                case "getCompactionStateForRegion" -> state();
                default -> throw new AssertionError(called.getName());
              });

  private final Admin changing =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) -> {
            assertThat(called.getName()).isEqualTo("majorCompactRegion");
            requests++;
            return null;
          });

  private final Connection connection =
      FakeAdmin.of(
          Connection.class,
          (proxy, called, a) ->
              FakeAdmin.of(
                  RegionLocator.class,
                  (self, method, b) ->
                      switch (method.getName()) {
                        case "close" -> null;
                        case "getRegionLocation" -> new HRegionLocation(REGION, SERVER);
                        default -> List.of(new HRegionLocation(REGION, SERVER));
                      }));

  /** A second passes with each question for the time. */
  private final HBaseEngine engine =
      FakeAdmin.engine(
          new Clocks(InstantSource.system(), () -> ++seconds * 1_000_000_000L, duration -> {}),
          connection,
          asking,
          changing,
          new GivenLock());

  private CompactionState state() {
    if (partly > 0) {
      partly--;
      return CompactionState.MINOR;
    }
    if (requests < obeyed) {
      return CompactionState.NONE;
    }
    rewritten = takes-- <= 0;
    return rewritten ? CompactionState.NONE : CompactionState.MAJOR;
  }

  private RegionMetrics metrics() {
    return FakeAdmin.of(
        RegionMetrics.class,
        (proxy, called, a) ->
            switch (called.getName()) {
              case "getRegionName" -> REGION.getRegionName();
              case "getStoreFileCount" -> 3;
              case "getLastMajorCompactionTimestamp" -> rewritten ? 2L : 1L;
              default -> throw new AssertionError(called.getName());
            });
  }

  private void compact() throws EngineException {
    PartitionId partition = new PartitionId("t", REGION.getEncodedName());
    engine.compact(partition, Duration.ofSeconds(30));
    assertThat(rewritten).isTrue();
  }

  @Test
  void aRequestThatWasDroppedIsMadeAgain() throws EngineException {
    partly = 2;
    obeyed = 2;
    compact();
    assertThat(requests).isEqualTo(2);
  }

  /** However long it takes, by whatever clock. */
  @Test
  void oneThatIsObeyedIsMadeOnce() throws EngineException {
    takes = 5;
    compact();
    assertThat(requests).isEqualTo(1);
  }
}

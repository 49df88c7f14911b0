package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ServiceException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A stop interrupts the thread of an action. HBase's client makes an InterruptedIOException of it,
 * and leaves the thread's flag clear: what comes next must not be sent all the same.
 */
class InterruptTest {
  private static final ServerName FROM = ServerName.valueOf("n1,16020,1");
  private static final ServerName TO = ServerName.valueOf("n2,16020,1");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final PartitionId PARTITION = Cluster.partition(REGION);

  private final List<String> sent = new ArrayList<>();
  private IOException answer = interrupted();
  private ServerName location = FROM;

  private final Admin admin =
      FakeAdmin.of(Admin.class, (proxy, called, a) -> admin(called.getName()));

  private final Connection connection =
      FakeAdmin.of(
          Connection.class,
          (proxy, called, a) -> called.getName().equals("getTable") ? table() : locator());

  private final Cluster cluster =
      new Cluster(
          HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk")),
          Clocks.SYSTEM,
          connection,
          admin,
          admin);

  private final PluginClient plugin = new PluginClient(admin, () -> 1);

  /** As {@code BlockingRpcCallback} of 2.6.4 makes one. */
  private static IOException interrupted() {
    IOException told = new InterruptedIOException();
    told.initCause(new InterruptedException());
    return told;
  }

  private Object admin(String called) throws IOException {
    return switch (called) {
      case "getRegionServers" -> List.of(FROM, TO);
      case "listTableNames" -> new TableName[] {TABLE};
      case "listDecommissionedRegionServers" -> List.of();
      case "coprocessorService" ->
          FakeAdmin.channel(
              (method, controller, request, prototype) -> {
                sent.add(method.getName());
                throw new ServiceException("Error calling method", answer);
              });
      case "move" -> {
        sent.add("move");
        location = TO;
        yield null;
      }
      default -> throw new AssertionError(called);
    };
  }

  private Object locator() {
    return FakeAdmin.of(
        RegionLocator.class,
        (proxy, called, a) -> {
          HRegionLocation at = new HRegionLocation(REGION, location);
          return switch (called.getName()) {
            case "getAllRegionLocations" -> List.of(at);
            case "getRegionLocation" -> at;
            case "getRegionLocations" -> List.of(at);
            case "close" -> null;
            default -> throw new AssertionError(called);
          };
        });
  }

  /** For the read that shows that the region is served. */
  private static Table table() {
    return FakeAdmin.of(
        Table.class, (proxy, called, a) -> called.getName().equals("exists") ? false : null);
  }

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  private void move() throws EngineException {
    new RegionVerbs(cluster, plugin)
        .move(PARTITION, new NodeId("n2:16020"), Duration.ofSeconds(20), InCharge.ANYBODY);
  }

  @Test
  void noMoveFollowsAWarmUpThatWasInterrupted() {
    assertThatThrownBy(this::move).hasMessageEndingWith(": interrupted");
    assertThat(sent).containsExactly("History");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aPluginThatIsSlowDoesNotKeepARegion() throws EngineException {
    answer = new SocketTimeoutException("no answer in 15 s");
    move();
    assertThat(sent).containsExactly("History", "move");
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void askingAllServersEndsToo() {
    assertThatThrownBy(
            () ->
                new RequestReader(cluster, plugin, s -> false, () -> FakeAdmin.facts("2.6.4"))
                    .hints())
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(sent).hasSize(1);
  }
}

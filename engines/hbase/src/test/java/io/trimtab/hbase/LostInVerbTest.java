package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ServiceException;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.host.GivenLock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/**
 * A verb repeats for up to a minute, or waits for answers between its steps. Once control is lost
 * meanwhile, it sends nothing more: by then another controller may have begun.
 */
class LostInVerbTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final ServerName FROM = ServerName.valueOf("n1,16020,1");
  private static final ServerName TO = ServerName.valueOf("n2,16020,1");
  private static final NodeId TARGET = new NodeId("n2:16020");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo LEFT = region(new byte[0], new byte[] {5});
  private static final RegionInfo RIGHT = region(new byte[] {5}, new byte[0]);
  private static final KeyRange ALL = new KeyRange(RowKey.of(new byte[0]), RowKey.of(new byte[0]));
  private static final TableDescriptor DESCRIPTOR =
      TableDescriptorBuilder.newBuilder(TABLE)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .setNormalizationEnabled(true)
          .build();

  private final List<String> sent = new ArrayList<>();
  private String losesAt = "";
  private boolean held = true;

  private TableDescriptor descriptor = DESCRIPTOR;

  /** Every attempt of what changes something fails. */
  private boolean failing;

  private final Admin asking = FakeAdmin.of(Admin.class, (proxy, m, a) -> asked(m.getName(), a));
  private final Admin changing =
      FakeAdmin.of(Admin.class, (proxy, m, a) -> changed(m.getName(), a));

  private final Connection connection =
      FakeAdmin.of(Connection.class, (proxy, called, a) -> locator());

  private final GivenLock given = new GivenLock();
  private final ControlLock control = given.give(new FakeLock());
  private final HBaseEngine engine = FakeAdmin.engine(connection, asking, changing, given);

  private static RegionInfo region(byte[] start, byte[] end) {
    return RegionInfoBuilder.newBuilder(TABLE).setStartKey(start).setEndKey(end).build();
  }

  private final class FakeLock implements ControlLock {
    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public String holder() {
      return "me";
    }

    @Override
    public boolean held() {
      return held;
    }

    @Override
    public void write(String document, byte[] content) {}

    @Override
    public Set<String> stopRequests() {
      return Set.of();
    }

    @Override
    public void close() {
      held = false;
    }
  }

  private void loseAt(String called) {
    if (called.equals(losesAt)) {
      held = false;
    }
  }

  private Object changed(String called, Object[] arguments) throws IOException {
    loseAt(called);
    sent.add(called);
    if (failing) {
      throw new IOException("the master is slow");
    }
    if (called.equals("modifyTableAsync")) {
      descriptor = (TableDescriptor) arguments[0];
    }
    return called.endsWith("Async") ? CompletableFuture.completedFuture(null) : false;
  }

  private Object asked(String called, Object[] arguments) {
    loseAt(called);
    return switch (called) {
      case "isBalancerEnabled", "isNormalizerEnabled" -> false;
      case "isSplitEnabled", "isMergeEnabled" -> true;
      case "getRegionServers" -> List.of(FROM, TO);
      case "listDecommissionedRegionServers" -> draining();
      case "getDescriptor" -> descriptor;
      case "getProcedures" -> "[]";
      case "getRegionMetrics" -> List.of(metrics());
      case "coprocessorService" ->
          FakeAdmin.channel(
              (method, controller, request, prototype) -> {
                loseAt(method.getName());
                sent.add(method.getName());
                throw new ServiceException("no answer", new IOException("no answer"));
              });
      default -> throw new AssertionError(called + " " + List.of(arguments));
    };
  }

  private List<ServerName> draining() {
    return losesAt.equals("listDecommissionedRegionServers") || losesAt.startsWith("recommission")
        ? List.of(TO)
        : List.of();
  }

  private static RegionMetrics metrics() {
    return FakeAdmin.of(
        RegionMetrics.class,
        (proxy, called, a) ->
            switch (called.getName()) {
              case "getRegionName" -> LEFT.getRegionName();
              case "getStoreFileCount" -> 2;
              default -> 7L;
            });
  }

  private Object locator() {
    List<HRegionLocation> all =
        List.of(new HRegionLocation(LEFT, FROM), new HRegionLocation(RIGHT, FROM));
    return FakeAdmin.of(
        RegionLocator.class,
        (proxy, called, a) ->
            switch (called.getName()) {
              case "getAllRegionLocations" -> all;
              case "getRegionLocation" -> all.get(0);
              case "getRegionLocations" -> List.of(all.get(0));
              default -> null;
            });
  }

  private interface Verb {
    void run() throws EngineException;
  }

  private void assertSends(String lostAt, Verb verb, String... requests) {
    losesAt = lostAt;
    assertThatThrownBy(verb::run).isInstanceOf(LostControlException.class);
    assertThat(sent).containsExactly(requests);
  }

  private static PartitionId left() {
    return Cluster.partition(LEFT);
  }

  @Test
  void noSwitchIsRepeated() {
    failing = true;
    assertSends(
        "balancerSwitch",
        () -> engine.setBalancer(new BalancerState(true, true)),
        "balancerSwitch");
  }

  @Test
  void noSwitchFollowsAnAnswerThatCameTooLate() {
    assertSends("isBalancerEnabled", () -> engine.setBalancer(new BalancerState(true, true)));
  }

  @Test
  void theNormalizerIsNotSwitchedAfterTheBalancer() {
    assertSends(
        "balancerSwitch",
        () -> engine.setBalancer(new BalancerState(true, true)),
        "balancerSwitch");
  }

  @Test
  void noServerIsReopenedAfterAnAnswerThatCameTooLate() {
    assertSends("listDecommissionedRegionServers", () -> engine.setDraining(TARGET, false));
  }

  @Test
  void noServerIsReopenedAgain() {
    failing = true;
    assertSends(
        "recommissionRegionServer",
        () -> engine.setDraining(TARGET, false),
        "recommissionRegionServer");
  }

  @Test
  void noRegionMovesAfterWarmingUp() {
    assertSends("History", () -> engine.move(left(), TARGET, LIMIT), "History");
  }

  @Test
  void noRegionIsSplitAfterAnAnswerThatCameTooLate() {
    assertSends(
        "isSplitEnabled", () -> engine.split(left(), RowKey.of(new byte[] {2}), TARGET, LIMIT));
  }

  @Test
  void noRegionIsSplitAfterItsTableWasChanged() {
    assertSends(
        "modifyTableAsync",
        () -> engine.split(left(), RowKey.of(new byte[] {2}), TARGET, LIMIT),
        "modifyTableAsync");
  }

  @Test
  void noRegionsAreMergedAfterAnAnswerThatCameTooLate() {
    PartitionId right = Cluster.partition(RIGHT);
    assertSends("isMergeEnabled", () -> engine.merge(left(), right, ALL, LIMIT));
  }

  @Test
  void aTableKeepsItsMarkForTheSuccessor() {
    assertSends(
        "modifyTableAsync", () -> engine.setBlockSize("t", 8192, LIMIT), "modifyTableAsync");
  }

  @Test
  void noRegionIsCompactedAfterAnAnswerThatCameTooLate() {
    assertSends("getRegionMetrics", () -> engine.compact(left(), LIMIT));
  }

  @Test
  void noServerIsResizedAfterAnAnswerThatCameTooLate() {
    assertSends("getRegionServers", () -> engine.applyProfile(TARGET, Profile.HOMOGENEOUS, LIMIT));
  }

  @Test
  void whoNeverTookControlOrGaveItBackMayStillChangeSomething() throws EngineException {
    control.close();
    engine.setBlockSize("t", 8192, LIMIT);
    assertThat(sent).containsExactly("modifyTableAsync", "modifyTableAsync");
  }

  @Test
  void aLockThatWasLostAndClosedStillForbids() {
    held = false;
    control.close();
    assertSends("", () -> engine.setBlockSize("t", 8192, LIMIT));
  }
}

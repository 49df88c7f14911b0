package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.trimtab.hbaseplugin.RegionRequests.Range;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Who may call what, with HBase's own permissions; and which controllers come too late. */
class ProfileEndpointTest {
  private static final byte[] OPEN = {};
  private static final TableName SHOP = TableName.valueOf("shop");

  private final RegionRequests requests = new RegionRequests(System::nanoTime);
  private Optional<User> caller = user("nobody");
  private FakeServer server;
  private ProfileEndpoint endpoint;

  private static Optional<User> user(String name) {
    return Optional.of(User.create(UserGroupInformation.createRemoteUser(name)));
  }

  private void start(boolean authorization) throws IOException {
    server = new FakeServer(authorization);
    endpoint = new ProfileEndpoint(requests, () -> caller);
    endpoint.start(server.environment());
  }

  /** As a RegionServer calls an endpoint. */
  private Message call(MethodDescriptor method, Message request) throws IOException {
    ServerRpcController controller = new ServerRpcController();
    AtomicReference<Message> answer = new AtomicReference<>();
    endpoint.callMethod(method, controller, request, answer::set);
    controller.checkFailed();
    return answer.get();
  }

  private NodeReport report(MethodDescriptor method, Message request) throws IOException {
    return NodeReport.parse(call(method, request).toByteArray());
  }

  /** Shares of the heap that differ from the fake server's limits. */
  private static Message resize(long epoch) {
    return ControllerEpoch.on(new ResizeRequest(0.3, 0.4, false).message(), epoch);
  }

  private void follow(String region, String table) {
    RegionFollower follower = requests.open(region, new Range(table, OPEN, OPEN));
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      follower.write(new byte[] {(byte) random.nextInt(256), (byte) random.nextInt(256)});
    }
  }

  private static Map<MethodDescriptor, Message> changes() {
    return Map.of(
        NodeProtocol.RESIZE, resize(0),
        NodeProtocol.CACHED, BlockList.request("r"),
        NodeProtocol.WARM, BlockList.of(List.of()).message(),
        NodeProtocol.INHERIT, RegionHistory.of("r", counts()).message(),
        NodeProtocol.EVICT, BlockList.of(List.of()).message(),
        NodeProtocol.HISTOGRAMS, HistogramList.request(),
        NodeProtocol.EXACT_HISTOGRAMS, HistogramList.request());
  }

  private static byte[] counts() {
    return new BlockAccesses(List.of(new byte[] {1}, new byte[] {9}), OPEN, OPEN).toBytes();
  }

  @Test
  void whatChangesSomethingNeedsAdmin() throws IOException {
    start(true);
    server.grant("nobody", SHOP, Action.ADMIN);
    long before = server.cache.getMaxSize();

    changes()
        .forEach(
            (method, request) ->
                assertThatThrownBy(() -> call(method, request))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessage(
                        "user nobody needs the global permission ADMIN for " + method.getName()));
    assertThat(server.cache.getMaxSize()).isEqualTo(before);

    server.grantGlobally("boss", Action.ADMIN);
    caller = user("boss");
    for (Map.Entry<MethodDescriptor, Message> change : changes().entrySet()) {
      assertThat(call(change.getKey(), change.getValue())).isNotNull();
    }
    assertThat(server.cache.getMaxSize()).isNotEqualTo(before);
    // Shows no key, and changes nothing.
    caller = user("nobody");
    assertThat(report(NodeProtocol.REPORT, ResizeRequest.report()).text(Field.REFUSAL)).isEmpty();
  }

  @Test
  void theOldNameOfTheServiceIsNoWayAround() throws IOException {
    start(true);
    for (var service : endpoint.getServices()) {
      ServerRpcController controller = new ServerRpcController();
      MethodDescriptor method = service.getDescriptorForType().findMethodByName("Resize");
      service.callMethod(method, controller, resize(0), answer -> assertThat(answer).isNull());
      assertThatThrownBy(controller::checkFailed).isInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  void splitKeysAreShownToWhoMayReadTheirTable() throws IOException {
    start(true);
    follow("a", "shop");
    follow("b", "secret:payroll");
    server.grant("nobody", SHOP, Action.READ);

    Message answer = call(NodeProtocol.SPLITS, SplitList.request());

    var splits = SplitList.parse(answer.toByteArray()).regions();
    assertThat(splits.get(0).key()).isNotEmpty();
    assertThat(splits.get(0).requests()).isPositive();
    assertThat(splits.get(1).region()).isEqualTo("b");
    assertThat(splits.get(1).key()).isEmpty();
    assertThat(splits.get(1).requests()).isZero();
    assertThat(splits.get(1).reason())
        .isEqualTo("user nobody needs the permission READ on table secret:payroll for Splits");
  }

  /** A region's history holds the first key of each of its blocks. */
  @Test
  void aRegionsHistoryIsShownToWhoMayReadItsTable() throws IOException {
    start(true);
    requests.expect("r", BlockAccesses.of(counts()));
    requests.open("r", new Range("shop", OPEN, OPEN));
    server.grant("reader", SHOP, Action.READ);

    assertThatThrownBy(() -> call(NodeProtocol.HISTORY, BlockList.request("r")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage("user nobody needs the permission READ on table shop for History");

    caller = user("reader");
    Message known = call(NodeProtocol.HISTORY, BlockList.request("r"));
    assertThat(RegionHistory.of(known).accesses()).isNotEmpty();
    Message unknown = call(NodeProtocol.HISTORY, BlockList.request("elsewhere"));
    assertThat(RegionHistory.of(unknown).accesses()).isEmpty();
  }

  @Test
  void aCallerWithoutANameMayNothing() throws IOException {
    start(true);
    caller = Optional.empty();

    assertThatThrownBy(() -> call(NodeProtocol.RESIZE, resize(0)))
        .hasMessage("an unknown user needs the global permission ADMIN for Resize");
  }

  @Test
  void whatCantBeCheckedIsRefused() throws IOException {
    start(true);
    follow("a", "shop");
    server.replaceChecker(
        new AccessChecker(server.configuration) {
          @Override
          public void requirePermission(User user, String request, String filter, Action action) {
            throw new IllegalStateException("broken");
          }

          @Override
          public void requirePermission(
              User user,
              String request,
              TableName table,
              byte[] family,
              byte[] qualifier,
              String filter,
              Action... actions) {
            throw new IllegalStateException("broken");
          }
        });
    String refusal = " is refused: HBase's permissions can't be checked";

    assertThatThrownBy(() -> call(NodeProtocol.RESIZE, resize(0)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage("Resize" + refusal);
    Message splits = call(NodeProtocol.SPLITS, SplitList.request());
    var split = SplitList.parse(splits.toByteArray()).regions().get(0);
    assertThat(split.key()).isEmpty();
    assertThat(split.reason()).isEqualTo("Splits" + refusal);
    assertThat(report(NodeProtocol.REPORT, ResizeRequest.report()).number(Field.FAILURES))
        .isEqualTo(2);

    server.replaceChecker(null);
    assertThatThrownBy(() -> call(NodeProtocol.RESIZE, resize(0)))
        .hasMessage("Resize is refused until this server has read HBase's permissions");
  }

  @Test
  void withoutAuthorizationThePluginIsAsOpenAsHBase() throws IOException {
    start(false);
    follow("a", "shop");
    caller = Optional.empty();

    assertThat(report(NodeProtocol.RESIZE, resize(0)).text(Field.REFUSAL)).isEmpty();
    Message splits = call(NodeProtocol.SPLITS, SplitList.request());
    assertThat(SplitList.parse(splits.toByteArray()).regions().get(0).key()).isNotEmpty();
    assertThat(CallerAccess.policy(server.configuration))
        .isEqualTo(
            "hbase.security.authorization is off:"
                + " whoever reaches this server may call it, as HBase itself");
    assertThat(CallerAccess.policy(new FakeServer(true).configuration))
        .isEqualTo("HBase's permissions decide who may call it");
  }

  @Test
  void anOlderControllerChangesNothingAnyMore() throws IOException {
    start(false);
    String refusal = "epoch 6 is older than 7: another controller has taken over";
    assertThat(
            report(NodeProtocol.WARM, epoch(BlockList.of(List.of()).message(), 7))
                .text(Field.REFUSAL))
        .isEmpty();
    long before = server.cache.getMaxSize();

    assertThat(report(NodeProtocol.RESIZE, resize(6)).text(Field.REFUSAL)).isEqualTo(refusal);
    assertThat(server.cache.getMaxSize()).isEqualTo(before);
    Message warm = epoch(BlockList.of(List.of()).message(), 6);
    assertThat(report(NodeProtocol.WARM, warm).text(Field.REFUSAL)).isEqualTo(refusal);
    assertThat(report(NodeProtocol.EVICT, warm).text(Field.REFUSAL)).isEqualTo(refusal);
    Message inherit = epoch(RegionHistory.of("r", counts()).message(), 6);
    assertThat(report(NodeProtocol.INHERIT, inherit).text(Field.REFUSAL)).isEqualTo(refusal);
    assertThat(requests.open("r", new Range("shop", OPEN, OPEN)).accesses()).isEmpty();
    Message cached = call(NodeProtocol.CACHED, epoch(BlockList.request("r"), 6));
    assertThat(BlockList.of(cached).refusal()).isEqualTo(refusal);

    // The same controller again, a newer one, and one of a version that has no epochs.
    for (long epoch : new long[] {7, 8, ControllerEpoch.NONE}) {
      assertThat(report(NodeProtocol.RESIZE, resize(epoch)).text(Field.REFUSAL)).isEmpty();
    }
    assertThat(server.cache.getMaxSize()).isNotEqualTo(before);
  }

  /** Else anyone could shut out every controller, with the greatest epoch there is. */
  @Test
  void whoMayNothingRaisesNoEpoch() throws IOException {
    start(true);
    server.grantGlobally("boss", Action.ADMIN);
    assertThatThrownBy(() -> call(NodeProtocol.RESIZE, resize(Long.MAX_VALUE)))
        .isInstanceOf(AccessDeniedException.class);

    caller = user("boss");
    assertThat(report(NodeProtocol.RESIZE, resize(7)).text(Field.REFUSAL)).isEmpty();
  }

  /** As a controller does when it takes over. */
  @Test
  void anEmptyEvictionIsEnoughToRefuseEarlierControllers() throws IOException {
    start(false);
    Message nothing = epoch(BlockList.of(List.of()).message(), 8);
    assertThat(report(NodeProtocol.EVICT, nothing).text(Field.REFUSAL)).isEmpty();
    assertThat(report(NodeProtocol.RESIZE, resize(7)).text(Field.REFUSAL))
        .contains("epoch 7 is older than 8");
  }

  private static Message epoch(Message request, long epoch) {
    return ControllerEpoch.on(request, epoch);
  }

  @Test
  void jmxShowsNoKeysUnlessTheServerIsToldTo() {
    follow("a", "shop");

    assertThat(new RequestsBean(requests, () -> false).getRegions().get("a").getKey()).isEmpty();
    assertThat(new RequestsBean(requests, () -> true).getRegions().get("a").getKey()).isNotEmpty();
  }

  @Test
  void theSettingOfTheServerDecidesWhatJmxShows() throws Exception {
    RegionFollower follower = RegionRequests.OF_SERVER.open("jmx", new Range("t", OPEN, OPEN));
    for (int i = 0; i < 10_000; i++) {
      follower.write(new byte[] {(byte) i, (byte) (i >> 8)});
    }
    RequestsBean.register();
    try {
      start(false);
      assertThat(keysInJmx()).contains("key=,");
      server.configuration.setBoolean("trimtab.jmx.keys", true);
      endpoint.start(server.environment());
      assertThat(keysInJmx()).doesNotContain("key=,");
    } finally {
      RequestsBean.showKeys(false);
      RegionRequests.OF_SERVER.close("jmx");
    }
  }

  private static List<Thread> savers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(CountsSaver.THREAD))
        .collect(Collectors.toList());
  }

  @Test
  void countsAreSavedByAThreadOfTheirOwnUnlessTheServerIsToldNotTo() throws Exception {
    start(false);
    assertThat(savers()).isEmpty();

    server.configuration.unset("trimtab.histograms.saved");
    endpoint.start(server.environment());
    // As HBase does it after update_config, without stopping the one of before.
    new ProfileEndpoint(requests, () -> caller).start(server.environment());
    List<Thread> savers = savers();
    endpoint.stop(server.environment());

    assertThat(savers).singleElement().matches(Thread::isDaemon);
    savers.get(0).join();
  }

  private static String keysInJmx() throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .getAttribute(new javax.management.ObjectName(RequestsBean.NAME), "Regions")
        .toString();
  }
}

package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.hbase.zookeeper.ZooKeeperAccess;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is done to a server that is emptied: HBase's own regions leave it, and a note in a real
 * ZooKeeper says that it was on purpose. Its master is a fake.
 */
@Timeout(60)
class DrainingTest {
  private static final ServerName SERVER = ServerName.valueOf("node1", 16020, 7);

  @TempDir private Path folder;
  private ServerCnxnFactory zookeeper;
  private HBaseContact target;

  @BeforeEach
  void start() throws Exception {
    zookeeper = new NIOServerCnxnFactory();
    zookeeper.configure(new InetSocketAddress("127.0.0.1", 0), 10);
    zookeeper.startup(new ZooKeeperServer(folder.toFile(), folder.toFile(), 1_000));
    target = HBaseContact.of("127.0.0.1:" + zookeeper.getLocalPort());
  }

  @AfterEach
  void end() {
    zookeeper.shutdown();
  }

  /** A master that has a server open for regions, if it lives. */
  private HBaseEngine engine(ServerName... live) {
    Admin asking =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) ->
                switch (called.getName()) {
                  case "getRegionServers" -> List.of(live);
                  case "listDecommissionedRegionServers" -> List.of();
                  default -> throw new AssertionError(called.getName());
                });
    // It is only closed.
    Connection connection = FakeAdmin.of(Connection.class, (proxy, called, a) -> null);
    Admin changing = FakeAdmin.of(Admin.class, (proxy, called, a) -> connection);
    return new HBaseEngine(
        new Cluster(target, Clocks.SYSTEM, connection, asking, changing),
        FakeAdmin.facts("2.6.4"),
        new GivenLock());
  }

  private List<ServerName> missedWhenDead() throws EngineException {
    try (ZooKeeperAccess access = new ZooKeeperAccess(target)) {
      return new DrainedServers(access, "c", () -> 0).broken(Set.of(), List.of(), List.of(SERVER));
    }
  }

  private void record(ServerName server) throws EngineException {
    try (ZooKeeperAccess died = new ZooKeeperAccess(target)) {
      new DrainedServers(died, "c", () -> 0).add(server);
    }
  }

  /** It died before HBase was told to drain the server, or after HBase was told to reopen it. */
  @Test
  void whatAControllerLeftThatDiedBetweenTheStepsIsTidiedUp() throws Exception {
    record(SERVER);
    assertThat(missedWhenDead()).as("taken for one that was emptied on purpose").isEmpty();

    try (HBaseEngine engine = engine(SERVER)) {
      engine.setDraining(Cluster.node(SERVER), false);
    }

    assertThat(missedWhenDead()).containsExactly(SERVER);
  }

  /** It was to stay, and broke before it was reopened. */
  @Test
  void aServerThatDiesBeforeItIsReopenedIsMissed() throws Exception {
    record(SERVER);
    record(OTHER);

    try (HBaseEngine engine = engine()) {
      engine.setDraining(Cluster.node(SERVER), false);
    }

    assertThat(missedWhenDead()).containsExactly(SERVER);
    try (ZooKeeperAccess access = new ZooKeeperAccess(target)) {
      assertThat(
              new DrainedServers(access, "c", () -> 0).broken(Set.of(), List.of(), List.of(OTHER)))
          .as("another one's note stays")
          .isEmpty();
    }
  }

  /** Looks of one controller at a cluster of one server. */
  private final class Looks implements AutoCloseable {
    private final ZooKeeperAccess access = new ZooKeeperAccess(target);
    private final List<ServerName> closed = new ArrayList<>();
    private boolean alive = true;
    private long nowNs;

    private final DrainedServers drained = new DrainedServers(access, "c", () -> nowNs);

    private final Admin admin =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) ->
                switch (called.getName()) {
                  case "getClusterMetrics" -> metrics();
                  case "listTableDescriptors" -> List.of();
                  case "listDecommissionedRegionServers" -> closed;
                  default -> false;
                });

    private final HBaseSnapshots snapshots =
        new HBaseSnapshots(
            new Cluster(target, Clocks.SYSTEM, FakeAdmin.unused(Connection.class), admin, admin),
            FakeAdmin.facts("2.6.4"),
            new PluginClient(admin, () -> 0),
            drained,
            List::of,
            () -> nowNs);

    private ClusterMetrics metrics() {
      return ClusterMetricsBuilder.newBuilder()
          .setLiveServerMetrics(
              alive ? Map.of(SERVER, ServerMetricsBuilder.newBuilder(SERVER).build()) : Map.of())
          .setDeadServerNames(alive ? List.of() : List.of(SERVER))
          .build();
    }

    /** Looks, half a minute after the last look. */
    List<NodeState> look() throws EngineException {
      nowNs += Duration.ofSeconds(30).toNanos();
      return snapshots.read(Optional.empty()).nodes();
    }

    @Override
    public void close() {
      snapshots.close();
      access.close();
    }
  }

  /** By HBase's shell, so that the note is still there weeks later. */
  @Test
  void aServerThatSomebodyReopenedIsMissedWhenItBreaks() throws Exception {
    try (Looks controller = new Looks()) {
      controller.look();
      controller.drained.add(SERVER);
      controller.closed.add(SERVER);
      controller.look();
      controller.closed.clear();
      for (int i = 0; i < 3; i++) {
        controller.look();
      }
      controller.alive = false;

      assertThat(controller.look()).extracting(NodeState::alive).containsExactly(false);
      assertThat(controller.look()).as("at each look").hasSize(1);
    }
  }

  /** However long it took regions before: it is never seen draining where that goes fast. */
  @Test
  void aServerThatIsDrainedAndStopsIsNotMissed() throws Exception {
    try (Looks controller = new Looks()) {
      for (int i = 0; i < 9; i++) {
        controller.look();
      }
      controller.drained.add(SERVER);
      controller.look();
      controller.alive = false;
      assertThat(controller.look()).isEmpty();
    }
  }

  /** Who looked on while another one drained it does not know since when there is a note. */
  @Test
  void whoTakesControlLooksAnew() throws Exception {
    try (Looks controller = new Looks()) {
      for (int i = 0; i < 9; i++) {
        controller.look();
      }
      record(SERVER);
      controller.drained.lookAnew();
      controller.alive = false;
      assertThat(controller.look()).isEmpty();
    }
  }

  private static final ServerName LEAVES = ServerName.valueOf("n1", 16020, 1);
  private static final ServerName DRAINS = ServerName.valueOf("n2", 16020, 1);
  private static final ServerName SILENT = ServerName.valueOf("n3", 16020, 1);
  private static final ServerName STAYS = ServerName.valueOf("n4", 16020, 1);
  private static final ServerName OTHER = ServerName.valueOf("n5", 16020, 1);
  private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;
  private static final RegionInfo USERS =
      RegionInfoBuilder.newBuilder(TableName.valueOf("users")).build();

  private final List<RegionInfo> served = new ArrayList<>(List.of(USERS, META));
  private final List<ServerName> all = new ArrayList<>(List.of(LEAVES, DRAINS, SILENT, STAYS));
  private final Map<ServerName, List<RegionInfo>> others = new HashMap<>();
  private final Deque<List<RegionState>> moving = new ArrayDeque<>();
  private final List<String> moved = new ArrayList<>();

  private Object asked(String called, Object... arguments) throws IOException {
    return switch (called) {
      case "getRegionServers" -> all;
      case "listDecommissionedRegionServers" -> List.of(LEAVES, DRAINS);
      case "getRegions" -> regionsOf((ServerName) arguments[0]);
      case "getClusterMetrics" ->
          ClusterMetricsBuilder.newBuilder()
              .setRegionsInTransition(moving.isEmpty() ? List.of() : moving.pop())
              .build();
      default -> throw new AssertionError(called);
    };
  }

  private List<RegionInfo> regionsOf(ServerName server) throws IOException {
    if (server.equals(SILENT)) {
      throw new IOException("no answer");
    }
    return server.equals(LEAVES) ? List.copyOf(served) : others.getOrDefault(server, List.of());
  }

  private Object changed(String called, Object... arguments) {
    if (!called.equals("move")) {
      throw new AssertionError(called);
    }
    String name = Bytes.toString((byte[]) arguments[0]);
    served.removeIf(region -> region.getEncodedName().equals(name));
    moved.add(name + " to " + arguments[1]);
    return null;
  }

  private HBaseEngine serving() {
    return FakeAdmin.engine(
        FakeAdmin.unused(Connection.class),
        FakeAdmin.of(Admin.class, (proxy, called, a) -> asked(called.getName(), a)),
        FakeAdmin.of(Admin.class, (proxy, called, a) -> changed(called.getName(), a)),
        new GivenLock());
  }

  @Test
  void metaLeavesAServerThatIsDrained() throws Exception {
    serving().setDraining(Cluster.node(LEAVES), true);

    assertThat(moved).containsExactly(META.getEncodedName() + " to " + STAYS);
    assertThat(served).as("users' regions are the plan's").containsExactly(USERS);
  }

  @Test
  void itsReplicasDoNotMeet() throws Exception {
    all.add(OTHER);
    others.put(STAYS, List.of(RegionReplicaUtil.getRegionInfoForReplica(META, 1)));
    others.put(OTHER, List.of(system("a"), system("b")));

    serving().setDraining(Cluster.node(LEAVES), true);

    assertThat(moved).containsExactly(META.getEncodedName() + " to " + OTHER);
  }

  private static RegionInfo system(String table) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("hbase", table)).build();
  }

  @Test
  void whatOpensElsewhereIsWaitedFor() throws Exception {
    served.remove(META);
    moving.add(List.of(RegionState.createForTesting(META, RegionState.State.OPENING)));

    serving().setDraining(Cluster.node(LEAVES), true);

    assertThat(moving).as("it was looked at again").isEmpty();
    assertThat(moved).isEmpty();
  }

  @Test
  void whereNoOtherServerTakesItThatIsSaid() {
    all.remove(STAYS);

    assertThatThrownBy(() -> serving().setDraining(Cluster.node(LEAVES), true))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no other RegionServer takes HBase's own hbase:meta from n1:16020");
    assertThat(moved).isEmpty();
  }
}

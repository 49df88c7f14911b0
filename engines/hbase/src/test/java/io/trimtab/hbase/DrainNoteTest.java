package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.hbase.zookeeper.ZooKeeperAccess;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The note that a server was emptied on purpose, in a real ZooKeeper; its master is a fake. */
@Timeout(60)
class DrainNoteTest {
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

  /** A master that has the server open for regions. */
  private HBaseEngine engine() {
    Admin asking =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) ->
                switch (called.getName()) {
                  case "getRegionServers" -> List.of(SERVER);
                  case "listDecommissionedRegionServers" -> List.of();
                  default -> throw new AssertionError(called.getName());
                });
    // It is only closed.
    Connection connection = FakeAdmin.of(Connection.class, (proxy, called, a) -> null);
    Admin changing = FakeAdmin.of(Admin.class, (proxy, called, a) -> connection);
    return new HBaseEngine(
        new Cluster(target, Clocks.SYSTEM, connection, asking, changing),
        new ClusterFacts("c", "2.6.4", 3, List.of(), false, false, false, true),
        new GivenLock());
  }

  private List<ServerName> missedWhenDead() throws EngineException {
    try (ZooKeeperAccess access = new ZooKeeperAccess(target)) {
      return new DrainedServers(access, "c").broken(List.of(SERVER));
    }
  }

  /** It died before HBase was told to drain the server, or after HBase was told to reopen it. */
  @Test
  void whatAControllerLeftThatDiedBetweenTheStepsIsTidiedUp() throws Exception {
    try (ZooKeeperAccess died = new ZooKeeperAccess(target)) {
      new DrainedServers(died, "c").add(SERVER);
    }
    assertThat(missedWhenDead()).as("taken for one that was emptied on purpose").isEmpty();

    try (HBaseEngine engine = engine()) {
      engine.setDraining(Cluster.node(SERVER), false);
    }

    assertThat(missedWhenDead()).containsExactly(SERVER);
  }
}

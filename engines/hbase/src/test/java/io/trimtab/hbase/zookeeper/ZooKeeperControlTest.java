package io.trimtab.hbase.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.ServerName;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real ZooKeeper in this process, and no HBase beside it: its master is down. */
@Timeout(60)
class ZooKeeperControlTest {
  @TempDir private Path folder;
  private ServerCnxnFactory server;
  private HBaseContact target;

  @BeforeEach
  void start() throws Exception {
    server = new NIOServerCnxnFactory();
    server.configure(new InetSocketAddress("127.0.0.1", 0), 10);
    server.startup(new ZooKeeperServer(folder.toFile(), folder.toFile(), 1_000));
    target = HBaseContact.of("127.0.0.1:" + server.getLocalPort());
  }

  @AfterEach
  void end() {
    server.shutdown();
  }

  @Test
  void aStopIsRequestedWithoutAMaster() throws Exception {
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(target.zookeeper(), new RetryOneTime(100))) {
      client.start();
      client
          .create()
          .creatingParentsIfNeeded()
          .forPath("/hbase/hbaseid", new ClusterId("0815").toByteArray());
    }
    assertThatThrownBy(() -> HBaseEngine.connect(target))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no HBase master is registered")
        .as("nor does any RegionServer run")
        .isInstanceOf(NoClusterException.class);

    try (ZooKeeperControl control = ZooKeeperControl.connect(target)) {
      assertThat(control.clusterId()).isEqualTo("0815");
      assertThat(control.shared().holder()).isEmpty();
      control.shared().requestStop("an operator");
      assertThat(control.shared().stopRequests())
          .singleElement()
          .asString()
          .endsWith(" by an operator");
    }
    try (ZooKeeperAccess controller = new ZooKeeperAccess(target)) {
      assertThat(new ZooKeeperState(controller, "0815").stopRequests()).hasSize(1);
    }
  }

  /** RegionServers serve without a master. */
  @Test
  void aMasterThatIsAwayIsNoClusterThatIsNot() throws Exception {
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(target.zookeeper(), new RetryOneTime(100))) {
      client.start();
      client.create().creatingParentsIfNeeded().forPath("/hbase/rs/node1,16020,1");
      client.create().forPath("/hbase/rs/node1,16020,12");
      client.create().forPath("/hbase/rs/node2,16020,3");
    }
    assertThatThrownBy(() -> HBaseEngine.connect(target))
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(NoClusterException.class)
        .hasMessageContaining("no HBase master is registered");
    try (ZooKeeperAccess access = new ZooKeeperAccess(target)) {
      assertThat(new LivingServers(access, target).list())
          .containsExactly(
              ServerName.valueOf("node1,16020,12"), ServerName.valueOf("node2,16020,3"));
    }
  }

  @Test
  void aZooKeeperWithoutHBaseIsRefused() {
    assertThatThrownBy(() -> ZooKeeperControl.connect(target))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no HBase cluster is registered under /hbase/hbaseid");
  }
}

package io.trimtab.hbase.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper.Trial;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a real ZooKeeper in this process, at which HBase's master is registered. */
@Timeout(60)
class ZooKeeperCheckTest {
  @TempDir private Path folder;
  private NIOServerCnxnFactory factory;
  private ZooKeeperServer server;
  private CuratorFramework other;
  private HBaseContact target;

  @BeforeEach
  void start() throws Exception {
    server = new ZooKeeperServer(folder.toFile(), folder.toFile(), 1_000);
    factory = new NIOServerCnxnFactory();
    factory.configure(new InetSocketAddress("127.0.0.1", 0), 20);
    factory.startup(server);
    target = HBaseContact.of("127.0.0.1:" + factory.getLocalPort());
    other =
        CuratorFrameworkFactory.builder()
            .connectString(target.zookeeper())
            .retryPolicy(new RetryOneTime(100))
            .authorization("digest", "other:secret".getBytes(StandardCharsets.UTF_8))
            .build();
    other.start();
    other.create().creatingParentsIfNeeded().forPath("/hbase/master");
  }

  @AfterEach
  void stop() {
    other.close();
    factory.shutdown();
    server.shutdown();
  }

  /** The steps of a session, in lines; HBase's master is found. */
  private List<String> session() {
    List<ConnectionStep> steps = new ArrayList<>();
    assertThat(new ZooKeeperCheck(target, steps::add).session()).isTrue();
    List<String> told = steps.stream().map(ConnectionStep::text).toList();
    assertThat(told.get(0)).isEqualTo("ok      ZooKeeper with HBase's master under /hbase");
    return told.subList(1, told.size());
  }

  @Test
  void theFirstControllerMayMakeItsZnodeAndTheCheckDoesNot() throws Exception {
    int made = server.getZKDatabase().getNodeCount();
    assertThat(session()).containsExactly("ok      znode /trimtab: the first controller makes it");
    assertThat(other.getChildren().forPath("/")).doesNotContain("trimtab");
    assertThat(server.getZKDatabase().getNodeCount()).isEqualTo(made);

    other.create().forPath("/trimtab");
    assertThat(session())
        .containsExactly(
            "ok      znode /trimtab is the controllers' own: as far as ZooKeeper knows users");
    assertThat(other.getChildren().forPath("/trimtab")).isEmpty();
  }

  /** It is what hinders, and not ZooKeeper's session, after which the master is checked. */
  @Test
  void anotherUsersZnodeIsToldOnce() throws Exception {
    other.create().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath("/trimtab");
    assertThat(session())
        .singleElement()
        .asString()
        .startsWith("FAILED  znode /trimtab is the controllers' own: it is another user's;");
    assertThat(other.getChildren().forPath("/trimtab")).isEmpty();
  }

  @Test
  void aRootThatMayNotBeWrittenToIsTold() throws Exception {
    other.setACL().withACL(ZooDefs.Ids.READ_ACL_UNSAFE).forPath("/");
    assertThat(session())
        .containsExactly(
            "FAILED  znode /trimtab: there is none, and the user can't make it; to mend it: as who"
                + " may, in zkCli.sh: create /trimtab \"\" world:anyone:cdrwa");
  }

  @Test
  void aMasterThatIsNotRegisteredDoesNotHideTheZnode() throws Exception {
    other.delete().forPath("/hbase/master");
    List<ConnectionStep> steps = new ArrayList<>();
    assertThat(new ZooKeeperCheck(target, steps::add).session()).isFalse();
    assertThat(steps.stream().map(step -> step.works()).toList()).containsExactly(false, true);
  }

  /** A user of Kerberos is nobody to a server without SASL, which lets the session in. */
  @Test
  void aServerThatKnowsNoUsersIsFoundOut() throws EngineException {
    try (ClusterZooKeeper zookeeper = ClusterZooKeeper.open(target)) {
      Trial trial = zookeeper.trial("/trimtab", ZooDefs.Ids.CREATOR_ALL_ACL);
      assertThat(trial).isEqualTo(Trial.NOBODY);
      assertThat(told(false, false, trial))
          .singleElement()
          .asString()
          .startsWith("FAILED  ZooKeeper knows the user: ")
          .endsWith("or set kerberos.zookeeper to false");
    }
  }

  private static List<String> told(boolean there, boolean open, Trial trial) {
    return ZooKeeperCheck.told(there, open, trial, Optional.of("trimtab@EXAMPLE.ORG")).stream()
        .map(ConnectionStep::text)
        .toList();
  }

  @Test
  void aKnownUsersZnodeIsItsAlone() {
    assertThat(told(true, false, Trial.MAY))
        .containsExactly(
            "ok      ZooKeeper knows the user", "ok      znode /trimtab is the controllers' own");
    assertThat(told(true, true, Trial.MAY).get(1))
        .isEqualTo(
            "FAILED  znode /trimtab is the controllers' own: everybody may use it; to mend it: as"
                + " its user, in zkCli.sh: setAcl -R /trimtab auth::cdrwa");
    assertThat(told(true, false, Trial.REFUSED).get(1))
        .endsWith("setAcl -R /trimtab sasl:trimtab@EXAMPLE.ORG:cdrwa");
    assertThat(told(false, false, Trial.REFUSED).get(1))
        .endsWith("create /trimtab \"\" sasl:trimtab@EXAMPLE.ORG:cdrwa");
  }
}

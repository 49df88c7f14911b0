package io.trimtab.hbase.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.hbase.HBaseContact;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock in a ZooKeeper of one server. */
class ZooKeeperLockTest {
  private static final int TICK_MS = 2_000;
  private static final long FIRST_DAY = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();

  @TempDir Path data;
  private ZooKeeperServer server;
  private NIOServerCnxnFactory factory;
  private HBaseContact contact;
  private final ControlPaths paths = new ControlPaths("c");

  @BeforeEach
  void start() throws IOException, InterruptedException {
    server = new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MS);
    factory = new NIOServerCnxnFactory();
    factory.configure(new InetSocketAddress("127.0.0.1", 0), 20);
    factory.startup(server);
    contact = HBaseContact.of("127.0.0.1:" + factory.getLocalPort());
  }

  @AfterEach
  void stop() {
    factory.shutdown();
    server.shutdown();
  }

  private ZooKeeperLock take(long second) throws EngineException {
    Clock wall = Clock.fixed(Instant.ofEpochSecond(second), ZoneOffset.UTC);
    return ZooKeeperLock.take(contact, "c", "me", System::nanoTime, wall);
  }

  private long transactions() {
    return server.getZKDatabase().getDataTreeLastProcessedZxid();
  }

  /** What only one server has seen, the others may not know: a transaction needs most of them. */
  @Test
  void theLockIsRenewedByATransaction() throws EngineException {
    try (ZooKeeperLock lock = take(FIRST_DAY)) {
      long before = transactions();
      lock.renew();
      assertThat(transactions()).isGreaterThan(before);
      assertThat(lock.held()).isTrue();
    }
  }

  @Test
  void aLockWhoseNodeIsGoneIsLost() throws EngineException {
    try (ZooKeeperLock lock = take(FIRST_DAY);
        ClusterZooKeeper other = ClusterZooKeeper.open(contact)) {
      assertThatThrownBy(() -> take(FIRST_DAY)).isInstanceOf(ControlTakenException.class);
      other.delete(paths.holder());
      assertThatThrownBy(lock::renew).isInstanceOf(LostControlException.class);
      assertThat(lock.held()).isFalse();
    }
  }

  @Test
  void aLockThatAnotherControllerTookIsLost() throws EngineException {
    try (ZooKeeperLock lock = take(FIRST_DAY);
        ClusterZooKeeper other = ClusterZooKeeper.open(contact)) {
      other.delete(paths.holder());
      try (ZooKeeperLock next = take(FIRST_DAY)) {
        assertThat(next.epoch()).isEqualTo(lock.epoch() + 1);
        assertThatThrownBy(lock::renew).isInstanceOf(LostControlException.class);
        assertThatThrownBy(() -> lock.write("plan", new byte[] {1}))
            .isInstanceOf(LostControlException.class);
        next.renew();
        assertThat(next.held()).isTrue();
      }
    }
  }

  /** RegionServers remember the greatest epoch that they have seen. */
  @Test
  void epochsGrowThoughSomebodyDeletesThem() throws EngineException {
    long before;
    try (ZooKeeperLock lock = take(FIRST_DAY)) {
      before = lock.epoch();
    }
    try (ZooKeeperLock lock = take(FIRST_DAY - 5)) {
      assertThat(lock.epoch()).as("kept").isEqualTo(before + 1);
    }
    try (ClusterZooKeeper other = ClusterZooKeeper.open(contact)) {
      other.delete(paths.epoch());
    }
    try (ZooKeeperLock lock = take(FIRST_DAY + 60)) {
      assertThat(lock.epoch()).isGreaterThan(before + 1);
    }
  }
}

package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** A session with the cluster's ZooKeeper, where the controller keeps the little that it shares. */
public final class ZooKeeperSession implements AutoCloseable {
  /** After this a controller that vanished without a word is no longer the cluster's. */
  private static final Duration SESSION = Duration.ofSeconds(20);

  private final String servers;
  private final String hbase;
  private final ZooKeeper zookeeper;

  private ZooKeeperSession(String servers, String hbase, ZooKeeper zookeeper) {
    this.servers = servers;
    this.hbase = hbase;
    this.zookeeper = zookeeper;
  }

  public static ZooKeeperSession open(HBaseContact target) throws EngineException {
    return open(target, state -> {});
  }

  /**
   * @param listener notified of every change of the session's state
   */
  static ZooKeeperSession open(HBaseContact target, Consumer<KeeperState> listener)
      throws EngineException {
    String servers = target.zookeeper();
    CountDownLatch connected = new CountDownLatch(1);
    Watcher watcher =
        (WatchedEvent event) -> {
          listener.accept(event.getState());
          if (event.getState() == KeeperState.SyncConnected) {
            connected.countDown();
          }
        };
    try {
      ZooKeeper zookeeper = new ZooKeeper(servers, (int) SESSION.toMillis(), watcher);
      var session = new ZooKeeperSession(servers, target.znodeParent(), zookeeper);
      if (!connected.await(target.connectLimit().toMillis(), TimeUnit.MILLISECONDS)) {
        session.close();
        throw new EngineException(
            servers + ": no ZooKeeper answers within " + target.connectLimit().toSeconds() + " s");
      }
      return session;
    } catch (IOException | IllegalArgumentException e) {
      throw new EngineException(servers + ": " + HBaseErrors.line(e), e);
    } catch (InterruptedException e) {
      throw interrupted(servers, e);
    }
  }

  /** What the server agreed to, which may be less than was requested. */
  Duration timeout() {
    return Duration.ofMillis(zookeeper.getSessionTimeout());
  }

  public void requireMaster() throws EngineException {
    String master = hbase + "/master";
    if (!call(z -> z.exists(master, false) != null)) {
      throw new EngineException(servers + ": no HBase master is registered under " + master);
    }
  }

  /** Creates a node and those above it; false when it exists. */
  boolean create(String path, String data, CreateMode mode) throws EngineException {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    int slash = path.lastIndexOf('/');
    if (slash > 0 && call(z -> z.exists(path.substring(0, slash), false) == null)) {
      create(path.substring(0, slash), "", CreateMode.PERSISTENT);
    }
    return call(
        z -> {
          try {
            z.create(path, bytes, Ids.OPEN_ACL_UNSAFE, mode);
            return true;
          } catch (KeeperException.NodeExistsException e) {
            return false;
          }
        });
  }

  /** A node's content; empty when it does not exist. */
  String read(String path) throws EngineException {
    return call(
        z -> {
          try {
            return new String(z.getData(path, false, null), StandardCharsets.UTF_8);
          } catch (KeeperException.NoNodeException e) {
            return "";
          }
        });
  }

  List<String> children(String path) throws EngineException {
    return call(
        z -> {
          try {
            return z.getChildren(path, false);
          } catch (KeeperException.NoNodeException e) {
            return List.<String>of();
          }
        });
  }

  /** Done at once when it does not exist. */
  void delete(String path) throws EngineException {
    call(
        z -> {
          try {
            z.delete(path, -1);
            return true;
          } catch (KeeperException.NoNodeException e) {
            return false;
          }
        });
  }

  @FunctionalInterface
  private interface Call<T> {
    T on(ZooKeeper zookeeper) throws KeeperException, InterruptedException;
  }

  private <T> T call(Call<T> call) throws EngineException {
    try {
      return call.on(zookeeper);
    } catch (KeeperException e) {
      throw new EngineException(servers + ": ZooKeeper: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw interrupted(servers, e);
    }
  }

  private static EngineException interrupted(String servers, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new EngineException(servers + ": interrupted", e);
  }

  @Override
  public void close() {
    try {
      zookeeper.close((int) Duration.ofSeconds(2).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

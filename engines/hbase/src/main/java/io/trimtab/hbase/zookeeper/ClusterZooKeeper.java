package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseErrors;
import io.trimtab.hbase.security.ZooKeeperUser;
import io.trimtab.host.connect.Reach;
import io.trimtab.host.control.LockWatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A connection with the cluster's ZooKeeper, where controllers keep what they share; Curator's,
 * with errors in one line.
 */
public final class ClusterZooKeeper implements AutoCloseable {
  private static final int RETRIED_MS = (int) Duration.ofSeconds(5).toMillis();
  private static final int PAUSE_MS = 250;

  /** A version that no node has which was just made. */
  private static final int NEVER = Integer.MAX_VALUE;

  private final HBaseContact target;

  static {
    ZooKeeperUser.renewOften();
  }

  private final CuratorFramework client;

  private ClusterZooKeeper(HBaseContact target, CuratorFramework client) {
    this.target = target;
    this.client = client;
  }

  /**
   * @throws NoClusterException when it is known that no server listens
   * @throws EngineException when none answers within {@link HBaseContact#connectLimit()}; it says
   *     why and what mends it if that is TLS
   */
  public static ClusterZooKeeper open(HBaseContact target) throws EngineException {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(target.zookeeper())
            .zkClientConfig(target.zookeeperClient())
            .sessionTimeoutMs((int) LockWatch.LEASE.toMillis())
            .connectionTimeoutMs(RETRIED_MS)
            .retryPolicy(new RetryUntilElapsed(RETRIED_MS, PAUSE_MS))
            // Nothing of it is a container that an old server would not know.
            .dontUseContainerParents();
    if (target.knownToZooKeeper()) {
      builder.aclProvider(ZooKeeperUser.ownersOnly());
    }
    CuratorFramework client = builder.build();
    ClusterZooKeeper zookeeper = new ClusterZooKeeper(target, client);
    boolean connected = false;
    try {
      client.start();
      connected =
          client.blockUntilConnected((int) target.connectLimit().toMillis(), TimeUnit.MILLISECONDS);
      if (!connected) {
        throw silent(target);
      }
      return zookeeper;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(target.zookeeper() + ": interrupted", e);
    } catch (IllegalArgumentException e) {
      throw new EngineException(target.zookeeper() + ": " + HBaseErrors.line(e), e);
    } finally {
      if (!connected) {
        zookeeper.close();
      }
    }
  }

  private static EngineException silent(HBaseContact target) {
    String message =
        target.zookeeper()
            + ": no ZooKeeper answers within "
            + target.connectLimit().toSeconds()
            + " s";
    if (Stream.of(target.zookeeper().split(",")).allMatch(ClusterZooKeeper::nobody)) {
      return new NoClusterException(message, null);
    }
    return ZooKeeperTls.refusal(target)
        .map(why -> new EngineException("ZooKeeper at " + target.zookeeper() + ": " + why))
        .orElseGet(() -> new EngineException(message));
  }

  private static boolean nobody(String server) {
    int colon = server.lastIndexOf(':');
    String port = server.substring(colon + 1);
    return port.matches("\\d{1,5}")
        && Reach.nobody(server.substring(0, colon), Integer.parseInt(port));
  }

  /** A node and its state. */
  record ZNode(byte[] data, Stat stat) {
    String text() {
      return new String(data, StandardCharsets.UTF_8);
    }
  }

  /** For messages. */
  String servers() {
    return target.zookeeper();
  }

  /** What the server agreed to, which may be more or less than was requested. */
  Duration sessionTimeout() throws EngineException {
    return Duration.ofMillis(call(c -> c.getZookeeperClient().getZooKeeper().getSessionTimeout()));
  }

  long sessionId() throws EngineException {
    return call(c -> c.getZookeeperClient().getZooKeeper().getSessionId());
  }

  /**
   * @throws NoClusterException if neither a master nor a RegionServer is registered
   * @throws EngineException if no master is
   */
  public void requireMaster() throws EngineException {
    String master = target.znodeParent() + "/master";
    if (call(c -> c.checkExists().forPath(master)) == null) {
      String message = servers() + ": no HBase master is registered under " + master;
      throw children(LivingServers.folder(target)).isEmpty()
          ? new NoClusterException(message, null)
          : new EngineException(message);
    }
  }

  /**
   * Who may do what with a node; empty where there is no such node.
   *
   * @throws EngineException also if this user may not ask
   */
  public Optional<List<ACL>> acl(String path) throws EngineException {
    return call(
        c -> {
          try {
            return Optional.of(c.getACL().forPath(path));
          } catch (KeeperException.NoNodeException e) {
            return Optional.<List<ACL>>empty();
          }
        });
  }

  /** How a trial to make a node ended. */
  enum Trial {
    /** It may be made. */
    MAY,
    /** It shall belong to this user, and the server knows none. */
    NOBODY,
    /** This user may not make it. */
    REFUSED,
    /** There is one. */
    EXISTS
  }

  /**
   * Whether a node may be made below one that there is. None is, not even for a moment: it is made
   * in a transaction whose last condition never holds.
   *
   * @param acl that it would have
   */
  Trial trial(String path, List<ACL> acl) throws EngineException {
    return call(
        c -> {
          try {
            c.transaction()
                .forOperations(
                    List.of(
                        c.transactionOp().create().withACL(acl).forPath(path, new byte[0]),
                        // Its first version is 0.
                        c.transactionOp().check().withVersion(NEVER).forPath(path)));
            throw new IllegalStateException(path + " was made by a trial");
          } catch (KeeperException.BadVersionException e) {
            return Trial.MAY;
          } catch (KeeperException.InvalidACLException e) {
            return Trial.NOBODY;
          } catch (KeeperException.NoAuthException e) {
            return Trial.REFUSED;
          } catch (KeeperException.NodeExistsException e) {
            return Trial.EXISTS;
          }
        });
  }

  Optional<ZNode> read(String path) throws EngineException {
    return call(
        c -> {
          try {
            Stat stat = new Stat();
            byte[] data = c.getData().storingStatIn(stat).forPath(path);
            return Optional.of(new ZNode(data, stat));
          } catch (KeeperException.NoNodeException e) {
            return Optional.<ZNode>empty();
          }
        });
  }

  /** Creates a persistent node, and those above it, unless it exists. */
  void ensure(String path, String data) throws EngineException {
    call(
        c -> {
          try {
            c.create()
                .creatingParentsIfNeeded()
                .forPath(path, data.getBytes(StandardCharsets.UTF_8));
          } catch (KeeperException.NodeExistsException e) {
            // Somebody else was first, or an earlier try was executed without a response.
          }
          return true;
        });
  }

  void set(String path, String data) throws EngineException {
    ensure(path, "");
    call(c -> c.setData().forPath(path, data.getBytes(StandardCharsets.UTF_8)));
  }

  List<String> children(String path) throws EngineException {
    return call(
        c -> {
          try {
            return c.getChildren().forPath(path);
          } catch (KeeperException.NoNodeException e) {
            return List.<String>of();
          }
        });
  }

  /** Done at once when it does not exist. */
  void delete(String path) throws EngineException {
    call(
        c -> {
          try {
            c.delete().forPath(path);
          } catch (KeeperException.NoNodeException e) {
            // It is gone, as was wanted.
          }
          return true;
        });
  }

  /** Makes the operations of a transaction. */
  @FunctionalInterface
  interface Operations {
    List<CuratorOp> of(CuratorFramework client) throws Exception;
  }

  /**
   * Executes operations together or not at all.
   *
   * @return whether they were executed; false if one of their conditions did not hold
   */
  boolean together(Operations operations) throws EngineException {
    return call(
        c -> {
          try {
            c.transaction().forOperations(operations.of(c));
            return true;
          } catch (KeeperException.BadVersionException
              | KeeperException.NodeExistsException
              | KeeperException.NoNodeException e) {
            return false;
          }
        });
  }

  @FunctionalInterface
  private interface Call<T> {
    T on(CuratorFramework client) throws Exception;
  }

  private <T> T call(Call<T> call) throws EngineException {
    try {
      return call.on(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(servers() + ": interrupted", e);
    } catch (Exception e) {
      throw new EngineException(servers() + ": ZooKeeper: " + HBaseErrors.line(e), e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}

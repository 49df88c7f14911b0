package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.host.ControllerId;
import io.trimtab.host.control.LockWatch;
import io.trimtab.host.control.PiecedDocuments;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;

/**
 * An ephemeral node in the cluster's ZooKeeper: there is one controller per cluster, wherever it
 * runs, and it stops being the one when its process or its connection dies, or stands still. The
 * node is created together with a new epoch, or not at all, so that two contenders can't both
 * succeed; every document is written under the condition that the epoch is still the writer's.
 */
public final class ZooKeeperLock implements ControlLock {
  /** ZooKeeper refuses requests above 1 MiB. */
  static final int CELL_BYTES_MAX = 512 << 10;

  private final ClusterZooKeeper zookeeper;
  private final ControlPaths paths;
  private final ControllerId self;
  private final Taken taken;
  private final LongSupplier nanos;
  private final LockWatch watch;
  private final PiecedDocuments documents;

  /**
   * @param version of the epoch's node
   */
  private record Taken(long epoch, int version) {}

  private ZooKeeperLock(
      ClusterZooKeeper zookeeper,
      ControlPaths paths,
      ControllerId self,
      Taken taken,
      LongSupplier nanos,
      long sentAtNs)
      throws EngineException {
    this.zookeeper = zookeeper;
    this.paths = paths;
    this.self = self;
    this.taken = taken;
    this.nanos = nanos;
    this.documents = new PiecedDocuments(new Cells(), CELL_BYTES_MAX);
    Duration agreed = zookeeper.sessionTimeout();
    Duration lease = agreed.compareTo(LockWatch.LEASE) < 0 ? agreed : LockWatch.LEASE;
    this.watch = new LockWatch("zookeeper-lock", new Renewal(), lease, nanos, sentAtNs);
  }

  /**
   * @param owner the requester, for display
   * @param nanos a clock that goes on while the machine is suspended
   * @param wall for where epochs begin
   * @throws ControlTakenException naming the holder, when there is one that lives
   */
  public static ZooKeeperLock take(
      HBaseContact target, String clusterId, String owner, LongSupplier nanos, InstantSource wall)
      throws EngineException {
    ClusterZooKeeper zookeeper = ClusterZooKeeper.open(target);
    boolean done = false;
    try {
      ControlPaths paths = new ControlPaths(clusterId);
      ControllerId self = ControllerId.of(ProcessHandle.current(), owner);
      // Not 0: if somebody deletes all of this, the RegionServers remember greater epochs than
      // those
      // that would follow, and would refuse them until they are restarted.
      zookeeper.ensure(paths.epoch(), Long.toString(wall.instant().getEpochSecond()));
      zookeeper.ensure(paths.documents(), "");
      long sentAtNs = nanos.getAsLong();
      Taken taken = acquire(zookeeper, paths, self);
      ZooKeeperLock lock = new ZooKeeperLock(zookeeper, paths, self, taken, nanos, sentAtNs);
      done = true;
      return lock;
    } finally {
      if (!done) {
        zookeeper.close();
      }
    }
  }

  private static Taken acquire(ClusterZooKeeper zookeeper, ControlPaths paths, ControllerId self)
      throws EngineException {
    while (true) {
      // Before the holder: whoever takes over in between changes it, and the transaction fails.
      ClusterZooKeeper.ZNode epoch =
          zookeeper
              .read(paths.epoch())
              .orElseThrow(
                  () -> new EngineException(zookeeper.servers() + ": somebody deletes the epoch"));
      Optional<ClusterZooKeeper.ZNode> holder = zookeeper.read(paths.holder());
      long session = zookeeper.sessionId();
      if (holder.isPresent() && holder.get().stat().getEphemeralOwner() != session) {
        ControllerId other = ControllerId.parse(holder.get().text());
        if (!other.diedBeside(self)) {
          throw new ControlTakenException(
              zookeeper.servers() + ": another controller is in charge of this cluster: " + other,
              other.toString(),
              endsWithin(zookeeper.sessionTimeout()));
        }
      }
      long next = number(zookeeper, epoch) + 1;
      boolean won =
          zookeeper.together(
              client -> {
                List<CuratorOp> operations = new ArrayList<>();
                operations.add(
                    client
                        .transactionOp()
                        .setData()
                        .withVersion(epoch.stat().getVersion())
                        .forPath(paths.epoch(), bytes(Long.toString(next))));
                if (holder.isPresent()) {
                  // It would last for some seconds more, and its process is known to be gone.
                  operations.add(client.transactionOp().delete().forPath(paths.holder()));
                }
                operations.add(
                    client
                        .transactionOp()
                        .create()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(paths.holder(), bytes(self.text())));
                return operations;
              });
      if (won) {
        return new Taken(next, epoch.stat().getVersion() + 1);
      }
    }
  }

  /**
   * How soon a dead controller's node is deleted. All controllers ask for the same session.
   * ZooKeeper ends sessions at its ticks, which last at most half as long as the shortest session.
   */
  private static Duration endsWithin(Duration session) {
    return session.plus(session.dividedBy(2));
  }

  private static long number(ClusterZooKeeper zookeeper, ClusterZooKeeper.ZNode epoch)
      throws EngineException {
    try {
      return Long.parseLong(epoch.text());
    } catch (NumberFormatException e) {
      throw new EngineException(
          zookeeper.servers() + ": the controllers' epoch is no number: " + epoch.text(), e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private LostControlException lost() {
    watch.lose();
    return new LostControlException(
        zookeeper.servers()
            + ": control of the cluster was lost: epoch "
            + taken.epoch()
            + " of this controller is over");
  }

  /**
   * Asks the quorum, by a transaction of conditions only: a server that is cut off from its leader
   * answers what reads it can for seconds, while the others have ended the session and given the
   * lock away. A node of another holder has another epoch.
   */
  void renew() throws EngineException {
    if (!zookeeper.together(this::held)) {
      throw lost();
    }
  }

  private List<CuratorOp> held(CuratorFramework client) throws Exception {
    return List.of(
        client.transactionOp().check().withVersion(taken.version()).forPath(paths.epoch()),
        client.transactionOp().check().forPath(paths.holder()));
  }

  private final class Renewal implements LockWatch.Renewal {
    @Override
    public void renew() throws EngineException {
      ZooKeeperLock.this.renew();
    }

    @Override
    public Set<String> stops() throws EngineException {
      return ZooKeeperState.stops(zookeeper, paths);
    }
  }

  private final class Cells implements PiecedDocuments.Cells {
    @Override
    public Optional<byte[]> read(String cell) throws EngineException {
      return zookeeper.read(paths.document(cell)).map(ClusterZooKeeper.ZNode::data);
    }

    @Override
    public void write(String cell, byte[] content) throws EngineException {
      String path = paths.document(cell);
      long sentAtNs = nanos.getAsLong();
      boolean exists = zookeeper.read(path).isPresent();
      if (!exists && content.length == 0) {
        return;
      }
      boolean written =
          zookeeper.together(
              client -> {
                List<CuratorOp> operations = new ArrayList<>(held(client));
                if (content.length == 0) {
                  operations.add(client.transactionOp().delete().forPath(path));
                } else if (exists) {
                  operations.add(client.transactionOp().setData().forPath(path, content));
                } else {
                  operations.add(client.transactionOp().create().forPath(path, content));
                }
                return operations;
              });
      if (!written) {
        confirm(path, content);
      }
      watch.answered(sentAtNs);
    }

    /** A try without a response may have been executed, so that its repetition was refused. */
    private void confirm(String path, byte[] content) throws EngineException {
      renew();
      byte[] now = zookeeper.read(path).map(ClusterZooKeeper.ZNode::data).orElse(new byte[0]);
      if (!java.util.Arrays.equals(now, content)) {
        throw lost();
      }
    }
  }

  @Override
  public long epoch() {
    return taken.epoch();
  }

  @Override
  public String holder() {
    return self.toString();
  }

  @Override
  public boolean held() {
    return watch.held();
  }

  @Override
  public synchronized void write(String document, byte[] content) throws EngineException {
    require();
    documents.write(document, content);
  }

  @Override
  public Set<String> stopRequests() {
    return watch.stops();
  }

  @Override
  public void close() {
    watch.close();
    zookeeper.close();
  }
}

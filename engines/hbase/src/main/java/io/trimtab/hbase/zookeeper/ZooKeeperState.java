package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.host.ControllerId;
import io.trimtab.host.control.PiecedDocuments;
import java.util.Optional;
import java.util.Set;

/** What the cluster's ZooKeeper keeps about controllers, for whoever reaches it. */
public final class ZooKeeperState implements SharedState {
  private final ZooKeeperAccess access;
  private final ControlPaths paths;
  private final PiecedDocuments documents;

  public ZooKeeperState(ZooKeeperAccess access, String clusterId) {
    this.access = access;
    this.paths = new ControlPaths(clusterId);
    this.documents = new PiecedDocuments(new Cells(), ZooKeeperLock.CELL_BYTES_MAX);
  }

  private final class Cells implements PiecedDocuments.Cells {
    @Override
    public Optional<byte[]> read(String cell) throws EngineException {
      return access.get().read(paths.document(cell)).map(ClusterZooKeeper.ZNode::data);
    }

    @Override
    public void write(String cell, byte[] content) {
      throw new UnsupportedOperationException("only the controller in charge writes");
    }
  }

  @Override
  public Optional<byte[]> read(String document) throws EngineException {
    return documents.read(document);
  }

  @Override
  public Optional<Holder> holder() throws EngineException {
    return access.get().read(paths.holder()).map(node -> holder(ControllerId.parse(node.text())));
  }

  /** Its node ends with its session, so that it lives while there is one, or died a moment ago. */
  private static Holder holder(ControllerId holder) {
    boolean died = holder.diedBeside(ControllerId.of(ProcessHandle.current(), ""));
    return new Holder(holder.toString(), died ? Life.GONE : Life.LIVES);
  }

  @Override
  public void requestStop(String by) throws EngineException {
    access.get().set(paths.stop(), by);
  }

  @Override
  public Set<String> stopRequests() throws EngineException {
    return stops(access.get(), paths);
  }

  /** A change of the node is a request. */
  static Set<String> stops(ClusterZooKeeper zookeeper, ControlPaths paths) throws EngineException {
    return zookeeper
        .read(paths.stop())
        .map(node -> Set.of(node.stat().getMzxid() + " by " + node.text()))
        .orElse(Set.of());
  }
}

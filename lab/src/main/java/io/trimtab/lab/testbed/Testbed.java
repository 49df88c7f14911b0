package io.trimtab.lab.testbed;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.process.Isolation;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.workload.TenantSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A cluster whose first node is put under loads, for what they use of it. */
public interface Testbed extends AutoCloseable {
  /** What fingerprints name the lab's isolation by. */
  String ISOLATION = "isolation";

  /** As model files name it. */
  String database();

  Engine engine();

  /** In the order of the lab; the first one is measured. */
  List<NodeId> nodes();

  /**
   * The node that is measured, as it is now; its usage is that since the last look at the cluster.
   *
   * @throws EngineException if it is not live, or serves something that is not measured
   */
  default NodeState measured() throws EngineException {
    return live(engine().snapshot(), nodes().get(0));
  }

  /** A node that must be live. */
  static NodeState live(ClusterSnapshot snapshot, NodeId node) throws EngineException {
    return snapshot
        .node(node)
        .filter(NodeState::alive)
        .orElseThrow(
            () -> new EngineException("the node is not live; live nodes: " + snapshot.liveNodes()));
  }

  /** That a node may use, if it is isolated. */
  double cores();

  /** As it was loaded. */
  TenantSpec tenant(String name);

  /**
   * Creates, loads and compacts the tables on the first node, and warms what a start leaves cold.
   */
  void loadAll() throws IOException, EngineException, InterruptedException;

  /** Some of the tenants, perhaps asking in another way than they were loaded for. */
  TestbedLoad start(List<TenantSpec> tenants);

  /** Puts the nodes' limits on CPU and disk in force, or lifts them. */
  void limit(boolean on);

  /** Everything in files, as few as there can be, without limits, which stay lifted. */
  void compactAll() throws IOException, EngineException, InterruptedException;

  /** Flushes a table with the nodes' limits lifted; they stay lifted. */
  void flush(String table) throws IOException, EngineException, InterruptedException;

  /** Empties the caches of blocks or rows. */
  void clearCaches() throws IOException, EngineException;

  /** How many of a table's records the first node's full cache holds. */
  double cachedRecords(TenantSpec tenant) throws Exception;

  /**
   * What a model that is made here holds for, with the source of the node's I/O wait as it is now:
   * limits must be in force.
   */
  Map<String, String> fingerprint() throws EngineException;

  /**
   * Otherwise what is predicted is another machine's, or another kind of usage. Puts limits in
   * force.
   *
   * @throws UserError if the model was measured on other nodes
   */
  default void checkModel(UsageModel model) throws EngineException {
    limit(true);
    var here = new TreeMap<>(fingerprint());
    var there = new TreeMap<>(model.fingerprint());
    // It names the node's groups, of which there may be more or fewer here.
    here.remove(ISOLATION);
    there.remove(ISOLATION);
    if (here.containsKey(NodeKind.DISK.key())) {
      // Models of before disks in memory do not tell it.
      there.putIfAbsent(NodeKind.DISK.key(), Isolation.MACHINES_DISK);
    }
    if (!here.equals(there)) {
      throw new UserError(
          "the model was measured on other nodes: " + there + "; these are " + here);
    }
  }

  /** Does nothing for so long. */
  default void pause(Console to, String what, Duration time) throws InterruptedException {
    for (long left = time.toSeconds(); left > 0; left--) {
      to.live(what + "  " + left + " s left");
      TimeUnit.SECONDS.sleep(1);
    }
  }

  @Override
  void close() throws IOException, InterruptedException;
}

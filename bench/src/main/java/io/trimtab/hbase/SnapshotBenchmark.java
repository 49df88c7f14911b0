package io.trimtab.hbase;

import io.trimtab.bench.FirstAndLater;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.hbase.tables.SplitRules;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.hbase.zookeeper.ZooKeeperAccess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Of a large HBase cluster, whose nodes answer by their information pages. */
@State(Scope.Benchmark)
@Fork(
    value = 3,
    // Otherwise the JDK's server waits 40 ms for a client's acknowledgement of each page's head.
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true"})
public class SnapshotBenchmark extends FirstAndLater {
  @Param("60")
  public int nodes;

  @Param("9000")
  public int regions;

  private ManyServers servers;
  private HBaseSnapshots snapshots;

  @Setup
  public void setUp() throws IOException, EngineException {
    servers = new ManyServers(nodes, regions);
    Cluster cluster = servers.cluster();
    snapshots =
        new HBaseSnapshots(
            cluster,
            new ClusterFacts(
                "c", "2.6.4", 3, List.of(), false, false, false, SplitRules.of(Map.of()), true),
            new PluginClient(cluster.admin(), () -> 0),
            new DrainedServers(new ZooKeeperAccess(cluster.target()), "c", System::nanoTime),
            List::of,
            System::nanoTime);
    later();
  }

  @TearDown
  public void tearDown() {
    snapshots.close();
    servers.close();
  }

  @Override
  protected ClusterSnapshot snapshot(UsageReadings since) throws EngineException {
    return snapshots.read(Optional.of(since));
  }

  @Override
  protected boolean complete(ClusterSnapshot seen) {
    return seen.nodes().size() == nodes && seen.partitions().size() == regions;
  }
}

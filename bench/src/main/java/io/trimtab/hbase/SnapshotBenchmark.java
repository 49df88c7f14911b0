package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.hbase.zookeeper.ZooKeeperAccess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A snapshot with usage of a large HBase cluster whose nodes are on other machines, as the
 * autopilot takes it at every step. The pages are served by the same JVM, on the same cores.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    // Otherwise the JDK's server waits 40 ms for a client's acknowledgement of each page's head.
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true"})
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class SnapshotBenchmark {
  @Param("60")
  public int nodes;

  @Param("9000")
  public int regions;

  private ManyServers servers;
  private HBaseSnapshots snapshots;
  private UsageReadings readings;

  @Setup
  public void setUp() throws IOException, EngineException {
    servers = new ManyServers(nodes, regions);
    Cluster cluster = servers.cluster();
    snapshots =
        new HBaseSnapshots(
            cluster,
            new ClusterFacts("c", "2.6.4", 3, List.of(), false, false, false, true),
            new PluginClient(cluster.admin(), () -> 0),
            new DrainedServers(new ZooKeeperAccess(cluster.target()), "c"),
            List::of,
            System::nanoTime);
    readings = new UsageReadings();
    whole(readings);
  }

  @TearDown
  public void tearDown() {
    snapshots.close();
    servers.close();
  }

  /** Of a cluster that was never read: the usage of each node takes a second. */
  @Benchmark
  public ClusterSnapshot first() throws EngineException {
    return whole(new UsageReadings());
  }

  /** All others. */
  @Benchmark
  public ClusterSnapshot later() throws EngineException {
    return whole(readings);
  }

  /** Fast is only what reads everything. */
  private ClusterSnapshot whole(UsageReadings since) throws EngineException {
    ClusterSnapshot seen = snapshots.read(Optional.of(since));
    if (!seen.gaps().isEmpty()
        || seen.nodes().size() != nodes
        || seen.partitions().size() != regions) {
      throw new IllegalStateException(
          "%d nodes, %d regions, gaps %s"
              .formatted(seen.nodes().size(), seen.partitions().size(), seen.gaps()));
    }
    return seen;
  }
}

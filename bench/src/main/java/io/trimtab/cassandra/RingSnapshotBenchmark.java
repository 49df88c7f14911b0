package io.trimtab.cassandra;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
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
 * A snapshot with usage of a large Cassandra ring whose nodes are on other machines, as the
 * autopilot takes it at every step. The JMX servers are of the same JVM, on the same cores.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    // The address that RMI has nodes name for the calls after the first.
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC", "-Djava.rmi.server.hostname=127.0.0.1"})
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class RingSnapshotBenchmark {
  @Param("60")
  public int nodes;

  @Param("20")
  public int tables;

  private ManyNodes ring;
  private JmxPool jmx;
  private RingSnapshots snapshots;
  private UsageReadings readings;

  @Setup
  public void setUp() throws IOException, JMException, EngineException {
    ring = new ManyNodes(nodes, tables);
    jmx = new JmxPool(ring.contact());
    snapshots = new RingSnapshots(ring.cql(), jmx, () -> "ring", Clocks.SYSTEM, System::nanoTime);
    readings = new UsageReadings();
    whole(readings);
  }

  @TearDown
  public void tearDown() throws IOException {
    snapshots.close();
    jmx.close();
    ring.close();
  }

  /** Of a ring that was never read: the usage of each node takes a second. */
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
    ClusterSnapshot seen = snapshots.read(since);
    if (!seen.gaps().isEmpty()
        || seen.liveNodes().size() != nodes
        || seen.partitions().size() != nodes * tables) {
      throw new IllegalStateException(
          "%d live nodes, %d shares of tables, gaps %s"
              .formatted(seen.liveNodes().size(), seen.partitions().size(), seen.gaps()));
    }
    return seen;
  }
}

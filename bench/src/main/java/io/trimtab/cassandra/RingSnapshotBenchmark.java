package io.trimtab.cassandra;

import io.trimtab.bench.FirstAndLater;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.host.Clocks;
import java.io.IOException;
import javax.management.JMException;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Of a large Cassandra ring, whose nodes answer by JMX. */
@State(Scope.Benchmark)
@Fork(
    value = 3,
    // The address that RMI has nodes name for the calls after the first.
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC", "-Djava.rmi.server.hostname=127.0.0.1"})
public class RingSnapshotBenchmark extends FirstAndLater {
  @Param("60")
  public int nodes;

  @Param("20")
  public int tables;

  private ManyNodes ring;
  private JmxPool jmx;
  private RingSnapshots snapshots;

  @Setup
  public void setUp() throws IOException, JMException, EngineException {
    ring = new ManyNodes(nodes, tables);
    jmx = new JmxPool(ring.contact());
    snapshots = new RingSnapshots(ring.cql(), jmx, () -> "ring", Clocks.SYSTEM, System::nanoTime);
    later();
  }

  @TearDown
  public void tearDown() throws IOException {
    snapshots.close();
    jmx.close();
    ring.close();
  }

  @Override
  protected ClusterSnapshot snapshot(UsageReadings since) throws EngineException {
    return snapshots.read(since);
  }

  @Override
  protected boolean complete(ClusterSnapshot seen) {
    return seen.liveNodes().size() == nodes && seen.partitions().size() == nodes * tables;
  }
}

package io.trimtab.bench;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A snapshot with usage of a large cluster whose nodes are on other machines, as the autopilot
 * takes it at every step. What answers for the nodes is in the same JVM, on the same cores.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public abstract class FirstAndLater {
  private final UsageReadings readings = new UsageReadings();

  /** The cluster's snapshot, with usage since those readings. */
  protected abstract ClusterSnapshot snapshot(UsageReadings since) throws EngineException;

  /** Whether it has every node and every partition. */
  protected abstract boolean complete(ClusterSnapshot seen);

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
    ClusterSnapshot seen = snapshot(since);
    if (!seen.gaps().isEmpty() || !complete(seen)) {
      throw new IllegalStateException(
          "%d live nodes, %d partitions, gaps %s"
              .formatted(seen.liveNodes().size(), seen.partitions().size(), seen.gaps()));
    }
    return seen;
  }
}

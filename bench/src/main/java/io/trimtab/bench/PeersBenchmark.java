package io.trimtab.bench;

import io.trimtab.controller.health.SlowPeers;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.RequestTimes;
import java.time.Duration;
import java.util.OptionalLong;
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
import org.openjdk.jmh.annotations.Warmup;

/** One look at which all nodes of a cluster are compared with each other. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PeersBenchmark {
  private static final HealthSettings SETTINGS = HealthSettings.builder().build();
  private static final int SECONDS = 30;

  @Param({"100", "1000"})
  public int nodes;

  private SlowPeers peers;
  private ClusterSnapshot next;

  @Setup
  public void setUp() {
    peers = SlowPeers.NONE.append(seen(SECONDS), SETTINGS, Duration.ofMinutes(1));
    next = seen(2 * SECONDS);
  }

  private ClusterSnapshot seen(int seconds) {
    LargeCluster cluster = new LargeCluster();
    for (int i = 0; i < nodes; i++) {
      RequestTimes times = new RequestTimes(1_000L * seconds, i % 100 == 0 ? 90 : 8, 0);
      cluster.node(Profile.HOMOGENEOUS, true, NodeGauges.UNKNOWN.with(times));
    }
    ClusterSnapshot all = cluster.seen(node -> 0.5).snapshot();
    return all.at(all.takenAt().plusSeconds(seconds), OptionalLong.empty());
  }

  @Benchmark
  public SlowPeers look() {
    return peers.append(next, SETTINGS, Duration.ofMinutes(1));
  }
}

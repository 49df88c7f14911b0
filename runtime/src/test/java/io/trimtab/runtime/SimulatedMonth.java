package io.trimtab.runtime;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The loop on a cluster in memory for a month: 10 nodes, 200 partitions, policy met, a sample every
 * 30 s, another load every day. Plans rest for two hours, because under some loads met adds and
 * removes nodes by turns: ten minutes apart, these plans would be what the month measures.
 */
final class SimulatedMonth {
  private static final int NODES = 10;
  private static final int PARTITIONS = 200;

  /** Times the load of the first day; from idle nodes to more than ten of them can do. */
  private static final double[] STEPS = {2, 1, 1.4, 0.8, 1.2, 0.5, 1.7};

  /**
   * What came of it.
   *
   * @param steps of the loop
   */
  record Month(List<String> journal, int steps, int nodesAtEnd) {
    String digest() {
      try {
        MessageDigest sum = MessageDigest.getInstance("SHA-256");
        journal.forEach(line -> sum.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(sum.digest());
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private SimulatedMonth() {}

  /**
   * Prints the journal's digest.
   *
   * @param args the seed; days
   */
  public static void main(String[] args) throws EngineException {
    Duration length = Duration.ofDays(Long.parseLong(args[1]));
    System.out.println(run(Long.parseLong(args[0]), length).digest());
  }

  static Month run(long seed, Duration length) throws EngineException {
    TableSpec reads =
        TableSpec.of("reads", PARTITIONS / 2, 2L << 30, Access.NONE)
            .with(daily(new Access(40_000, 0, 0, 0)));
    TableSpec mixed =
        TableSpec.of("mixed", PARTITIONS / 2, 2L << 30, Access.NONE)
            .with(daily(new Access(6_000, 300, 100, 8_000)));
    InMemoryCluster cluster =
        new InMemoryCluster(ClusterSpec.assigned(seed, NODES, reads, mixed).withReplication(3));
    MemoryState state = new MemoryState();
    Instant end = cluster.clock().instant().plus(length);
    Watch watch = new Watch(cluster, end);
    watch.loop =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            Settings.defaults()
                .with(Policies.MET)
                .with(
                    GuardSettings.builder()
                        .minNodes(5)
                        .maxNodes(2 * NODES)
                        .cooldown(Duration.ofHours(2))
                        .build()),
            watch,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> state),
            FaultPoints.NONE);
    watch.loop.run(true, 0, false);
    return new Month(
        state.store().lines(), watch.steps, cluster.engine().snapshot().liveNodes().size());
  }

  private static LoadScript daily(Access first) {
    return LoadScript.steps(first, Duration.ofDays(1), STEPS);
  }

  /** Counts steps and ends the loop when the month is over. */
  private static final class Watch implements LoopListener {
    private final InMemoryCluster cluster;
    private final Instant end;
    private ControlLoop loop;
    private int steps;

    Watch(InMemoryCluster cluster, Instant end) {
      this.cluster = cluster;
      this.end = end;
    }

    @Override
    public void sampled(int samples, int needed) {
      steps++;
      if (!cluster.clock().instant().isBefore(end)) {
        loop.stop();
      }
    }
  }
}

package io.trimtab.runtime;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.formats.ModelFile;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.NodeModel;
import io.trimtab.testkit.load.TableSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The loop on a cluster in memory for up to a month: 10 nodes, 200 partitions, a sample every 30 s,
 * another load every day. Plans rest for two hours, because under some loads met-1 adds and removes
 * nodes by turns: ten minutes apart, these plans would be what the month measures.
 */
final class SimulatedMonth {
  private static final int NODES = 10;
  private static final int PARTITIONS = 200;

  /** Times the load of the first day; from idle nodes to more than ten of them can do. */
  private static final double[] STEPS = {2, 1, 1.4, 0.8, 1.2, 0.5, 1.7};

  /** Who decides, and about what. */
  enum Kind {
    MET_1(Policies.MET_1),
    TIRAMOLA(Policies.TIRAMOLA),
    USAGE(Policies.USAGE),
    /** Tokens own the data, three copies of them. */
    MET_1_RING(Policies.MET_1);

    private final Policy policy;

    Kind(Policy policy) {
      this.policy = policy;
    }
  }

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
   * @param args the kind; the seed; the length as in PT6H
   */
  public static void main(String[] args) throws Exception {
    Duration length = Duration.parse(args[2]);
    System.out.println(run(Kind.valueOf(args[0]), Long.parseLong(args[1]), length).digest());
  }

  static Month run(Kind kind, long seed, Duration length) throws EngineException, IOException {
    Path model = Files.createTempFile("trimtab-month", ".json");
    try {
      ModelFile.write(model, NodeModel.usage());
      return run(cluster(kind, seed), settings(kind, model), length);
    } finally {
      Files.delete(model);
    }
  }

  private static InMemoryCluster cluster(Kind kind, long seed) {
    TableSpec reads =
        TableSpec.of("reads", PARTITIONS / 2, 2L << 30, Access.NONE)
            .with(daily(new Access(40_000, 0, 0, 0)));
    TableSpec mixed =
        TableSpec.of("mixed", PARTITIONS / 2, 2L << 30, Access.NONE)
            .with(daily(new Access(6_000, kind == Kind.USAGE ? 0 : 300, 100, 8_000)));
    return new InMemoryCluster(
        kind == Kind.MET_1_RING
            ? ClusterSpec.ring(seed, NODES, 3, reads, mixed)
            : ClusterSpec.assigned(seed, NODES, reads, mixed).withReplication(3));
  }

  private static Settings settings(Kind kind, Path model) {
    return Settings.defaults()
        // Wrong predictions are no reason to stop acting here, and a few thousand are enough.
        .with(
            UsageSettings.builder()
                .model(model.toString())
                .errorMax(1.0)
                .predictions(2_000)
                .build())
        .with(
            GuardSettings.builder()
                .minNodes(5)
                .maxNodes(2 * NODES)
                .cooldown(Duration.ofHours(2))
                .build())
        .with(kind.policy);
  }

  private static Month run(InMemoryCluster cluster, Settings settings, Duration length)
      throws EngineException {
    MemoryState state = new MemoryState();
    Instant end = cluster.clock().instant().plus(length);
    Watch watch = new Watch(cluster, end);
    watch.loop =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            watch,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> state),
            FaultPoints.NONE);
    watch.loop.run(true, 0, false);
    return new Month(
        // Its first line names the model's file, which is another one in each JVM.
        state.lines().stream().skip(1).toList(),
        watch.steps,
        cluster.engine().snapshot().liveNodes().size());
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

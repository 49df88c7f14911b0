package io.trimtab.simulator;

import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.RingSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.formats.ModelFile;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.NodeModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** The policy and the settings of a seed's controllers. */
final class EpisodeSettings {
  /** The model of the simulated nodes, as controllers read one; deleted when this process ends. */
  private static final Path MODEL = write();

  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** For the policies that predict usage. */
  private static final Duration SLOW_PERIOD = Duration.ofSeconds(60);

  /** For the policy that predicts usage: enough for a good placement of few partitions. */
  private static final int PREDICTIONS = 300;

  /** For the policy that predicts usage: below what many of the loads cause. */
  private static final double TARGET = 0.3;

  private EpisodeSettings() {}

  /** In half of the seeds what decides where no policy is set, as on most clusters. */
  private static Policy policy(ClusterSpec spec, Random random) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> Policies.TIRAMOLA;
      // Its decisions take milliseconds, so that a seed takes a second.
      case 2 ->
          // Blocks are counted by what also sets profiles online.
          spec.ownership() == Ownership.ASSIGNED && spec.online() ? Policies.USAGE : Policies.MET_1;
      case 3 -> Policies.MET;
      case 4, 5 -> Policies.MET_1;
      default -> Policies.DEFAULT;
    };
  }

  static Settings of(ClusterSpec spec, Random random) {
    Policy policy = policy(spec, random);
    return Settings.defaults()
        .with(
            UsageSettings.builder()
                .model(MODEL.toString())
                // Wrong predictions are no reason to stop acting here.
                .errorMax(1.0)
                .target(TARGET)
                .predictions(PREDICTIONS)
                .build())
        .with(
            ObserveSettings.builder()
                .period(policy.needs().contains(Need.HISTOGRAMS) ? SLOW_PERIOD : PERIOD)
                .samples(2)
                .build())
        .with(guard(spec, random, policy))
        .with(ring(spec, random))
        .with(HealthSettings.builder().replaceAfter(replaceAfter(random)).build())
        .with(random.nextInt(4) == 0 ? BalancerMode.RESTORE : BalancerMode.HOLD)
        .with(tables(spec, policy))
        .with(place(spec, policy))
        .with(policy);
  }

  /** Some of those that predict usage have one to place around; without draws of their own. */
  private static TableSettings tables(ClusterSpec spec, Policy policy) {
    boolean some = policy == Policies.USAGE && spec.seed() % 4 == 0 && spec.tables().size() > 1;
    return new TableSettings(null, some ? List.of(spec.tables().get(0).name()) : List.of());
  }

  /** A quarter of those that can balance usage do; without draws of their own. */
  private static PlaceSettings place(ClusterSpec spec, Policy policy) {
    boolean usage = policy == Policies.MET && spec.seed() % 4 == 0;
    return PlaceSettings.builder()
        .balancer(usage ? PlaceSettings.Balance.USAGE : PlaceSettings.Balance.REQUESTS)
        .build();
  }

  /**
   * Capacity of every node's disks, if they are known: a third of the clusters, which are between
   * 30 % and 80 % full; without draws of their own.
   */
  static OptionalLong diskBytes(ClusterSpec spec, ClusterSnapshot first) {
    if (spec.seed() % 3 != 0) {
      return OptionalLong.empty();
    }
    long stored =
        first.partitions().stream().mapToLong(PartitionState::sizeBytes).sum()
            / first.liveNodes().size();
    double full = 0.3 + 0.05 * Math.floorMod(spec.seed() / 3, 11);
    return OptionalLong.of(1 + (long) (stored / full));
  }

  /** Short in some seeds, so that a replacement is due while a plan runs. */
  private static Duration replaceAfter(Random random) {
    return random.nextBoolean() ? Duration.ofMinutes(2) : Duration.ofSeconds(20);
  }

  private static GuardSettings guard(ClusterSpec spec, Random random, Policy policy) {
    boolean tight = random.nextInt(4) == 0;
    return GuardSettings.builder()
        .cooldown(Duration.ofMinutes(1))
        .maxConcurrentMoves(1 + random.nextInt(3))
        // A plan that removes as many nodes as there are copies is never allowed.
        .minNodes(
            policy.needs().contains(Need.HISTOGRAMS) ? spec.nodes() - spec.replication() + 1 : 1)
        .maxNodes(spec.nodes() + (tight ? random.nextInt(2) : 2))
        .maxMoves(tight ? 1 + random.nextInt(8) : 500)
        .maxCompactions(tight ? 1 + random.nextInt(8) : 500)
        .actionLimit(Duration.ofMinutes(5))
        .planLimit(
            random.nextInt(3) == 0
                ? Duration.ofSeconds(60 + random.nextInt(240))
                : Duration.ofHours(6))
        .blackouts(random.nextInt(4) == 0 ? List.of(blackout(random)) : List.of())
        .badNodesMax(Episode.BAD_NODES_MAX)
        .minGain(0.0)
        .build();
  }

  /** While faults strike. */
  private static String blackout(Random random) {
    int from = 2 + random.nextInt(18);
    return "00:%02d-00:%02d".formatted(from, from + 2 + random.nextInt(6));
  }

  private static RingSettings ring(ClusterSpec spec, Random random) {
    boolean set = spec.ownership() == Ownership.TOKENS && random.nextInt(4) == 0;
    return set ? new RingSettings(100, 32) : new RingSettings(null, null);
  }

  private static Path write() {
    try {
      Path file = Files.createTempFile("trimtab-fuzz", ".json");
      file.toFile().deleteOnExit();
      ModelFile.write(file, withScans(NodeModel.usage()));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Many of the loads scan, which a model without scans refuses to predict. */
  private static UsageModel withScans(UsageModel model) {
    return new UsageModel(
        model.schema(),
        model.engine(),
        model.fingerprint(),
        model.idle(),
        model.reads(),
        model.updates(),
        new UsageModel.ScanCosts(2e-6, 1e-6, 80e-6, 680e-6, 100e-6, 0.01),
        model.compaction());
  }
}

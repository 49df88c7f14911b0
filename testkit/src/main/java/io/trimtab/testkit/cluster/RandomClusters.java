package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Clusters of any shape from a seed, for property tests; the same seed gives the same one. */
public final class RandomClusters {
  private static final int NODES_MAX = 8;
  private static final int TABLES_MAX = 4;
  private static final int PARTITIONS_MAX = 12;
  private static final int COPIES_MAX = 3;

  private RandomClusters() {}

  /** Of either ownership: rings for odd seeds. */
  public static ClusterSpec spec(long seed) {
    return seed % 2 == 0 ? assigned(seed) : ring(seed);
  }

  public static ClusterSpec assigned(long seed) {
    Random random = Seeds.random(seed);
    int nodes = 1 + random.nextInt(NODES_MAX);
    // The file system's copies: never more than there are nodes.
    int copies = 1 + random.nextInt(Math.min(2, nodes));
    return shaped(random, seed, Ownership.ASSIGNED, nodes, copies);
  }

  public static ClusterSpec ring(long seed) {
    Random random = Seeds.random(seed);
    int copies = 1 + random.nextInt(COPIES_MAX);
    int nodes = copies + random.nextInt(NODES_MAX - copies + 1);
    return shaped(random, seed, Ownership.TOKENS, nodes, copies);
  }

  private static ClusterSpec shaped(
      Random random, long seed, Ownership ownership, int nodes, int copies) {
    List<TableSpec> tables = new ArrayList<>();
    int count = 1 + random.nextInt(TABLES_MAX);
    for (int i = 0; i < count; i++) {
      tables.add(table(random, (ownership == Ownership.TOKENS ? "k.t" : "t") + i));
    }
    return new ClusterSpec(
        seed,
        ownership,
        nodes,
        copies,
        random.nextInt(4) == 0 ? 0 : 8,
        random.nextBoolean(),
        Profile.STANDARD.get(random.nextInt(Profile.STANDARD.size())),
        1L << (28 + random.nextInt(4)),
        1 + random.nextInt(8),
        1,
        tables,
        VerbTimes.DEFAULTS);
  }

  private static TableSpec table(Random random, String name) {
    Access access = access(random);
    return new TableSpec(
        name,
        1 + random.nextInt(PARTITIONS_MAX),
        (1L << 20) + (long) (random.nextDouble() * (2L << 30)),
        100 << random.nextInt(5),
        (8 << 10) << random.nextInt(5),
        random.nextBoolean() ? 0 : 0.9 * random.nextDouble(),
        keys(random),
        load(random, access));
  }

  private static Access access(Random random) {
    double rate = 500 * Math.exp(1.5 * random.nextGaussian());
    return switch (random.nextInt(5)) {
      case 0 -> Access.reads(rate);
      case 1 -> Access.writes(rate);
      case 2 -> new Access(0, rate / 20, 10 + random.nextInt(100), 0);
      case 3 -> new Access(rate, 0, 0, rate);
      default -> Access.NONE;
    };
  }

  private static KeyDistribution keys(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> KeyDistribution.uniform();
      case 1 -> KeyDistribution.zipf(random.nextLong(), 64, 1.2 * random.nextDouble());
      default -> {
        double start = 0.9 * random.nextDouble();
        yield KeyDistribution.hot(0.9 * random.nextDouble(), 0.05, seconds -> start);
      }
    };
  }

  private static LoadScript load(Random random, Access access) {
    return switch (random.nextInt(3)) {
      case 0 -> LoadScript.constant(access);
      case 1 -> LoadScript.daily(access, 0.2, 2);
      default -> LoadScript.steps(access, Duration.ofMinutes(30), 0.2, 3, 1);
    };
  }
}

package io.trimtab.simulator.days;

import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.VerbTimes;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Clusters whose load changes for days: each table by a curve over the day, by steps, or by a
 * tenant that turns from reads to writes, and with hot ranges that jump; what requests take of its
 * nodes is drawn, too ({@link DrawnLaw}). The same seed gives the same cluster. Whatever requests
 * cost there, it is asked for a drawn part of what it has at the beginning: a third to nine tenths,
 * where a third of the blocks miss the caches. Most are used by a fifth to two thirds, in the mean
 * over a day.
 */
public final class DayClusters {
  private static final int NODES_MIN = 3;
  private static final int NODES_MAX = 10;
  private static final int TABLES_MAX = 4;
  private static final int SPARE = 20;
  private static final int COPIES = 2;

  static final double ROWS_PER_SCAN = 50;

  private static final double LEAST_USED = 0.33;
  private static final double MOST_USED = 0.9;

  private DayClusters() {}

  /** Rings for odd seeds. */
  public static ClusterSpec spec(long seed) {
    Random random = Seeds.random(seed);
    DrawnLaw law = DrawnLaw.of(seed);
    Ownership ownership = seed % 2 == 0 ? Ownership.ASSIGNED : Ownership.TOKENS;
    int nodes = NODES_MIN + random.nextInt(NODES_MAX - NODES_MIN + 1);
    int count = 1 + random.nextInt(TABLES_MAX);
    double used = LEAST_USED + (MOST_USED - LEAST_USED) * random.nextDouble();
    double[] weights = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      weights[i] = Math.exp(random.nextGaussian());
      sum += weights[i];
    }
    List<TableSpec> tables = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = (ownership == Ownership.TOKENS ? "k.t" : "t") + i;
      tables.add(table(random, law, name, used * nodes * weights[i] / sum, ownership));
    }
    ClusterSpec spec =
        new ClusterSpec(
            seed,
            ownership,
            nodes,
            COPIES,
            SPARE,
            true,
            Profile.HOMOGENEOUS,
            1L << (28 + random.nextInt(3)),
            4,
            1,
            tables,
            VerbTimes.DEFAULTS);
    return spec.withCosts(law.costs()).withChance(true);
  }

  /**
   * @param used by its requests, in nodes
   */
  private static TableSpec table(
      Random random, DrawnLaw law, String name, double used, Ownership ownership) {
    return new TableSpec(
        name,
        4 + random.nextInt(17),
        (64L << 20) + (long) (random.nextDouble() * (4L << 30)),
        100 << random.nextInt(4),
        (16 << 10) << random.nextInt(3),
        random.nextBoolean() ? 0 : 0.9 * random.nextDouble(),
        keys(random),
        load(random, law, used / (ownership == Ownership.TOKENS ? COPIES / 2.0 + 0.5 : 1)));
  }

  private static Access access(DrawnLaw law, int kind, double used) {
    return switch (kind) {
      case 0 -> Access.reads(used / law.readSeconds());
      case 1 -> Access.writes(used / law.writeSeconds());
      case 2 -> new Access(0, used / law.scanSeconds(), ROWS_PER_SCAN, 0);
      default -> new Access(used / 2 / law.readSeconds(), 0, 0, used / 2 / law.writeSeconds());
    };
  }

  private static LoadScript load(Random random, DrawnLaw law, double used) {
    int kind = random.nextInt(4);
    Access access = access(law, kind, used);
    double shift = random.nextDouble() * 86_400;
    return switch (random.nextInt(4)) {
      case 0 -> LoadScript.constant(access);
      case 1 -> {
        LoadScript day = LoadScript.daily(access, 0.3, 1.7);
        yield seconds -> day.at(seconds + shift);
      }
      case 2 -> {
        Duration each = Duration.ofHours(2 + random.nextInt(7));
        LoadScript steps = LoadScript.steps(access, each, 0.5, 1.6, 1, 0.4, 1.5);
        yield seconds -> steps.at(seconds + shift);
      }
      default -> {
        // From one kind of request to another and back.
        Access other = access(law, (kind + 1 + random.nextInt(3)) % 4, used);
        double each = 3_600 * (4 + random.nextInt(9));
        yield seconds -> (long) ((seconds + shift) / each) % 2 == 0 ? access : other;
      }
    };
  }

  private static KeyDistribution keys(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> KeyDistribution.uniform();
      case 1 -> KeyDistribution.zipf(random.nextLong(), 64, 1.2 * random.nextDouble());
      default -> {
        long seed = random.nextLong();
        double each = 3_600 * (3 + random.nextInt(10));
        yield KeyDistribution.hot(
            0.2 + 0.6 * random.nextDouble(),
            0.05,
            seconds -> 0.9 * Seeds.random(seed + (long) (seconds / each)).nextDouble());
      }
    };
  }
}

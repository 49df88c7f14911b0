package io.trimtab.controller.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.place.UsagePacking.Item;
import io.trimtab.controller.place.UsagePacking.Packed;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import io.trimtab.models.usage.UsageModel.UpdatePoint;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

public class UsagePackingTest {
  public static final double BLOCK = 33_000;

  /** A node on which hits are cheap and misses dear. */
  public static UsageModel model() {
    List<ReadPoint> reads = new ArrayList<>();
    List<UpdatePoint> updates = new ArrayList<>();
    for (double level : new double[] {0.2, 0.4, 0.6, 0.8}) {
      for (double hits : new double[] {1, 0.9, 0.7, 0.5, 0.3}) {
        reads.add(
            new ReadPoint(hits, level, (level - 0.02) / (2e-4 + (1 - hits) * 8e-3), List.of()));
      }
      updates.add(new UpdatePoint(level, (level - 0.02) / 5e-4, List.of()));
    }
    return new UsageModel(
        UsageModel.SCHEMA, "hbase", new TreeMap<>(), 0.02, reads, updates, null, null);
  }

  /** A partition of Zipfian or uniformly read blocks. */
  static Item item(Random random, int blocks, double reads, double updates) {
    boolean zipf = random.nextBoolean();
    double[] counts = new double[blocks];
    for (int i = 0; i < blocks; i++) {
      counts[i] = zipf ? Math.rint(1e6 / (i + 1.0)) : 100;
    }
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (double count : counts) {
      builder.add(count, 1, BLOCK);
    }
    return new Item(
        CacheLoad.of(builder.build(), reads), Load.withoutScans(1, reads, updates, 1_000));
  }

  private static List<Item> random(long seed, int n) {
    Random random = new Random(seed);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      items.add(item(random, 50 + random.nextInt(400), 5 + random.nextInt(60), random.nextInt(40)));
    }
    return items;
  }

  @Test
  void theMostUsedNodeIsNearTheBound() {
    UsagePredictor model = new UsagePredictor(model());
    for (int world = 0; world < 25; world++) {
      int nodes = 2 + world % 7;
      List<Item> items = random(world, nodes * (8 + world % 5));
      double cache = 500 * BLOCK * items.size() / nodes / 10.0;

      Packed packed = UsagePacking.pack(model, items, nodes, cache, 50_000);

      assertThat(packed.bound()).isPositive();
      assertThat(packed.most())
          .as("world %d, %d nodes", world, nodes)
          .isBetween(packed.bound() * 0.999, packed.bound() * 1.03);
    }
  }

  @Test
  void everyItemIsOnANodeAndTheUsageIsThatOfWhatIsThere() {
    UsagePredictor model = new UsagePredictor(model());
    List<Item> items = random(3, 40);
    double cache = 600 * BLOCK;

    Packed packed = UsagePacking.pack(model, items, 4, cache, 20_000);

    for (int node = 0; node < 4; node++) {
      List<Item> here = new ArrayList<>();
      for (int i = 0; i < items.size(); i++) {
        if (packed.nodeOf()[i] == node) {
          here.add(items.get(i));
        }
      }
      assertThat(UsagePacking.usage(model, here, cache))
          .isCloseTo(packed.usage()[node], within(1e-3));
    }
    assertThat(UsagePacking.pack(model, items, 4, cache, 20_000).nodeOf())
        .isEqualTo(packed.nodeOf());
  }

  @Test
  void improvingNeverMakesItWorseAndEndsWhenItMust() {
    UsagePredictor model = new UsagePredictor(model());
    List<Item> items = random(11, 60);
    double cache = 700 * BLOCK;

    double first = UsagePacking.pack(model, items, 5, cache, 0).most();
    double later = UsagePacking.pack(model, items, 5, cache, 2_000).most();
    double best = UsagePacking.pack(model, items, 5, cache, 100_000).most();

    assertThat(later).isLessThanOrEqualTo(first);
    assertThat(best).isLessThanOrEqualTo(later);
  }

  /** What placing by requests can't see: who shares a cache with whom. */
  @Test
  void readersOfMuchDataAreKeptApart() {
    UsagePredictor model = new UsagePredictor(model());
    Random uniform =
        new Random(1) {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean nextBoolean() {
            return false;
          }
        };
    // Four partitions that each fill a cache, and four with as many requests to few blocks.
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      items.add(item(uniform, 900, 60, 0));
      items.add(item(uniform, 10, 60, 0));
    }
    double cache = 1_000 * BLOCK;

    Packed packed = UsagePacking.pack(model, items, 4, cache, 10_000);

    boolean[] taken = new boolean[4];
    for (int i = 0; i < items.size(); i += 2) {
      assertThat(taken[packed.nodeOf()[i]]).isFalse();
      taken[packed.nodeOf()[i]] = true;
    }
  }

  private static int[] pins(int n) {
    int[] pins = new int[n];
    Arrays.fill(pins, UsagePacking.FREE);
    return pins;
  }

  /** Part of a good packing is held where it is: one about as good is found around it. */
  @Test
  void whatStaysStaysAndTheOthersArePlacedAboutAsWellAroundIt() {
    UsagePredictor model = new UsagePredictor(model());
    for (int world = 0; world < 25; world++) {
      Random random = new Random(world);
      int nodes = 2 + world % 5;
      List<Item> items = random(world, nodes * (8 + world % 5));
      double cache = 500 * BLOCK * items.size() / nodes / 10.0;
      Packed free = UsagePacking.pack(model, items, nodes, cache, 50_000);
      int[] pins = pins(items.size());
      int share = 1 + random.nextInt(6);
      for (int i = 0; i < pins.length; i++) {
        pins[i] = random.nextInt(8) < share ? free.nodeOf()[i] : UsagePacking.FREE;
      }

      Packed packed = UsagePacking.pack(model, items, pins, nodes, cache, 50_000);

      for (int i = 0; i < pins.length; i++) {
        assertThat(packed.nodeOf()[i]).as("world %d", world).isBetween(0, nodes - 1);
        assertThat(pins[i]).as("world %d", world).isIn(UsagePacking.FREE, packed.nodeOf()[i]);
      }
      double found = mostPlaced(model, items, pins, packed.nodeOf(), nodes, cache);
      assertThat(packed.mostPlaced()).as("world %d", world).isCloseTo(found, within(1e-3));
      assertThat(found)
          .as("world %d, %d eighths stay", world, share)
          .isBetween(packed.bound() * 0.999, free.most() * 1.05);
    }
  }

  /** As the packing promises it, from scratch. */
  private static double mostPlaced(
      UsagePredictor model, List<Item> items, int[] pins, int[] nodeOf, int nodes, double cache) {
    double most = 0;
    for (int node = 0; node < nodes; node++) {
      List<Item> here = new ArrayList<>();
      boolean stays = false;
      boolean placed = false;
      for (int i = 0; i < nodeOf.length; i++) {
        if (nodeOf[i] == node) {
          here.add(items.get(i));
          stays |= pins[i] != UsagePacking.FREE;
          placed |= pins[i] == UsagePacking.FREE;
        }
      }
      if (placed || !stays) {
        most = Math.max(most, UsagePacking.usage(model, here, cache));
      }
    }
    return most;
  }

  @Test
  void aNodeThatCanNotBeRelievedKeepsNoOtherFromBeingRelieved() {
    UsagePredictor model = new UsagePredictor(model());
    List<Item> items = random(5, 40);
    int[] pins = pins(items.size());
    // Alone more than anything else together.
    for (int i = 0; i < 20; i++) {
      pins[i] = 0;
    }
    double cache = 500 * BLOCK;

    Packed first = UsagePacking.pack(model, items, pins, 5, cache, 0);
    Packed later = UsagePacking.pack(model, items, pins, 5, cache, 50_000);

    assertThat(later.full()).containsExactly(true, false, false, false, false);
    assertThat(later.most()).isEqualTo(later.usage()[0]).isGreaterThan(later.mostPlaced());
    assertThat(later.mostPlaced()).isLessThan(first.mostPlaced());
  }

  /** The thesis's algorithm: packing without improvements; no node gets more than its share. */
  @Test
  void longestFirstIsAPackingWithoutMovesAndWithACap() {
    UsagePredictor model = new UsagePredictor(model());
    for (long seed = 0; seed < 20; seed++) {
      List<Item> items = random(seed, 24);
      int[] free = UsagePacking.longestFirst(model, items, 4, 500 * BLOCK, 24);
      assertThat(free)
          .as("seed %d", seed)
          .isEqualTo(UsagePacking.pack(model, items, 4, 500 * BLOCK, 0).nodeOf());
      int[] capped = UsagePacking.longestFirst(model, items, 4, 500 * BLOCK, 6);
      for (int node = 0; node < 4; node++) {
        int its = node;
        assertThat(Arrays.stream(capped).filter(n -> n == its).count()).isEqualTo(6);
      }
    }
  }
}

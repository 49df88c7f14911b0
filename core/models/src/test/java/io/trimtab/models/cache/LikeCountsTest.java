package io.trimtab.models.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LikeCountsTest {
  private static final int BLOCKS = 2_000;
  private static final int PARTITIONS = 200;

  /** A third is read uniformly, a third has hot blocks, a third is skewed. */
  private static double[] rates(int partition, double perBlock) {
    double[] rates = new double[BLOCKS];
    Arrays.setAll(
        rates,
        i ->
            switch (partition % 3) {
              case 0 -> 1;
              case 1 -> i < BLOCKS / 10 ? 9 : 1;
              default -> Math.pow(i + 1.0, -0.7);
            });
    double sum = Arrays.stream(rates).sum();
    return Arrays.stream(rates).map(rate -> rate * perBlock * BLOCKS / sum).toArray();
  }

  /** By chance, from Poisson's distribution. */
  private static double counted(double rate, Random random) {
    double left = random.nextDouble();
    double likelihood = Math.exp(-rate);
    int count = 0;
    while (left > likelihood && count < 1_000) {
      left -= likelihood;
      count++;
      likelihood *= rate / count;
    }
    return count;
  }

  private record Seen(AccessHistogram truth, AccessHistogram counted) {}

  private static List<Seen> partitions() {
    Random random = new Random(5);
    return IntStream.range(0, PARTITIONS)
        .mapToObj(
            p -> {
              double[] rates = rates(p, 2 + 40 * random.nextDouble());
              double[] counts = Arrays.stream(rates).map(rate -> counted(rate, random)).toArray();
              return new Seen(AccessHistogram.ofCounts(rates), AccessHistogram.ofCounts(counts));
            })
        .toList();
  }

  private static double points(AccessHistogram histogram, double share) {
    return 100 * LruModel.ofBlocks(histogram, share * BLOCKS).hitRatio();
  }

  @Test
  void manyTogetherTellAsMuchAsOneByOne() {
    List<Seen> all = partitions();
    LikeCounts like = new LikeCounts();
    all.forEach(seen -> like.add(seen.counted()));
    double withChance = 0;
    double alone = 0;
    double together = 0;
    for (Seen seen : all) {
      AccessHistogram without = like.withoutChance(seen.counted());
      assertThat(without.blocks()).isCloseTo(BLOCKS, within(1e-6));
      assertThat(without.requests())
          .isCloseTo(seen.counted().requests(), within(0.005 * seen.counted().requests()));
      for (double share : new double[] {0.1, 0.3, 0.5, 0.8}) {
        double truth = points(seen.truth(), share);
        withChance += Math.abs(points(seen.counted(), share) - truth);
        alone += Math.abs(points(seen.counted().withoutChance(), share) - truth);
        together += Math.abs(points(without, share) - truth);
      }
    }
    assertThat(together).isLessThan(withChance / 5).isLessThan(1.5 * alone);
  }

  /** What partitions of a node's cache have too much and too little does not add up. */
  @Test
  void whatTheyHaveTogetherIsRight() {
    List<Seen> all = partitions();
    LikeCounts like = new LikeCounts();
    all.forEach(seen -> like.add(seen.counted()));
    List<AccessHistogram> truth = new ArrayList<>();
    List<AccessHistogram> found = new ArrayList<>();
    for (Seen seen : all.subList(0, 50)) {
      truth.add(seen.truth().scaledTo(1));
      found.add(like.withoutChance(seen.counted()).scaledTo(1));
    }
    for (double share : new double[] {10, 25, 40}) {
      assertThat(points(AccessHistogram.merge(found), share))
          .isCloseTo(points(AccessHistogram.merge(truth), share), within(0.5));
    }
  }

  @Test
  void onePartitionAloneIsTreatedAsByItself() {
    AccessHistogram own = partitions().get(0).counted();
    LikeCounts like = new LikeCounts();
    like.add(own);
    like.add(AccessHistogram.ofCounts(new double[] {500, 600}));

    assertThat(like.withoutChance(own).bins()).isEqualTo(own.withoutChance().bins());
  }

  /** Of large counts chance is no part. */
  @Test
  void largeCountsStay() {
    AccessHistogram large = AccessHistogram.of(new double[] {500, 900}, new double[] {3, 2}, 64);
    LikeCounts like = new LikeCounts();
    like.add(large);

    assertThat(like.withoutChance(large).bins()).isEqualTo(large.bins());
    assertThat(large.bins())
        .containsExactly(
            new AccessHistogram.CountBin(900, 2, 64), new AccessHistogram.CountBin(500, 3, 64));
  }

  /** Every block of theirs was asked for once, as of a partition without files. */
  @Test
  void largeCountsStayBesidePartitionsThatAreHardlyAsked() {
    AccessHistogram once = AccessHistogram.of(new double[] {1}, new double[] {1}, 64);
    AccessHistogram large = AccessHistogram.of(new double[] {500, 900}, new double[] {3, 2}, 64);
    LikeCounts like = new LikeCounts();
    like.add(once);
    like.add(once);
    like.add(large);

    assertThat(like.withoutChance(large).bins()).isEqualTo(large.bins());
  }
}

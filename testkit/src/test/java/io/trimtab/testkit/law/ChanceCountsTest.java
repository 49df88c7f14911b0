package io.trimtab.testkit.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.testkit.law.ChanceCounts.Group;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChanceCountsTest {
  private static double blocks(List<Group> counts) {
    return counts.stream().mapToDouble(Group::blocks).sum();
  }

  private static double requests(List<Group> counts) {
    return counts.stream().mapToDouble(its -> its.count() * its.blocks()).sum();
  }

  @Test
  void chanceSpreadsCountsAndKeepsTheirSum() {
    for (double mean : new double[] {0.1, 1, 30, 399}) {
      List<Group> counts = ChanceCounts.of(List.of(new Group(mean, 1_000)));
      double spread =
          counts.stream()
              .mapToDouble(its -> Math.pow(its.count() - mean, 2) * its.blocks() / 1_000)
              .sum();

      assertThat(blocks(counts)).as("of %s", mean).isCloseTo(1_000, within(1e-3));
      assertThat(requests(counts)).as("of %s", mean).isCloseTo(1_000 * mean, within(0.1));
      assertThat(spread).as("of %s", mean).isCloseTo(mean, within(0.001 * mean));
    }
  }

  @Test
  void ofRareBlocksMostWereNeverAskedFor() {
    List<Group> counts = ChanceCounts.of(List.of(new Group(0.1, 1_000)));

    assertThat(counts.get(counts.size() - 1).count()).isZero();
    assertThat(counts.get(counts.size() - 1).blocks()).isCloseTo(905, within(0.5));
  }

  @Test
  void largeCountsStayAndTheLargestComesFirst() {
    List<Group> counts =
        ChanceCounts.of(List.of(new Group(5_000, 0.5), new Group(401, 2), new Group(399, 100)));

    assertThat(counts).contains(new Group(5_000, 0.5), new Group(401, 2));
    assertThat(counts).isSortedAccordingTo(Comparator.comparingDouble(its -> -its.count()));
    assertThat(counts.get(1).count()).as("by chance").isGreaterThan(401);
  }

  @Test
  void withoutRequestsNothingIsLeftToChance() {
    assertThat(ChanceCounts.of(List.of(new Group(0, 2), new Group(0, 3))))
        .containsExactly(new Group(0, 5));
    assertThat(ChanceCounts.of(List.of())).isEmpty();
  }
}

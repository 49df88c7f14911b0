package io.trimtab.experiments.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComponentCountsTest {
  @Test
  void valuesOfSeveralNodesArePooled() {
    ComponentCounts counts = new ComponentCounts();
    assertThat(counts.share(0, 100)).isZero();
    assertThat(counts.percentile(50)).isZero();

    counts.add(List.of(List.of(10L, 6L), List.of(20L, 2L)));
    counts.add(List.of(List.of(20L, 1L), List.of(1_000L, 1L)));

    assertThat(counts.count()).isEqualTo(10);
    assertThat(counts.mean()).isEqualTo((60 + 60 + 1_000) / 10.0);
    assertThat(counts.percentile(60)).isEqualTo(10);
    assertThat(counts.percentile(90)).isEqualTo(20);
    assertThat(counts.percentile(99.99)).isEqualTo(1_000);
    assertThat(counts.share(0, 20)).isEqualTo(0.6);
    assertThat(counts.share(20, 1_000)).isEqualTo(0.3);
    assertThat(counts.share(1_000, Double.MAX_VALUE)).isEqualTo(0.1);
  }

  @Test
  void theTimeOfTheSlowestReadsIsDivided() {
    ComponentCounts counts = new ComponentCounts();
    counts.add(List.of(List.of(10L, 98L), List.of(1_000L, 1L)));
    counts.addParts(List.of(List.of(10L, 98L, 490L), List.of(1_000L, 100L, 800L)));
    counts.add(List.of(List.of(1_000L, 1L)));
    counts.addParts(List.of(List.of(1_000L, 500L, 400L)));

    ComponentCounts.Slowest slowest = counts.slowest(99);
    assertThat(slowest).isEqualTo(new ComponentCounts.Slowest(2, 1_000, 0.3, 0.6));
    assertThat(slowest.rest()).isCloseTo(0.1, within(1e-9));
    assertThat(counts.slowest(0).reads()).isEqualTo(100);
    assertThat(counts.upTo()).containsExactly(0.98, 1);
    assertThat(counts.values()).containsExactly(10, 1_000);
  }
}

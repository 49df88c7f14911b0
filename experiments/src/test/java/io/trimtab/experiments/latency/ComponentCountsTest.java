package io.trimtab.experiments.latency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComponentCountsTest {
  @Test
  void valuesOfSeveralNodesArePooled() {
    ComponentCounts counts = new ComponentCounts();
    assertThat(counts.share(0, 100)).isZero();
    assertThat(counts.percentile(50)).isZero();

    counts.add(new long[][] {{10, 6}, {20, 2}});
    counts.add(new long[][] {{20, 1}, {1_000, 1}});

    assertThat(counts.count()).isEqualTo(10);
    assertThat(counts.mean()).isEqualTo((60 + 60 + 1_000) / 10.0);
    assertThat(counts.percentile(60)).isEqualTo(10);
    assertThat(counts.percentile(90)).isEqualTo(20);
    assertThat(counts.percentile(99.99)).isEqualTo(1_000);
    assertThat(counts.share(0, 20)).isEqualTo(0.6);
    assertThat(counts.share(20, 1_000)).isEqualTo(0.3);
    assertThat(counts.share(1_000, Double.MAX_VALUE)).isEqualTo(0.1);
  }
}

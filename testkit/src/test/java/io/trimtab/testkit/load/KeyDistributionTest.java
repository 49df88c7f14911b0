package io.trimtab.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KeyDistributionTest {
  private static final KeyDistribution FIRST = KeyDistribution.lowest(0.4, 0.5);

  private static double quarter(KeyDistribution keys, int number, double seconds) {
    return keys.between((number - 1) / 4.0, number / 4.0, seconds);
  }

  /** Half of the requests on 40 % of the keys: 31, 27, 21 and 21 %. */
  @Test
  void theLowestKeysHaveTheirShare() {
    assertThat(quarter(FIRST, 1, 0)).isCloseTo(0.3125, within(1e-9));
    assertThat(quarter(FIRST, 2, 0)).isCloseTo(0.15 * 1.25 + 0.1 / 1.2, within(1e-9));
    assertThat(quarter(FIRST, 3, 0)).isCloseTo(0.25 / 1.2, within(1e-9));
    assertThat(quarter(FIRST, 4, 0)).isCloseTo(0.25 / 1.2, within(1e-9));
    assertThat(FIRST.moves()).isFalse();
  }

  @Test
  void anotherOneFollowsInItsTime() {
    KeyDistribution keys =
        KeyDistribution.from(
            new TreeMap<>(
                Map.of(
                    Duration.ZERO,
                    FIRST,
                    Duration.ofSeconds(100),
                    KeyDistribution.lowest(0.6, 0.2))));

    assertThat(keys.moves()).isTrue();
    assertThat(quarter(keys, 4, 99)).isCloseTo(0.25 / 1.2, within(1e-9));
    assertThat(quarter(keys, 4, 100)).isCloseTo(0.5, within(1e-9));
  }
}

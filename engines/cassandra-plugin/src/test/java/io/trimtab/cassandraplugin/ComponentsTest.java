package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.plugincore.ranking.Told;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ComponentsTest {
  private final Components components = new Components();

  private static Told told(int queued, long waited, long service) {
    Told told = new Told();
    told.queued = queued;
    told.waited = waited;
    told.service = service;
    return told;
  }

  @Test
  void eachValueIsInTheBinThatBeginsAtOrBelowIt() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      long value = random.nextLong() >>> (2 + random.nextInt(61));
      int bin = Components.bin(value);
      assertThat(Components.least(bin)).isLessThanOrEqualTo(value);
      assertThat(Components.least(bin + 1)).isGreaterThan(value);
      assertThat(value - Components.least(bin)).isLessThanOrEqualTo(value / Components.PARTS);
    }
  }

  @Test
  void theTimeOfAReadIsDivided() {
    components.record(told(1, 1, 1), 1);
    components.on(true);
    components.record(told(3, 10, 20), 31);
    components.record(new Told(), 31);

    assertThat(components.counted("QUEUE")).isDeepEqualTo(new long[][] {{3, 1}});
    assertThat(components.counted("WAITING")).isDeepEqualTo(new long[][] {{10, 1}});
    assertThat(components.counted("SERVICE")).isDeepEqualTo(new long[][] {{20, 1}});
    assertThat(components.counted("NETWORK")).isDeepEqualTo(new long[][] {{1, 1}});
    assertThat(components.counted("RESPONSE")).isDeepEqualTo(new long[][] {{31, 1}});
    assertThat(components.responseParts()).isDeepEqualTo(new long[][] {{31, 10, 20}});
    assertThatThrownBy(() -> components.counted("DISK"))
        .isInstanceOf(IllegalArgumentException.class);

    components.on(false);
    assertThat(components.counted("QUEUE")).isEmpty();
    assertThat(components.responseParts()).isEmpty();
  }
}

package io.trimtab.lab.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestbedSettingsTest {
  /** The demo and half of the experiments begin with these; nothing else makes them in a test. */
  @Test
  void everyBedCanBeMade() {
    for (TestbedSettings bed :
        List.of(
            TestbedSettings.standard(),
            TestbedSettings.standard().onTwoCores(),
            TestbedSettings.quick(),
            TestbedSettings.pair(),
            TestbedSettings.single(),
            TestbedSettings.modelled(),
            TestbedSettings.four())) {
      assertThat(bed.memory().value()).isGreaterThan(bed.heap().value() + bed.pageCache().value());
      assertThat(bed.nodes()).isPositive();
      TestbedSettings with = bed.withBucketCache();
      long more = with.heap().value() + with.bucketCache().value() - bed.heap().value();
      assertThat(more).as("what it needs on the heap").isEqualTo(17L << 20);
      assertThat(with.memory().value())
          .as("and in direct memory")
          .isEqualTo(bed.memory().value() + more + (36L << 20));
    }
    assertThat(TestbedSettings.standard().pageCache().value())
        .as("all that its limit leaves")
        .isZero();
  }

  @Test
  void onTwoCoresANodeIsSlowerInAllThatItDoes() {
    TestbedSettings usual = TestbedSettings.standard();
    TestbedSettings slower = usual.onTwoCores();

    assertThat(slower.cores()).isCloseTo(0.25, within(1e-9));
    assertThat(slower.readIops() / slower.cores())
        .isCloseTo(usual.readIops() / usual.cores(), within(2.0));
    assertThat(slower.insertRate() / slower.cores())
        .isCloseTo(usual.insertRate() / usual.cores(), within(2.0));
    assertThat(slower.heap()).isEqualTo(usual.heap());
    assertThat(slower.records()).isEqualTo(usual.records());
  }

  @Test
  void aBucketCacheIsAsLargeAsTheCacheOnTheHeapAndMemstoresKeepTheirs() {
    TestbedSettings heap = TestbedSettings.standard();
    TestbedSettings bucket = heap.withBucketCache();

    assertThat(heap.profile()).isEqualTo(Profile.HOMOGENEOUS);
    assertThat(bucket.bucketCache()).isEqualTo(Bytes.parse("117m"));
    assertThat(bucket.heap()).isEqualTo(Bytes.parse("200m"));
    assertThat(bucket.profile().memstoreFraction() * bucket.heap().value())
        .isCloseTo(0.26 * heap.heap().value(), within(1.0));
    assertThat(bucket.profile().blockSizeBytes()).isEqualTo(heap.profile().blockSizeBytes());
  }
}

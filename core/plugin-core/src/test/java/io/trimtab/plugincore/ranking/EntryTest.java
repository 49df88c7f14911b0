package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class EntryTest {
  private static final long MS = 1_000_000;

  @Test
  void whatIsSaidIsRead() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      int replica = random.nextInt(Views.REPLICAS_MAX);
      long queueAge = random.nextInt((int) (400 * MS));
      int queued = random.nextInt(4_096);
      long serviceAge = random.nextInt(2_000_000_000);
      long service = 1_000 + (long) Math.exp(random.nextDouble() * Math.log(10_000.0 * MS));
      long entry = Entry.of(replica, queueAge, queued, serviceAge, service);

      assertThat(Entry.replica(entry)).isEqualTo(replica);
      assertThat(Entry.queued(entry)).isEqualTo(queued);
      assertThat(Entry.queueAge(entry)).isBetween(queueAge, queueAge + 100_000);
      assertThat(Entry.serviceAge(entry)).isBetween(serviceAge, serviceAge + MS);
      assertThat(Entry.hasService(entry)).isTrue();
      assertThat(Entry.service(entry) / service).isBetween(0.992, 1.0);
    }
  }

  @Test
  void whatIsLargerIsToldAsTheLargestAndWhatIsOlderNotAtAll() {
    long entry = Entry.of(65_535, 10_000 * MS, 1_000_000, 4_094 * MS, 1);
    assertThat(Entry.replica(entry)).isEqualTo(65_535);
    assertThat(Entry.queued(entry)).isEqualTo(4_095);
    assertThat(Entry.queueAge(entry)).isEqualTo(4_095 * 100_000L);
    assertThat(Entry.service(entry)).as("the least").isEqualTo(1_000);

    assertThat(Entry.hasService(Entry.of(1, 0, 0, 4_094 * MS + 1, MS))).isFalse();
    assertThat(Entry.hasService(Entry.of(1, 0, 0))).isFalse();
    assertThat(Entry.service(Entry.of(1, 0, 0, 0, Long.MAX_VALUE))).isPositive();
    assertThat(Entry.queueAge(Entry.of(1, -5 * MS, 0))).as("clocks of threads differ").isZero();
  }
}

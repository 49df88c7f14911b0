package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A table of a thousand senders. */
class SendersTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final Senders senders = new Senders(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private boolean put(String client) {
    return senders.put(new ClientReport("shop", client, 1, 1.0, null, null, 1.0, null, null, null));
  }

  @Test
  void aFullTableTakesOnlyReportsOfThoseWhoAreInIt() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(put("c" + i)).isTrue();
    }
    assertThat(put("one more")).isFalse();
    assertThat(put("c0")).isTrue();
    assertThat(senders.connected()).hasSize(1_000);
  }

  @Test
  void inAFullTableTheLongestSilentMakesRoom() {
    for (int i = 0; i < 1_000; i++) {
      put("c" + i);
    }
    pass(Duration.ofSeconds(60));
    for (int i = 0; i < 999; i++) {
      put("c" + i);
    }
    assertThat(put("new")).isFalse();
    pass(Duration.ofSeconds(20));

    assertThat(put("new")).isTrue();
    assertThat(put("newer")).isFalse();
    assertThat(senders.connected())
        .hasSize(1_000)
        .extracting(ClientReport::client)
        .contains("c0", "new")
        .doesNotContain("c999");
  }

  @Test
  void afterAChangeReportsCountOnceAllHaveReportedAgain() {
    put("a");
    put("b");
    assertThat(senders.sinceChange()).hasSize(2);

    senders.changed();
    assertThat(senders.sinceChange()).isEmpty();
    assertThat(senders.connected()).as("they are still there").hasSize(2);
    put("a");
    assertThat(senders.sinceChange()).as("b has not reported").isEmpty();
    pass(Duration.ofSeconds(70));
    put("a");
    pass(Duration.ofSeconds(10));
    assertThat(senders.sinceChange()).as("b is gone").hasSize(1);
  }

  /** The table has no other clock, so that a step of the wall clock neither drops nor keeps any. */
  @Test
  void aReportIsOldWhenItsTimeHasPassed() {
    put("c");
    pass(Senders.REPORT_AGE_MAX);
    assertThat(senders.connected()).hasSize(1);
    pass(Duration.ofNanos(1));
    assertThat(senders.connected()).isEmpty();
  }
}

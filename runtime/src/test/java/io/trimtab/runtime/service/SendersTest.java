package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.testkit.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A table of a thousand senders. */
class SendersTest {
  private final VirtualClock clock = new VirtualClock();
  private final Senders senders = new Senders(clock);

  private boolean put(String client) {
    return senders.put(new ClientReport("shop", client, 1, 1.0, null, null, 1.0, null));
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
    clock.advance(Duration.ofSeconds(60));
    for (int i = 0; i < 999; i++) {
      put("c" + i);
    }
    assertThat(put("new")).isFalse();
    clock.advance(Duration.ofSeconds(20));

    assertThat(put("new")).isTrue();
    assertThat(put("newer")).isFalse();
    assertThat(senders.connected())
        .hasSize(1_000)
        .extracting(ClientReport::client)
        .contains("c0", "new")
        .doesNotContain("c999");
  }
}

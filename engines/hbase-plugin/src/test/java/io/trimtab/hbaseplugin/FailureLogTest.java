package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailuresTest {

  @Test
  void allAreCountedAndOneAMinuteIsLogged() {
    AtomicInteger logged = new AtomicInteger();
    FailureLog failures = new FailureLog((what, total, cause) -> logged.incrementAndGet());
    long second = 1_000_000_000L;
    for (int i = 0; i < 120; i++) {
      failures.add("resize", new IllegalStateException("x"), i * second);
    }

    assertThat(failures.count()).isEqualTo(120);
    assertThat(logged).hasValue(2);
  }
}

package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.pages.RefusedPageException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.junit.jupiter.api.Test;

class HBaseErrorsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofMillis(1);

  @Test
  void aMasterThatStartsIsWaitedFor() throws EngineException {
    AtomicInteger attempts = new AtomicInteger();
    HBaseErrors.RETRY.until(
        "moving",
        LONG,
        PAUSE,
        () -> {
          if (attempts.incrementAndGet() < 4) {
            throw new PleaseHoldException("Master is initializing");
          }
          return true;
        });

    assertThat(attempts).hasValue(4);
  }

  @Test
  void atTheLimitTheLastReasonIsTold() {
    assertThatThrownBy(
            () ->
                HBaseErrors.RETRY.until(
                    "moving t/1 to n1",
                    SHORT,
                    PAUSE,
                    () -> {
                      throw new IOException("refused\n\tat a.b.c(D.java:1)");
                    }))
        .hasMessage("moving t/1 to n1 has not ended after 0.02 s: IOException: refused");
  }

  @Test
  void whatNoRetryMendsEndsTheWaitAtOnce() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                HBaseErrors.RETRY.until(
                    "compacting",
                    LONG,
                    PAUSE,
                    () -> {
                      attempts.incrementAndGet();
                      throw new TableNotFoundException("t");
                    }))
        .hasMessage("compacting: TableNotFoundException: t");
    assertThat(attempts).hasValue(1);
  }

  @Test
  void anInterruptEndsTheWaitAndIsNotSwallowed() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> HBaseErrors.RETRY.until("waiting", LONG, PAUSE, () -> false))
          .isInstanceOf(EngineException.class)
          .hasMessage("waiting: interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Where a page is not trusted no wait for a master ends. */
  @Test
  void whatMendsAPageThatIsNotTrustedIsTold() {
    IOException untrusted =
        new RefusedPageException("n1:16010: SSLHandshakeException: PKIX", "trust it", null);
    assertThat(HBaseErrors.failed("taking a snapshot", untrusted))
        .hasMessage(
            "taking a snapshot: n1:16010: SSLHandshakeException: PKIX; to mend it: trust it");
    assertThat(HBaseErrors.failed("moving", new IOException("refused")))
        .hasMessage("moving: IOException: refused");
  }
}

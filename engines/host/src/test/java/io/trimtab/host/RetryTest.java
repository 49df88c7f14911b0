package io.trimtab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final Retry RETRY =
      new Retry(
          e ->
              e instanceof UncheckedIOException
                  || e instanceof IOException && !(e instanceof FileNotFoundException),
          e -> e.getClass().getSimpleName() + ": " + e.getMessage());

  private final List<Boolean> asked = new ArrayList<>();

  @Test
  void itTriesUntilTheEffectIsInForce() throws EngineException {
    AtomicInteger attempts = new AtomicInteger();
    RETRY.until(
        "moving",
        LONG,
        PAUSE,
        () -> {
          if (attempts.incrementAndGet() < 3) {
            throw new IOException("the master starts");
          }
          return attempts.get() > 4;
        });
    assertThat(attempts).hasValue(5);
  }

  @Test
  void atTheLimitTheLastReasonIsTold() {
    assertThatThrownBy(() -> RETRY.until("moving t/1 to n1", SHORT, PAUSE, this::refused))
        .isInstanceOf(EngineException.class)
        .hasMessage("moving t/1 to n1 has not ended after 0.02 s: IOException: refused");
    assertThatThrownBy(() -> RETRY.until("moving t/1 to n1", SHORT, PAUSE, () -> false))
        .hasMessage("moving t/1 to n1 has not ended after 0.02 s");
  }

  private boolean refused() throws IOException {
    throw new IOException("refused");
  }

  /** A pause longer than the limit does not prolong it, and no limit at all is one try or two. */
  @Test
  void thePauseEndsAtTheLimit() {
    long began = System.nanoTime();
    assertThatThrownBy(() -> RETRY.until("waiting", SHORT, LONG, () -> false))
        .hasMessageContaining("has not ended");
    assertThatThrownBy(() -> RETRY.until("waiting", Duration.ZERO, LONG, () -> false))
        .hasMessageContaining("has not ended");
    assertThat(System.nanoTime() - began).isLessThan(Duration.ofSeconds(10).toNanos());
  }

  @Test
  void whatNoRetryMendsEndsTheWaitAtOnce() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                RETRY.until(
                    "compacting",
                    LONG,
                    PAUSE,
                    () -> {
                      attempts.incrementAndGet();
                      throw new FileNotFoundException("t");
                    }))
        .hasMessage("compacting: FileNotFoundException: t");
    assertThatThrownBy(
            () ->
                RETRY.until(
                    "compacting",
                    LONG,
                    PAUSE,
                    () -> {
                      attempts.incrementAndGet();
                      throw new EngineException("n1 is not a live node");
                    }))
        .hasMessage("n1 is not a live node");
    assertThat(attempts).hasValue(2);
  }

  @Test
  void anInterruptEndsTheWaitAndIsNotSwallowed() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> RETRY.until("waiting", LONG, PAUSE, () -> false))
        .isInstanceOf(EngineException.class)
        .hasMessage("waiting: interrupted");
    assertThat(Thread.interrupted()).isTrue();

    assertThatThrownBy(
            () ->
                RETRY.until(
                    "waiting",
                    LONG,
                    PAUSE,
                    () -> {
                      Thread.currentThread().interrupt();
                      throw new IOException("closed by interrupt");
                    }))
        .hasMessage("waiting: interrupted");
    assertThat(Thread.interrupted()).isTrue();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> RETRY.ask("locking", LONG, PAUSE, this::fails))
        .isInstanceOf(EngineException.class)
        .hasMessage("locking: interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  /**
   * HBase's client makes an exception of an interrupt, and does not set the thread's flag again.
   */
  @Test
  void anInterruptThatOnlyAnExceptionTellsEndsTheWaitToo() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                RETRY.until(
                    "moving",
                    LONG,
                    PAUSE,
                    () -> {
                      attempts.incrementAndGet();
                      IOException told = new InterruptedIOException("wait");
                      told.initCause(new InterruptedException());
                      throw told;
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessage("moving: interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts).hasValue(1);
    assertThatThrownBy(
            () ->
                RETRY.ask(
                    "locking",
                    LONG,
                    PAUSE,
                    again -> {
                      throw new InterruptedIOException();
                    }))
        .hasMessage("locking: interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  /** A time-out is a kind of it in Java, and a server's own interrupt arrives as one. */
  @Test
  void whatOnlyLooksLikeAnInterruptIsTriedAgain() throws EngineException {
    List<IOException> fails = new ArrayList<>();
    fails.add(new SocketTimeoutException("no answer in 15 s"));
    IOException remote = new InterruptedIOException("the server is stopping");
    remote.initCause(new IOException("from a server"));
    fails.add(remote);
    AtomicInteger attempts = new AtomicInteger();
    RETRY.until(
        "moving",
        LONG,
        PAUSE,
        () -> {
          if (attempts.getAndIncrement() < fails.size()) {
            throw fails.get(attempts.get() - 1);
          }
          return true;
        });
    assertThat(attempts).hasValue(3);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void nothingIsTriedAfterAnInterrupt() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> RETRY.until("moving", LONG, PAUSE, () -> asked.add(false)))
        .hasMessage("moving: interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(asked).isEmpty();
  }

  /** The lock ends while an attempt is under way. */
  @Test
  void nothingIsTriedOnceControlIsLost() {
    Retry held =
        new Retry(e -> true, Throwable::getMessage)
            .under(
                () -> {
                  if (!asked.isEmpty()) {
                    throw new LostControlException("control was lost");
                  }
                });
    assertThatThrownBy(() -> held.until("moving", LONG, PAUSE, () -> !asked.add(false)))
        .isInstanceOf(LostControlException.class)
        .hasMessage("control was lost");
    assertThat(asked).hasSize(1);
  }

  @Test
  void itAsksAgainAndSaysThatItDoes() throws EngineException {
    String answer =
        RETRY.ask("locking", LONG, PAUSE, again -> asked.size() < 2 ? fails(again) : "yes");
    assertThat(answer).isEqualTo("yes");
    assertThat(asked).containsExactly(false, true);
  }

  @Test
  void anAnswerThatNeverComesIsTheLastError() {
    assertThatThrownBy(() -> RETRY.ask("locking", SHORT, PAUSE, this::fails))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("no answer");
    assertThat(asked).hasSizeGreaterThan(1);
  }

  private String fails(boolean again) {
    asked.add(again);
    throw new UncheckedIOException("no answer", new IOException());
  }
}

package io.trimtab.host;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Tries again what a cluster could not do at once, within a limit and until the thread is
 * interrupted; docs/decisions/0020-retries.md. Pauses are of the same length: there is one
 * controller, so that nobody else asks at the same moments.
 */
public final class Retry {
  private static final int WITHOUT_END = -1;

  private final Predicate<Throwable> mends;
  private final Function<Throwable, String> line;

  /**
   * An engine's way to try again.
   *
   * @param mends whether another try may end otherwise than with this error
   * @param line an error in one line
   */
  public Retry(Predicate<Throwable> mends, Function<Throwable, String> line) {
    this.mends = mends;
    this.line = line;
  }

  /** Tries, and tells whether the effect is in force. */
  @FunctionalInterface
  public interface Attempt {
    boolean done() throws Exception;
  }

  /** Something that may be asked more than once. */
  @FunctionalInterface
  public interface Question<T> {
    /**
     * @param again whether what was asked before may have been done although nobody said so
     */
    T ask(boolean again) throws Exception;
  }

  /**
   * Waits for an effect.
   *
   * @param what for the message: "moving t/1234abcd to host:16020"
   * @throws EngineException at the limit with the last error, at once with one that no retry mends
   */
  public void until(String what, Duration limit, Duration pause, Attempt attempt)
      throws EngineException {
    Optional<String> missing = poll(what, limit, pause, attempt);
    if (missing.isPresent()) {
      String last = missing.get().isEmpty() ? "" : ": " + missing.get();
      throw new EngineException(
          what + " has not ended after " + limit.toMillis() / 1000.0 + " s" + last);
    }
  }

  /**
   * Waits for an effect.
   *
   * @return empty when it is in force; at the limit the last error in a line, or an empty one
   */
  public Optional<String> poll(String what, Duration limit, Duration pause, Attempt attempt)
      throws EngineException {
    RetryPolicy<Boolean> policy =
        RetryPolicy.<Boolean>builder()
            .handleResult(false)
            .handleIf(this::again)
            .withMaxRetries(WITHOUT_END)
            .withDelay(delay(pause, limit))
            .withMaxDuration(most(limit))
            .build();
    try {
      boolean done = Failsafe.with(policy).get(attempt::done);
      return done ? Optional.empty() : Optional.of("");
    } catch (FailsafeException e) {
      Throwable cause = e.getCause();
      if (again(cause)) {
        return Optional.of(line.apply(cause));
      }
      throw ended(what, cause);
    }
  }

  /**
   * Asks until there is an answer, be it an error that no retry mends.
   *
   * @throws EngineException when the thread is interrupted, or for a checked error
   * @throws RuntimeException the last one at the limit, or one that no retry mends
   */
  public <T> T ask(String what, Duration limit, Duration pause, Question<T> question)
      throws EngineException {
    RetryPolicy<T> policy =
        RetryPolicy.<T>builder()
            .handleIf(this::again)
            .withMaxRetries(WITHOUT_END)
            .withDelay(delay(pause, limit))
            .withMaxDuration(most(limit))
            .build();
    try {
      return Failsafe.with(policy).get(context -> question.ask(context.getAttemptCount() > 0));
    } catch (FailsafeException e) {
      throw ended(what, e.getCause());
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw ended(what, e);
      }
      throw e;
    }
  }

  private boolean again(Throwable error) {
    return mends.test(error) && !Thread.currentThread().isInterrupted();
  }

  private EngineException ended(String what, Throwable cause) {
    if (cause instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
      Thread.currentThread().interrupt();
      return new EngineException(what + ": interrupted", cause);
    }
    return cause instanceof EngineException e
        ? e
        : new EngineException(what + ": " + line.apply(cause), cause);
  }

  /** Failsafe demands a limit above the pause. */
  private static Duration delay(Duration pause, Duration limit) {
    Duration most = most(limit);
    return pause.compareTo(most) < 0 ? pause : most.dividedBy(2);
  }

  private static Duration most(Duration limit) {
    Duration least = Duration.ofNanos(2);
    return limit.compareTo(least) < 0 ? least : limit;
  }
}

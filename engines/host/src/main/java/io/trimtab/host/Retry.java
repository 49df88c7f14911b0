package io.trimtab.host;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Retries operations on a cluster, within a time limit and until the thread is interrupted; see
 * docs/decisions/0020-retries.md. Pauses are constant: there is one controller, so there are no
 * competing retries.
 */
public final class Retry {
  private static final int WITHOUT_END = -1;

  private final Predicate<Throwable> retryable;
  private final Function<Throwable, String> line;
  private final InCharge inCharge;

  /**
   * Creates an engine's retry policy.
   *
   * @param retryable whether an error is transient, so that a retry may succeed
   * @param line formats an error in one line
   */
  public Retry(Predicate<Throwable> retryable, Function<Throwable, String> line) {
    this(retryable, line, InCharge.ANYBODY);
  }

  private Retry(
      Predicate<Throwable> retryable, Function<Throwable, String> line, InCharge inCharge) {
    this.retryable = retryable;
    this.line = line;
    this.inCharge = inCharge;
  }

  /** The same for a verb that changes something: control is asked for before each attempt. */
  public Retry under(InCharge control) {
    return new Retry(retryable, line, control);
  }

  /** Makes an attempt, and returns whether the effect is in force. */
  @FunctionalInterface
  public interface Attempt {
    boolean done() throws Exception;
  }

  /** A request that may be repeated. */
  @FunctionalInterface
  public interface Question<T> {
    /**
     * Sends the request.
     *
     * @param again whether an earlier attempt may have been executed without a response
     */
    T ask(boolean again) throws Exception;
  }

  /**
   * Waits for an effect.
   *
   * @param what for the message: "moving t/1234abcd to host:16020"
   * @throws EngineException at the time limit with the last error, at once with an error that is
   *     not transient
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
   * @return empty when it is in force; at the time limit the last error in one line, or an empty
   *     one
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
      boolean done = Failsafe.with(policy).get(() -> unlessInterrupted(attempt::done));
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
   * Repeats a request until it succeeds or fails with an error that is not transient.
   *
   * @throws EngineException when the thread is interrupted, or for a checked error
   * @throws RuntimeException the last one at the time limit, or one that is not transient
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
      return Failsafe.with(policy)
          .get(
              context -> {
                boolean earlier = context.getAttemptCount() > 0;
                return unlessInterrupted(() -> question.ask(earlier));
              });
    } catch (FailsafeException e) {
      throw ended(what, e.getCause());
    } catch (RuntimeException e) {
      if (Interrupts.in(e)) {
        throw ended(what, e);
      }
      throw e;
    }
  }

  private boolean again(Throwable error) {
    return !(error instanceof LostControlException)
        && !Interrupts.in(error)
        && retryable.test(error);
  }

  /** What is sent can't be taken back, and not every client looks at the flag before it sends. */
  private <T> T unlessInterrupted(Callable<T> attempt) throws Exception {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
    inCharge.require();
    return attempt.call();
  }

  private EngineException ended(String what, Throwable cause) {
    if (Interrupts.in(cause)) {
      return new EngineException(what + ": interrupted", cause);
    }
    return cause instanceof EngineException e
        ? e
        : new EngineException(what + ": " + line.apply(cause), cause);
  }

  /** Failsafe requires a limit above the pause. */
  private static Duration delay(Duration pause, Duration limit) {
    Duration most = most(limit);
    return pause.compareTo(most) < 0 ? pause : most.dividedBy(2);
  }

  private static Duration most(Duration limit) {
    Duration least = Duration.ofNanos(2);
    return limit.compareTo(least) < 0 ? least : limit;
  }
}

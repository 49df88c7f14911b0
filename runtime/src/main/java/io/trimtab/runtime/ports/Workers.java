package io.trimtab.runtime.ports;

import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** Runs concurrent actions. */
public interface Workers {
  /** Runs each task to its end when it is started: for virtual time, without concurrency. */
  Workers IN_TURN =
      new Workers() {
        @Override
        public <R> Task<R> begin(Callable<R> work) {
          return Ended.of(work);
        }
      };

  /** Starts a task. */
  <R> Task<R> begin(Callable<R> work);

  /**
   * What a task has failed with.
   *
   * @param what for the message of an error that is not the engine's: "moving t/1234abcd"
   */
  static EngineException failure(String what, ExecutionException thrown) {
    Throwable cause = thrown.getCause();
    return cause instanceof EngineException e
        ? e
        : new EngineException(what + " failed: " + cause, cause);
  }

  /** A task that was started. */
  interface Task<R> {
    /**
     * Waits for the end of the task.
     *
     * @param stop polled; the wait ends early when it is true
     * @return the result; empty if {@code stop}, an interrupt or {@link #cancel} ended the wait
     * @throws ExecutionException with the task's exception as its cause
     */
    Optional<R> await(BooleanSupplier stop) throws ExecutionException;

    /** Requests the end of the task; does nothing if it has ended. */
    void cancel();

    /**
     * Waits until the task's code runs no more, also after {@link #cancel}.
     *
     * @return whether it has ended within the limit
     */
    boolean ended(Duration limit);
  }

  /** A task that has ended. */
  record Ended<R>(R result, Exception thrown) implements Task<R> {
    static <R> Ended<R> of(Callable<R> work) {
      try {
        return new Ended<>(work.call(), null);
      } catch (Exception e) {
        return new Ended<>(null, e);
      }
    }

    @Override
    public Optional<R> await(BooleanSupplier stop) throws ExecutionException {
      if (thrown != null) {
        throw new ExecutionException(thrown);
      }
      return Optional.of(result);
    }

    @Override
    public void cancel() {}

    @Override
    public boolean ended(Duration limit) {
      return true;
    }
  }
}

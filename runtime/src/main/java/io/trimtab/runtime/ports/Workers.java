package io.trimtab.runtime.ports;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** Who performs actions that go on at the same time. */
public interface Workers {
  /** Performs each task whole when it is begun: for virtual time, where nothing overlaps. */
  Workers IN_TURN =
      new Workers() {
        @Override
        public <R> Task<R> begin(Callable<R> work) {
          return Ended.of(work);
        }
      };

  /** Begins a task. */
  <R> Task<R> begin(Callable<R> work);

  /** Something that was begun. */
  interface Task<R> {
    /**
     * Waits for its end.
     *
     * @param stop ends the wait early when it says so; asked now and then
     * @return its result; empty where {@code stop}, an interrupt or {@link #cancel} came first
     * @throws ExecutionException with what the task threw as its cause
     */
    Optional<R> await(BooleanSupplier stop) throws ExecutionException;

    /** Asks it to end; nothing where it has. */
    void cancel();
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
  }
}

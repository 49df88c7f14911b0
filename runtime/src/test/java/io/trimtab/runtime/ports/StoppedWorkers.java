package io.trimtab.runtime.ports;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** A stop is seen while an action is under way, for which nobody waits then. */
public final class StoppedWorkers implements Workers {
  @Override
  public <R> Task<R> begin(Callable<R> work) {
    Task<R> task = Workers.IN_TURN.begin(work);
    return new Task<>() {
      @Override
      public Optional<R> await(BooleanSupplier stop) throws ExecutionException {
        return stop.getAsBoolean() ? Optional.empty() : task.await(stop);
      }

      @Override
      public void cancel() {}

      @Override
      public boolean ended(Duration limit) {
        return true;
      }
    };
  }
}

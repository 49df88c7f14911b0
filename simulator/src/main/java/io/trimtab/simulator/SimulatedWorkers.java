package io.trimtab.simulator;

import io.trimtab.runtime.ports.Workers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Actions that run at the same time, on one thread: the first one begins when it is awaited, the
 * others when it first takes time. What takes long is left where the executor would not wait for it
 * any more; the cluster goes on with it.
 */
final class SimulatedWorkers implements Workers {
  private final Deque<Turn<?>> waiting = new ArrayDeque<>();
  private BooleanSupplier stop = () -> false;
  private int running;
  private boolean polling;
  private boolean beside;

  /** An action is left by its controller. */
  private static final class Left extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Left() {
      super("left", null, false, false);
    }
  }

  @Override
  public <R> Task<R> begin(Callable<R> work) {
    Turn<R> turn = new Turn<>(work, polling);
    waiting.add(turn);
    return turn;
  }

  /** An action takes time: those that were begun with it do so meanwhile. */
  void takesTime() {
    while (running > 0 && !waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  /**
   * Ends the action that is taking its time, if nobody waits for it any more.
   *
   * @param leaves called before that
   */
  void poll(Runnable leaves) {
    if (running > 0 && stop.getAsBoolean()) {
      if (!beside) {
        leaves.run();
      }
      throw new Left();
    }
  }

  /** Whether what runs now was begun while an action was waited for, and is not part of it. */
  boolean isBeside() {
    return beside;
  }

  private BooleanSupplier polled(BooleanSupplier asked) {
    return () -> {
      boolean before = polling;
      polling = true;
      try {
        return asked.getAsBoolean();
      } finally {
        polling = before;
      }
    };
  }

  private final class Turn<R> implements Task<R> {
    private final Callable<R> work;
    private final boolean aside;
    private Optional<Ended<R>> end = Optional.empty();

    Turn(Callable<R> work, boolean aside) {
      this.work = work;
      this.aside = aside;
    }

    void run() {
      boolean before = beside;
      beside = aside;
      running++;
      try {
        end = Optional.of(ended());
      } finally {
        running--;
        beside = before;
      }
    }

    // What kills a controller ends it here, too.
    private Ended<R> ended() {
      try {
        return new Ended<>(work.call(), null);
      } catch (Exception e) {
        return new Ended<>(null, e);
      }
    }

    @Override
    public Optional<R> await(BooleanSupplier asked) throws ExecutionException {
      return awaitPolling(polled(asked));
    }

    private Optional<R> awaitPolling(BooleanSupplier asked) throws ExecutionException {
      if (end.isEmpty()) {
        BooleanSupplier before = stop;
        stop = asked;
        try {
          waiting.remove(this);
          run();
        } finally {
          stop = before;
        }
      }
      Ended<R> came = end.orElseThrow();
      return came.thrown() instanceof Left ? Optional.empty() : came.await(asked);
    }

    @Override
    public void cancel() {
      waiting.remove(this);
    }

    @Override
    public boolean ended(Duration limit) {
      return true;
    }
  }
}

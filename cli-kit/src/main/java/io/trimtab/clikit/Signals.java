package io.trimtab.clikit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C, SIGTERM and a closed terminal by an orderly shutdown: the work is requested to
 * stop, and the JVM waits for it.
 */
public final class Signals implements AutoCloseable {
  /** Time limit, since an operation on the cluster may not be interruptible. */
  private static final int WAIT_SECONDS_MAX = 90;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private Signals(Runnable stop) {
    hook =
        new Thread(
            () -> {
              stop.run();
              awaitDone();
            },
            "orderly-end");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Calls {@code stop} when the JVM shuts down, and lets it end after {@link #close()}. */
  public static Signals stop(Runnable stop) {
    return new Signals(stop);
  }

  private void awaitDone() {
    try {
      if (!done.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        System.err.println("trimtab: shutdown is incomplete; the journal records what is left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running: this is the end that it waits for.
      return;
    }
  }
}

package io.trimtab.lab.testbed;

import io.trimtab.config.UserError;
import io.trimtab.lab.cluster.Lab;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the page cache of a lab's nodes small while their limits are in force. What is left of
 * earlier reads makes the kernel read ahead, and later reads of the same blocks come in pieces: a
 * miss of the block cache then costs 1.4 to 1.8 disk reads, by how much is left, instead of 1.05.
 */
public final class PageCacheTrimmer implements AutoCloseable {
  private static final long PERIOD_MS = 1_000;

  private final Lab lab;
  private final long bytes;
  private final Console console;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "page-cache-trimmer");
            thread.setDaemon(true);
            return thread;
          });
  private ScheduledFuture<?> running;

  /**
   * @param bytes that each node keeps
   */
  public PageCacheTrimmer(Lab lab, long bytes, Console console) {
    this.lab = lab;
    this.bytes = bytes;
    this.console = console;
  }

  public synchronized void run(boolean on) {
    if (running != null) {
      running.cancel(false);
      running = null;
    }
    if (on) {
      running = timer.scheduleAtFixedRate(this::trim, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void trim() {
    try {
      lab.trimPageCache(bytes);
    } catch (UserError e) {
      console.step("the page cache size is no longer limited: " + e.getMessage());
      throw e;
    }
  }

  @Override
  public void close() throws InterruptedException {
    timer.shutdownNow();
    timer.awaitTermination(PERIOD_MS, TimeUnit.MILLISECONDS);
  }
}

package io.trimtab.contract;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs only a part of the time, as on a machine that others use, or that stands
 * still; until closed.
 */
public final class SlowedNode implements AutoCloseable {
  private final String pid;

  /** Empty for one that stands still. */
  private final Optional<Thread> slices;

  private volatile boolean ending;

  private SlowedNode(long pid, long stoppedMs, long runsMs) {
    this.pid = Long.toString(pid);
    this.slices =
        runsMs == 0
            ? Optional.empty()
            : Optional.of(new Thread(() -> slice(stoppedMs, runsMs), "slices"));
  }

  /** Stops a process; it stands still when this returns. */
  public static SlowedNode standing(long pid) throws IOException, InterruptedException {
    SlowedNode node = new SlowedNode(pid, 0, 0);
    node.signal("-STOP");
    return node;
  }

  /**
   * Stops a process again and again.
   *
   * @param stoppedMs for how long each time
   * @param runsMs for how long it runs in between, &gt; 0
   */
  public static SlowedNode sliced(long pid, long stoppedMs, long runsMs) {
    SlowedNode node = new SlowedNode(pid, stoppedMs, runsMs);
    node.slices.ifPresent(Thread::start);
    return node;
  }

  private void slice(long stoppedMs, long runsMs) {
    try {
      while (!ending) {
        signal("-STOP");
        TimeUnit.MILLISECONDS.sleep(stoppedMs);
        signal("-CONT");
        TimeUnit.MILLISECONDS.sleep(runsMs);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("kill " + signal + " " + pid + " ended with " + code);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    ending = true;
    if (slices.isPresent()) {
      slices.get().join();
    }
    signal("-CONT");
  }
}

package io.trimtab.contract;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A process that runs only a part of the time, as on a machine that others use; until closed. */
final class SlowedNode implements AutoCloseable {
  private static final long STOPPED_MS = 300;
  private static final long RUNS_MS = 100;

  private final String pid;
  private final Thread slices = new Thread(this::slice, "slices");
  private volatile boolean ending;

  SlowedNode(long pid) {
    this.pid = Long.toString(pid);
    slices.start();
  }

  private void slice() {
    try {
      while (!ending) {
        signal("-STOP");
        TimeUnit.MILLISECONDS.sleep(STOPPED_MS);
        signal("-CONT");
        TimeUnit.MILLISECONDS.sleep(RUNS_MS);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    ending = true;
    slices.join();
    signal("-CONT");
  }
}

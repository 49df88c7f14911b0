package io.trimtab.experiments.latency;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;

/** Counts the reads of one table on one node every 100 ms (Wu 2018, Fig. 5.11). */
final class NodeReads implements AutoCloseable {
  static final int EVERY_MS = 100;

  private final List<Integer> counts = new ArrayList<>();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile Exception failure;

  NodeReads(NodeBeans node, String keyspace, String table) {
    thread = new Thread(() -> count(node, keyspace, table), "node-reads");
    thread.setDaemon(true);
    thread.start();
  }

  private void count(NodeBeans node, String keyspace, String table) {
    try {
      long due = System.nanoTime();
      long before = node.reads(keyspace, table);
      while (!stopped) {
        due += TimeUnit.MILLISECONDS.toNanos(EVERY_MS);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        long now = node.reads(keyspace, table);
        synchronized (counts) {
          counts.add((int) (now - before));
        }
        before = now;
      }
    } catch (IOException | JMException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads of each interval since the start. */
  List<Integer> stop() throws Exception {
    close();
    if (failure != null) {
      throw failure;
    }
    synchronized (counts) {
      return List.copyOf(counts);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}

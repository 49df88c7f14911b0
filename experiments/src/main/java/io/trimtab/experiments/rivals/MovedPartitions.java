package io.trimtab.experiments.rivals;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts which partitions, and halves of split ones, have another node than a few seconds ago,
 * whoever moved them: two moves of a partition within that time count as one.
 */
final class MovedPartitions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MovedPartitions.class);
  private static final int EVERY_S = 3;

  private final Engine engine;
  private final MoveCount count = new MoveCount();
  private volatile boolean closed;
  private final Thread thread = new Thread(this::watch, "moved-partitions");

  MovedPartitions(Engine engine) {
    this.engine = engine;
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    try {
      while (true) {
        look();
        TimeUnit.SECONDS.sleep(EVERY_S);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks now, so that what has moved until now is counted. */
  synchronized void look() {
    try {
      count.look(engine.snapshot().partitions());
    } catch (EngineException | RuntimeException e) {
      if (!closed) {
        LOG.warn(
            "no snapshot: partitions that move before the next one may be missed: {}",
            e.getMessage());
      }
    }
  }

  /** So far. */
  int moves() {
    return count.moves();
  }

  long bytes() {
    return count.bytes();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join();
  }
}

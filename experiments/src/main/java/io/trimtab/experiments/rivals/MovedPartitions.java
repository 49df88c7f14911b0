package io.trimtab.experiments.rivals;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts which partitions have another node than a few seconds ago, whoever moved them: two moves
 * of a partition within that time count as one.
 */
final class MovedPartitions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MovedPartitions.class);
  private static final int EVERY_S = 3;

  private final Engine engine;
  private final Map<PartitionId, NodeId> last = new HashMap<>();
  private final AtomicInteger moves = new AtomicInteger();
  private volatile boolean closed;
  private final AtomicLong bytes = new AtomicLong();
  private final Thread thread = new Thread(this::count, "moved-partitions");

  MovedPartitions(Engine engine) {
    this.engine = engine;
    thread.setDaemon(true);
    thread.start();
  }

  private void count() {
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
      for (PartitionState partition : engine.snapshot().partitions()) {
        partition.node().ifPresent(node -> at(partition, node));
      }
    } catch (EngineException | RuntimeException e) {
      if (!closed) {
        LOG.warn(
            "no snapshot: partitions that move before the next one may be missed: {}",
            e.getMessage());
      }
    }
  }

  private void at(PartitionState partition, NodeId node) {
    NodeId before = last.put(partition.id(), node);
    if (before != null && !before.equals(node)) {
      moves.incrementAndGet();
      bytes.addAndGet(partition.sizeBytes());
    }
  }

  /** So far. */
  int moves() {
    return moves.get();
  }

  long bytes() {
    return bytes.get();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join();
  }
}

package io.trimtab.experiments.bed;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A controller that observes and does not act, as an operator lets it at first. What it has seen of
 * the load is what the one that acts goes on with.
 */
public final class WatchingAutopilot implements AutoCloseable {
  private final ControlLoop loop;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Starts it. */
  public WatchingAutopilot(HBaseTestbed bed, Settings settings) {
    this.loop =
        new ControlLoop(
            bed.engine(),
            Optional.of(bed.provider()),
            settings,
            LoopListener.SILENT,
            SystemPorts.ports(),
            FaultPoints.NONE);
    Thread thread = new Thread(this::run, "watching-autopilot");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      loop.run(false, 0, false);
      ended.complete(null);
    } catch (EngineException | RuntimeException e) {
      ended.completeExceptionally(e);
    }
  }

  /**
   * Ends it; what it has seen is kept then.
   *
   * @throws EngineException where it had ended by itself
   */
  @Override
  public void close() throws EngineException {
    loop.stop();
    try {
      RunningAutopilot.get(ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

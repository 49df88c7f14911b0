package io.trimtab.experiments.bed;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
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

  /** Starts it; the connection stays open when it is closed. */
  public WatchingAutopilot(
      Engine engine, Optional<NodeProvider> provider, Settings settings, LoopListener listener) {
    this.loop =
        new ControlLoop(
            engine, provider, settings, listener, SystemPorts.ports(), FaultPoints.NONE);
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

  /** Whether it has ended by itself, or was closed. */
  public boolean hasEnded() {
    return ended.isDone();
  }

  /**
   * Waits for its end.
   *
   * @throws EngineException where it has failed
   */
  public void awaitEnd() throws EngineException {
    try {
      RunningAutopilot.get(ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends it; what it has seen is kept then.
   *
   * @throws EngineException where it had failed
   */
  @Override
  public void close() throws EngineException {
    loop.stop();
    awaitEnd();
  }
}

package io.trimtab.experiments.bed;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The autopilot beside a load, as a user runs it: after its plan it stays in charge until it is
 * closed.
 */
public final class RunningAutopilot implements AutoCloseable {
  private final HBaseTestbed bed;
  private final PlanWatch seen;
  private final int started;
  private final ControlLoop loop;
  private final Thread ticker;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Thread thread;

  /**
   * Starts it.
   *
   * @param balancer HBase's own, when it starts
   */
  public RunningAutopilot(
      HBaseTestbed bed,
      RunTime time,
      Console console,
      String label,
      Settings settings,
      BalancerState balancer)
      throws EngineException {
    this.bed = bed;
    this.started = time.second();
    this.seen = new PlanWatch(time, console, label);
    bed.engine().setBalancer(balancer);
    this.loop =
        new ControlLoop(
            bed.engine(),
            Optional.of(bed.provider()),
            settings,
            seen,
            SystemPorts.ports(),
            FaultPoints.NONE);
    this.ticker = new Thread(seen::tick, "demo-ticker");
    this.thread = new Thread(this::run, "autopilot");
    ticker.setDaemon(true);
    thread.setDaemon(true);
    ticker.start();
    thread.start();
  }

  private void run() {
    try {
      loop.run(true, 0, false);
      seen.planEnded.complete("none");
      ended.complete(null);
    } catch (EngineException | RuntimeException e) {
      seen.planEnded.completeExceptionally(e);
      ended.completeExceptionally(e);
    }
  }

  /** What it has done so far, a line each. */
  public List<String> actions() {
    return List.copyOf(seen.lines);
  }

  /** All plans so far. */
  public List<PlanSpan> plans() {
    return seen.spans();
  }

  /** What its decisions have weighed so far, and what came of it. */
  public List<String> decisions() {
    return seen.decisions();
  }

  /** Waits until its first plan has ended. */
  public AutopilotRun awaitPlan() throws EngineException, InterruptedException {
    String outcome = get(seen.planEnded);
    ticker.interrupt();
    return new AutopilotRun(
        started,
        seen.first,
        seen.last,
        outcome,
        seen.summary + " " + seen.why,
        List.copyOf(seen.lines),
        List.copyOf(seen.marks));
  }

  static <T> T get(CompletableFuture<T> future) throws EngineException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new EngineException("the autopilot ended: " + e.getCause().getMessage(), e.getCause());
    }
  }

  /** Ends it orderly, and leaves HBase's balancer off for the next measurement. */
  @Override
  public void close() throws EngineException {
    ticker.interrupt();
    loop.stop();
    try {
      get(ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      bed.engine().pauseBalancer(HBaseTestbed.BALANCING_LIMIT);
    }
  }
}

package io.trimtab.runtime.control;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches the engine's own balancing off. The engine may be balancing just then, for minutes, and
 * moves partitions meanwhile.
 *
 * @param engine which changes nothing once control is lost
 * @param limit for the balancing that is under way to end
 * @param ending polled; ends the wait
 * @param listener told what is waited for, if that takes more than some seconds
 */
public record BalancerPause(
    Engine engine, Duration limit, BooleanSupplier ending, Consumer<String> listener, Ports ports) {
  private static final Logger LOG = LoggerFactory.getLogger(BalancerPause.class);

  /** What was seen longer ago is looked at again; to switch it takes a second or two. */
  private static final Duration AT_ONCE = Duration.ofSeconds(10);

  private static final Duration TOLD_AFTER = Duration.ofSeconds(3);

  /** For the engine to leave off. */
  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  /** How a wait has ended. */
  public enum End {
    AT_ONCE,
    /** What was seen before is of another placement. */
    AFTER_A_WAIT,
    /** Balancing may be off or on, and may go on. */
    STOPPED
  }

  public End run() throws EngineException {
    if (ending.getAsBoolean()) {
      return End.STOPPED;
    }
    long begunNs = ports.time().nanos();
    Workers.Task<Boolean> task =
        ports
            .workers()
            .begin(
                () -> {
                  engine.pauseBalancer(limit);
                  return true;
                });
    AtomicBoolean told = new AtomicBoolean();
    BooleanSupplier polled =
        () -> {
          if (waited(begunNs, TOLD_AFTER) && !told.getAndSet(true)) {
            listener.accept("the database may still be moving partitions by itself");
          }
          return ending.getAsBoolean();
        };
    try {
      if (task.await(polled).isEmpty()) {
        return End.STOPPED;
      }
    } catch (ExecutionException e) {
      throw Workers.failure("switching off the engine's own balancing", e);
    } finally {
      task.cancel();
      if (!task.ended(END_LIMIT)) {
        LOG.error("switching off the engine's own balancing goes on although it was told to end");
      }
    }
    return waited(begunNs, AT_ONCE) ? End.AFTER_A_WAIT : End.AT_ONCE;
  }

  private boolean waited(long begunNs, Duration time) {
    return ports.time().nanos() - begunNs > time.toNanos();
  }
}

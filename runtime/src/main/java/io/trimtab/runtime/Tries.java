package io.trimtab.runtime;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.plan.Action;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries an action several times, within the action's limit of time together. */
final class Tries {
  private static final Logger LOG = LoggerFactory.getLogger(Tries.class);
  private static final int MAX = 3;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final LoopContext context;
  private final BooleanSupplier ending;

  /**
   * @param ending after which nothing is tried again
   */
  Tries(LoopContext context, BooleanSupplier ending) {
    this.context = context;
    this.ending = ending;
  }

  /** Whether an action ends at a stop; a node that restarts comes back first. */
  static boolean mayBeCutShort(Action action) {
    return action
        .as(Action.Reconfigure.class)
        .filter(change -> change.way() == Action.ApplyMode.RESTART)
        .isEmpty();
  }

  /**
   * Returns what an action came to.
   *
   * @param cancelled whether its batch is over; an interrupt alone could be lost in a client
   * @throws EngineException of the last try
   */
  Performer.Performed of(Action action, Performer performer, AtomicBoolean cancelled)
      throws EngineException {
    Performer limited = performer.limitedTo(action);
    BooleanSupplier end = () -> cancelled.get() || ending.getAsBoolean();
    EngineException first = null;
    for (int attempt = 1; ; attempt++) {
      if (cancelled.get()) {
        throw new EngineException("interrupted");
      }
      try {
        return action.accept(limited);
      } catch (LostControlException e) {
        throw e;
      } catch (EngineException failed) {
        EngineException e = later(first, failed);
        first = first == null ? e : first;
        if (attempt == MAX
            || !limited.hasMoreThan(PAUSE)
            || end.getAsBoolean()
            || context.ports().waiter().interrupted()) {
          throw e;
        }
        LOG.warn("{} failed, try {} of {}", action, attempt, MAX, e);
        if (!context.ports().waiter().pause(PAUSE, end)) {
          throw new EngineException("interrupted", e);
        }
      }
    }
  }

  /**
   * A first answer that makes no sense refuses a plan, since nothing was begun. After a try that
   * failed otherwise something may have been, so that it is a failure as any other.
   *
   * @param first what the first try came to; null at the first
   */
  private static EngineException later(EngineException first, EngineException e) {
    return e instanceof UnusableAnswerException
            && !(first == null || first instanceof UnusableAnswerException)
        ? new EngineException(first.getMessage() + "; tried again: " + e.getMessage(), e)
        : e;
  }
}

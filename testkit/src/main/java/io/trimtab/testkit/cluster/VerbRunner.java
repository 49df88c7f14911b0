package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.testkit.cluster.Faults.Fault;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Lets verbs take virtual time, and go wrong as scripted. */
final class VerbRunner {
  private static final Duration REFUSED_AFTER = Duration.ofMillis(100);
  private static final Duration POLL = Duration.ofSeconds(1);

  /** What a verb does once its time has come; it may be too late for it. */
  interface Effect {
    void apply() throws EngineException;
  }

  private final ClusterState state;
  private final Clock clock;
  private final Pause pause;
  private final Faults faults;

  VerbRunner(ClusterState state, Clock clock, Pause pause, Faults faults) {
    this.state = state;
    this.clock = clock;
    this.pause = pause;
    this.faults = faults;
  }

  /** Up to the clock's time; with the state's monitor held. */
  void advance() {
    state.advanceTo(clock.instant());
  }

  Optional<Fault> next(Verb verb, NodeId node) {
    return faults.next(verb, node);
  }

  /**
   * Takes its time, then does it.
   *
   * @param what for messages
   * @param effect run once, with the monitor held, at the right moment
   * @param undo run instead of the effect where that is given up
   */
  void run(
      Verb verb,
      NodeId node,
      String what,
      Duration takes,
      Duration limit,
      Effect effect,
      Runnable undo)
      throws EngineException {
    Optional<Fault> fault = faults.next(verb, node);
    Kind kind = fault.map(Fault::kind).orElse(null);
    Duration needed = takes;
    if (kind == Kind.FAIL) {
      sleep(REFUSED_AFTER, undo);
      giveUp(undo);
      throw new EngineException(what + " failed: scripted fault");
    }
    if (kind == Kind.HANG) {
      sleep(limit, undo);
      giveUp(undo);
      throw overdue(what, limit);
    }
    if (kind == Kind.SLOW) {
      needed = takes.plus(fault.orElseThrow().by());
    } else if (kind == Kind.LATE) {
      needed = limit.plus(fault.orElseThrow().by());
    }
    if (needed.compareTo(limit) > 0) {
      Instant done = clock.instant().plus(needed);
      synchronized (state) {
        advance();
        state.at(done, () -> quietly(effect, undo));
      }
      sleep(limit, () -> {});
      throw overdue(what, limit);
    }
    sleep(needed, undo);
    synchronized (state) {
      advance();
      try {
        effect.apply();
      } catch (EngineException e) {
        undo.run();
        throw e;
      }
    }
  }

  private static void quietly(Effect effect, Runnable undo) {
    try {
      effect.apply();
    } catch (EngineException e) {
      // Its caller has long been told that it took too long.
      undo.run();
    }
  }

  private void giveUp(Runnable undo) {
    synchronized (state) {
      advance();
      undo.run();
    }
  }

  static EngineException overdue(String what, Duration limit) {
    return new EngineException(what + " was not done within " + limit.toMillis() / 1000.0 + " s");
  }

  /** Waits until something holds, asking once a second. */
  void await(String what, Duration limit, BooleanSupplier holds) throws EngineException {
    Instant end = clock.instant().plus(limit);
    while (true) {
      synchronized (state) {
        advance();
        if (holds.getAsBoolean()) {
          return;
        }
      }
      Duration left = Duration.between(clock.instant(), end);
      if (left.isNegative() || left.isZero()) {
        throw overdue(what, limit);
      }
      sleep(left.compareTo(POLL) < 0 ? left : POLL, () -> {});
    }
  }

  private void sleep(Duration time, Runnable undo) throws EngineException {
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      pause.sleep(time);
    } catch (InterruptedException e) {
      giveUp(undo);
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted", e);
    }
  }
}

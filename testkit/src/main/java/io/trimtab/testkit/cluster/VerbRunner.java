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
   * Takes its time, then does it: at that time, whether or not its caller still waits. Where the
   * caller's process ends meanwhile, which is an exception other than an interrupt, the cluster
   * goes on with it.
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
    Duration by = fault.map(Fault::by).orElse(Duration.ZERO);
    Duration needed = takes;
    if (kind == Kind.FAIL) {
      needed = REFUSED_AFTER;
    } else if (kind == Kind.HANG) {
      needed = limit;
    } else if (kind == Kind.SLOW) {
      needed = takes.plus(by);
    } else if (kind == Kind.LATE) {
      needed = limit.plus(by);
    }
    boolean inVain = kind == Kind.FAIL || kind == Kind.HANG;
    Request request =
        new Request(
            inVain ? undo::run : effect,
            undo,
            kind == Kind.LATE ? Optional.of(by) : Optional.empty());
    synchronized (state) {
      advance();
      state.effectAt(clock.instant().plus(needed), request::land);
    }
    boolean overdue = needed.compareTo(limit) > 0;
    sleep(overdue ? limit : needed, request);
    if (kind == Kind.FAIL) {
      throw new EngineException(what + " failed: scripted fault");
    }
    if (overdue || kind == Kind.HANG) {
      throw overdue(what, limit);
    }
    request.require();
  }

  /** What the cluster was asked for; everything with its monitor held. */
  private final class Request {
    private final Effect effect;
    private final Runnable undo;
    private final Optional<Duration> late;
    private boolean over;
    private EngineException failed;

    /**
     * @param late how long after its caller has given up it takes effect, where it is late
     */
    Request(Effect effect, Runnable undo, Optional<Duration> late) {
      this.effect = effect;
      this.undo = undo;
      this.late = late;
    }

    void land() {
      if (over) {
        return;
      }
      over = true;
      try {
        effect.apply();
      } catch (EngineException e) {
        failed = e;
        undo.run();
      }
    }

    void giveUp() {
      if (!over) {
        over = true;
        undo.run();
      }
    }

    /** Nobody waits for it any more. */
    void left() {
      late.ifPresent(by -> state.effectAt(clock.instant().plus(by), this::land));
    }

    void require() throws EngineException {
      synchronized (state) {
        advance();
        if (failed != null) {
          throw failed;
        }
      }
    }
  }

  static EngineException overdue(String what, Duration limit) {
    return new EngineException(what + " was not done within " + limit.toMillis() / 1000.0 + " s");
  }

  private Request nothing() {
    return new Request(() -> {}, () -> {}, Optional.empty());
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
      sleep(left.compareTo(POLL) < 0 ? left : POLL, nothing());
    }
  }

  private void sleep(Duration time, Request request) throws EngineException {
    boolean waited = false;
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      pause.sleep(time);
      waited = true;
    } catch (InterruptedException e) {
      waited = true;
      synchronized (state) {
        advance();
        request.giveUp();
      }
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted", e);
    } finally {
      if (!waited) {
        synchronized (state) {
          advance();
          request.left();
        }
      }
    }
  }
}

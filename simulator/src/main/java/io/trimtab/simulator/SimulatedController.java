package io.trimtab.simulator;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Waiter;
import io.trimtab.runtime.ports.Workers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A controller's process in an episode: the production loop with ports that live in virtual time.
 * At every point at which it touches something outside itself a fault may strike.
 */
final class SimulatedController implements LoopListener {
  private final Episode episode;
  private final int number;
  private final SimulatedHost host;
  private final Instant until;
  private Duration clockStep = Duration.ZERO;
  private ControlLoop loop;
  private Optional<ControlLock> lock = Optional.empty();
  private Optional<ClusterSnapshot> decidedOn = Optional.empty();
  private Optional<ClusterSnapshot> seen = Optional.empty();
  private String during = "idle";
  private boolean dead;
  private boolean sending;

  /**
   * @param until when it is stopped orderly
   */
  SimulatedController(Episode episode, int number, SimulatedHost host, Instant until) {
    this.episode = episode;
    this.number = number;
    this.host = host;
    this.until = until;
  }

  /** Runs until it is stopped, killed, or ends by itself. */
  void run() {
    WatchedEngine engine = new WatchedEngine(episode.cluster().engine(), this);
    try {
      loop =
          new ControlLoop(
              engine,
              Optional.of(new WatchedProvider(episode.cluster().provider(), this)),
              episode.settings(),
              this,
              ports(),
              point -> reached(point));
      loop.run(true, 0, false, true);
      episode.log(this, "ends");
    } catch (Killed e) {
      episode.log(this, "is dead");
    } catch (LostControlException e) {
      episode.log(this, "lost control: " + e.getMessage());
    } catch (EngineException | UserError e) {
      episode.log(this, "ends: " + e.getMessage());
    }
  }

  private Ports ports() {
    Clock wall = new StepClock();
    return new Ports(
        wall,
        () -> Duration.between(Instant.EPOCH, episode.now()).toNanos(),
        new Waits(),
        Workers.IN_TURN,
        Runnable::run,
        "controller " + number,
        "simulated",
        id -> host);
  }

  /** The wall clock of its host. */
  private final class StepClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("virtual time is UTC");
    }

    @Override
    public Instant instant() {
      return episode.now().plus(clockStep);
    }
  }

  private final class Waits implements Waiter {
    @Override
    public boolean pause(Duration time, BooleanSupplier stop) {
      reached("pause");
      if (stop.getAsBoolean()) {
        return false;
      }
      if (!time.isNegative()) {
        episode.advance(time);
      }
      if (!episode.now().isBefore(until)) {
        loop.stop();
      }
      return !stop.getAsBoolean();
    }

    @Override
    public boolean interrupted() {
      return false;
    }
  }

  /** A point at which it touches something outside itself. */
  void reached(String point) {
    if (dead) {
      throw new Killed();
    }
    episode.strike(this, point);
    if (dead) {
      throw new Killed();
    }
  }

  /**
   * An operation that changes the cluster begins. The controller may be killed now, but not stand
   * still: it has just asked its lock, and sends the request.
   */
  void changing(String verb) {
    if (dead) {
      throw new Killed();
    }
    episode.oracle().begins(this, verb);
    sending = true;
    try {
      reached(verb);
    } finally {
      sending = false;
    }
  }

  void did(String what) {
    episode.log(this, what);
  }

  void removing(NodeId node) {
    episode.oracle().removes(this, node);
  }

  void saw(ClusterSnapshot snapshot) {
    decidedOn = seen;
    seen = Optional.of(snapshot);
  }

  ControlLock took(ControlLock taken) {
    lock = Optional.of(taken);
    episode.log(this, "takes control, epoch " + taken.epoch());
    return new Mortal(taken);
  }

  /** A dead process does not release its lock. */
  private final class Mortal implements ControlLock {
    private final ControlLock lock;

    Mortal(ControlLock lock) {
      this.lock = lock;
    }

    @Override
    public long epoch() {
      return lock.epoch();
    }

    @Override
    public String holder() {
      return lock.holder();
    }

    @Override
    public boolean held() {
      reached("lock");
      return lock.held();
    }

    @Override
    public void write(String document, byte[] content) throws EngineException {
      reached("document");
      lock.write(document, content);
    }

    @Override
    public Set<String> stopRequests() {
      return lock.stopRequests();
    }

    @Override
    public void close() {
      if (!dead) {
        lock.close();
      }
    }
  }

  void kill() {
    dead = true;
  }

  /** Whether it is between the check of its lock and a request. */
  boolean isSending() {
    return sending;
  }

  boolean inCharge() {
    return lock.filter(ControlLock::held).isPresent();
  }

  void stepClock(Duration by) {
    clockStep = clockStep.plus(by);
  }

  void stop() {
    loop.stop();
  }

  SimulatedHost host() {
    return host;
  }

  Optional<ControlLock> lock() {
    return lock;
  }

  Optional<ClusterSnapshot> seen() {
    return seen;
  }

  /** The last one but one: before a plan begins, the cluster is looked at once more. */
  Optional<ClusterSnapshot> decidedOn() {
    return decidedOn;
  }

  String during() {
    return during;
  }

  @Override
  public void planned(Plan plan, boolean act) {
    during = "planning";
    episode.log(this, "begins " + plan.id() + ", " + plan.actions().size() + " actions");
    episode.oracle().planned(this, plan);
  }

  @Override
  public void started(PlannedAction action, int of) {
    during = action.action().kind();
  }

  @Override
  public void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {
    episode.log(this, action.action() + ": " + outcome + " " + detail);
  }

  @Override
  public void planEnded(Plan plan, PlanOutcome outcome, String why) {
    during = "idle";
    episode.log(this, plan.id() + " " + outcome + ": " + why);
  }

  @Override
  public String toString() {
    return "controller " + number;
  }
}

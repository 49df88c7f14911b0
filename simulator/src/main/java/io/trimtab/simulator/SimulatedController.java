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
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A controller's process in an episode: the production loop with ports that live in virtual time.
 * At every point at which it touches something outside itself a fault may strike.
 */
final class SimulatedController implements LoopListener {
  /** Less is not enough for another controller to do anything. */
  private static final Duration SHORT = Duration.ofSeconds(8);

  private final Episode episode;
  private final int number;
  private final SimulatedHost host;
  private final Instant until;
  private Duration clockStep = Duration.ZERO;
  private boolean clockStepped;
  private ControlLoop loop;
  private Optional<ControlLock> lock = Optional.empty();
  private final boolean act;
  private final SimulatedWorkers workers = new SimulatedWorkers();
  private final SortedMap<NodeId, Instant> deadSince = new TreeMap<>();
  private Optional<Look> before = Optional.empty();
  private Optional<Look> last = Optional.empty();
  private Optional<Plan> plan = Optional.empty();
  private Phase phase = Phase.BETWEEN;
  private boolean recovering = true;
  private Instant woke = Instant.MIN;
  private String during = "idle";
  private boolean dead;
  private boolean sending;

  /** What a controller is about: no plan, a plan, or putting the cluster right after it. */
  enum Phase {
    BETWEEN,
    PLAN,
    TIDYING
  }

  /**
   * @param until when it is stopped orderly
   * @param act false for a dry run
   */
  SimulatedController(Episode episode, int number, SimulatedHost host, Instant until, boolean act) {
    this.episode = episode;
    this.number = number;
    this.host = host;
    this.until = until;
    this.act = act;
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
      loop.run(act, 0, false, true);
      episode.log(this, "ends");
    } catch (Killed e) {
      episode.log(this, "is dead");
    } catch (LostControlException e) {
      episode.log(this, "lost control: " + e.getMessage());
    } catch (UserError e) {
      episode.log(this, "ends: " + e.getMessage());
      oracle().plans().gaveUp(this);
    } catch (EngineException e) {
      episode.log(this, "ends: " + e.getMessage());
    }
  }

  private Ports ports() {
    return new Ports(
        new SteppedClock(this::wall),
        () -> Duration.between(Instant.EPOCH, episode.now()).toNanos(),
        new Waits(),
        workers,
        Runnable::run,
        "controller " + number,
        "simulated",
        id -> host);
  }

  private final class Waits implements Waiter {
    @Override
    public boolean pause(Duration time, BooleanSupplier stop) {
      reached("pause");
      if (stop.getAsBoolean()) {
        return false;
      }
      if (!time.isNegative()) {
        waits(time);
      }
      endsInTime();
      return !stop.getAsBoolean();
    }

    @Override
    public boolean interrupted() {
      return false;
    }
  }

  /** Others act meanwhile where nobody hears of this one any more. */
  private void waits(Duration time) {
    if (!isAlone()) {
      episode.advance(time);
    } else if (time.compareTo(SHORT) >= 0) {
      episode.elsewhere(time);
      woke();
    } else if (episode.seldom()) {
      // In a short time nobody could take over: it is a slow one.
      episode.elsewhere(time.plus(SHORT));
      woke();
    } else {
      episode.advance(time);
    }
  }

  private void endsInTime() {
    if (!episode.now().isBefore(until)) {
      loop.stop();
    }
  }

  /** An operation takes its time. */
  void takesTime(Duration time) {
    workers.takesTime();
    Instant end = episode.now().plus(time);
    while (episode.now().isBefore(end)) {
      Duration left = Duration.between(episode.now(), end);
      Duration slice = episode.slice(left);
      waits(slice);
      // What happened in the meantime is heard of before the next fault strikes.
      workers.poll(() -> oracle().plans().leaves(this));
      reached("meanwhile");
      endsInTime();
      workers.poll(() -> oracle().plans().leaves(this));
    }
  }

  /** Whether it believes to be in charge, and nobody hears of it. */
  private boolean isAlone() {
    return lock.filter(l -> !l.held() || episode.isCutOff(l.epoch())).isPresent();
  }

  /** It has stood still until now. */
  void woke() {
    woke = episode.now();
  }

  Instant wokeAt() {
    return woke;
  }

  /** A point at which it touches something outside itself. */
  void reached(String point) {
    if (dead) {
      throw new Killed();
    }
    if (point.equals("before-restore")) {
      phase = Phase.TIDYING;
    }
    episode.strike(this, point);
    if (dead) {
      throw new Killed();
    }
    if (point.equals("restored")) {
      episode.oracle().plans().ending(this);
    }
  }

  /**
   * An operation that changes the cluster begins. The controller may be killed now, but not stand
   * still: it has just asked its lock, and sends the request.
   */
  void changing(String verb) {
    changing(verb, "");
  }

  /**
   * The same.
   *
   * @param how whether the engine's own balancing is switched off or given back, or a node closed
   *     or opened
   */
  void changing(String verb, String how) {
    if (dead) {
      throw new Killed();
    }
    episode.oracle().begins(this, verb, how);
    sending = true;
    try {
      reached(verb);
    } finally {
      sending = false;
    }
  }

  /** Whether it looks at the cluster while an action runs, and not for it. */
  boolean isBeside() {
    return workers.isBeside();
  }

  void did(String what) {
    episode.log(this, what);
  }

  Oracle oracle() {
    return episode.oracle();
  }

  /** A turn of the loop begins: no plan is under way. */
  void turns() {
    phase = Phase.BETWEEN;
    recovering = false;
    plan = Optional.empty();
  }

  /** It asks for a snapshot, and may get none. */
  void looks() {
    before = last;
    last = Optional.of(new Look(episode.now(), wall(), Optional.empty()));
  }

  void saw(ClusterSnapshot snapshot) {
    last = last.map(look -> new Look(look.began(), look.wall(), Optional.of(snapshot)));
    deadSince.keySet().removeIf(n -> snapshot.node(n).filter(s -> !s.alive()).isEmpty());
    snapshot.nodes().stream()
        .filter(n -> !n.alive())
        .forEach(n -> deadSince.putIfAbsent(n.id(), episode.now()));
  }

  Instant wall() {
    return episode.now().plus(clockStep);
  }

  /** Whether it has always been: what was recorded with a wrong one stays wrong. */
  boolean clockIsRight() {
    return !clockStepped;
  }

  /** Since when a node has been dead in every look of this controller. */
  Optional<Instant> deadSince(NodeId node) {
    return Optional.ofNullable(deadSince.get(node));
  }

  ControlLock took(ControlLock taken) {
    lock = Optional.of(taken);
    recovering = true;
    phase = Phase.BETWEEN;
    plan = Optional.empty();
    deadSince.clear();
    episode.log(this, "takes control, epoch " + taken.epoch());
    return new MortalLock(taken, this);
  }

  void kill() {
    dead = true;
  }

  /** Whether it is between the check of its lock and a request. */
  boolean isSending() {
    return sending;
  }

  boolean isDead() {
    return dead;
  }

  boolean inCharge() {
    return lock.filter(ControlLock::held).isPresent();
  }

  void stepClock(Duration by) {
    clockStep = clockStep.plus(by);
    clockStepped = true;
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

  /** Its last look. */
  Optional<Look> last() {
    return last;
  }

  /** The last one but one: before a plan begins, the cluster is looked at once more. */
  Optional<Look> before() {
    return before;
  }

  Optional<ClusterSnapshot> seen() {
    return last.flatMap(Look::seen);
  }

  Phase phase() {
    return phase;
  }

  Optional<Plan> plan() {
    return plan;
  }

  boolean acts() {
    return act;
  }

  /** Whether it has just taken control: a plan that begins now is an earlier controller's. */
  boolean recovers() {
    return recovering;
  }

  int number() {
    return number;
  }

  String during() {
    return during;
  }

  @Override
  public void planned(Plan next, boolean acted) {
    during = "planning";
    String what = next.id() + ": " + next.summary() + " " + next.actions();
    episode.log(this, (acted ? "begins " : "proposes ") + what);
    if (acted) {
      phase = Phase.PLAN;
      plan = Optional.of(next);
    }
    episode.oracle().plans().planned(this, next);
  }

  @Override
  public void started(PlannedAction action, int of) {
    during = action.action().kind();
    episode.began(during);
    episode.oracle().plans().started(this, action);
  }

  @Override
  public void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {
    episode.log(this, action.action() + ": " + outcome + " " + detail);
    episode.oracle().plans().ended(this, action, outcome);
  }

  @Override
  public void planEnded(Plan ended, PlanOutcome outcome, String why) {
    during = "idle";
    episode.log(this, ended.id() + " " + outcome + ": " + why);
    episode.ended(outcome);
    episode.oracle().plans().planEnded(this, ended, outcome);
    phase = Phase.BETWEEN;
  }

  @Override
  public String toString() {
    return "controller " + number;
  }
}

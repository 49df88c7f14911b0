package io.trimtab.simulator;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.cluster.RandomClusters;
import io.trimtab.testkit.control.MemoryControl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * One seed: a cluster, its load, a policy, and controllers to which faults happen for some time;
 * then a quiet hour, after which everything must be in order. Controllers run on one thread: where
 * one stands still or is cut off, others run before it goes on, so that the same seed always gives
 * the same episode.
 */
public final class Episode {
  private static final Duration TROUBLE = Duration.ofMinutes(25);
  private static final Duration QUIET = Duration.ofHours(1);
  private static final int HOSTS = 3;

  /** Quiet hours in a row that may end while a node joins: each may have begun it at its end. */
  private static final int DETACHED_MAX = 3;

  /** Most seeds are small: they find the same defects in less time. */
  private static final int LARGE_EVERY = 100;

  private static final int NODES_MAX = 60;

  static final double BAD_NODES_MAX = 0.5;

  /** Of how many controllers one is a dry run. */
  private static final int DRY_EVERY = 20;

  private static final Duration DRY_RUN = Duration.ofMinutes(2);

  /** The longest and the shortest part of an operation in which nothing else happens. */
  private static final Duration SLICE = Duration.ofSeconds(20);

  private static final Duration MOMENT = Duration.ofMillis(50);

  /** Points at which faults may strike; episodes have some thousands. */
  private static final int STEPS_MAX = 1_000_000;

  /** Controllers within controllers: one stands still while another one stands still. */
  private static final int DEPTH_MAX = 3;

  private final long seed;
  private final Random random;
  private final VirtualClock clock = new VirtualClock();
  private final InMemoryCluster cluster;
  private final Settings settings;
  private final Oracle oracle = new Oracle(this);
  private final Coverage coverage = new Coverage();
  private final FaultScript faults;
  private final List<SimulatedHost> hosts = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final Instant troubleEnds;
  private final Deque<SimulatedController> running = new ArrayDeque<>();
  private final boolean balancerOn;
  private int controllers;
  private int depth;
  private int steps;
  private boolean clocksStepped;

  /** Ends an episode that does not end by itself; nothing in a controller catches it. */
  private static final class Endless extends Error {
    private static final long serialVersionUID = 1L;

    Endless(int steps) {
      super("the episode has not ended after " + steps + " steps", null, false, false);
    }
  }

  private Episode(long seed) {
    this.seed = seed;
    this.random = Seeds.random(seed);
    ClusterSpec spec = spec(seed, random);
    this.cluster = new InMemoryCluster(spec, clock, this::pass);
    this.settings = EpisodeSettings.of(spec, random);
    EpisodeSettings.diskBytes(spec, cluster.truth()).ifPresent(cluster::setDisks);
    this.faults = new FaultScript(this, random);
    this.troubleEnds = clock.instant().plus(TROUBLE);
    this.balancerOn = random.nextInt(4) != 0;
    cluster.faults().onStrike(faults::struck);
    for (int i = 0; i < HOSTS; i++) {
      hosts.add(new SimulatedHost(faults::beforeWrite));
    }
  }

  /**
   * What came of a seed.
   *
   * @param lines everything that happened, in order
   */
  public record Result(long seed, List<String> violations, List<String> lines, Coverage coverage) {}

  /** Runs a seed. */
  public static Result run(long seed) {
    Episode episode = new Episode(seed);
    try {
      episode.run();
    } catch (RuntimeException | EngineException | Error e) {
      // Whatever it is: the seed is worth more than the end of this run.
      episode.oracle.violated(e.toString());
    }
    return new Result(seed, episode.oracle.violations(), episode.lines, episode.coverage);
  }

  private static ClusterSpec spec(long seed, Random random) {
    ClusterSpec spec = RandomClusters.spec(seed);
    if (random.nextInt(LARGE_EVERY) == 0) {
      spec = spec.withNodes(spec.nodes() + random.nextInt(NODES_MAX + 1 - spec.nodes()));
    }
    if (spec.ownership() == Ownership.TOKENS && random.nextInt(3) == 0) {
      spec = spec.withRacks(Math.min(spec.nodes(), 2 + random.nextInt(2)));
    }
    if (spec.ownership() == Ownership.TOKENS && spec.replication() == 1) {
      // Nobody could do anything about a dead node.
      return spec.nodes() > 1 ? spec.withReplication(2) : spec;
    }
    return random.nextInt(4) == 0 ? spec.withSpare(0) : spec;
  }

  private void run() throws EngineException {
    if (!balancerOn) {
      cluster.engine().setBalancer(BalancerState.PAUSED);
    }
    oracle.start(truth());
    while (now().isBefore(troubleEnds) && oracle.violations().isEmpty()) {
      next(troubleEnds);
      // Until an operator, or a supervisor, starts another one.
      advance(Duration.ofSeconds(1 + random.nextInt(20)));
    }
    if (!oracle.violations().isEmpty()) {
      return;
    }
    faults.end();
    advance(MemoryControl.LEASE);
    log(null, "the quiet hour begins");
    next(now().plus(QUIET));
    for (int i = 0; i < DETACHED_MAX && oracle.leftToDatabase(); i++) {
      // What goes on inside the database is left to the next one.
      next(now().plus(QUIET));
    }
    oracle.end();
  }

  /** Starts a controller on some host, and returns when it has ended. */
  private void next(Instant until) {
    depth++;
    try {
      SimulatedHost host = hosts.get(random.nextInt(hosts.size()));
      boolean act = !now().isBefore(troubleEnds) || random.nextInt(DRY_EVERY) != 0;
      Instant dryUntil = now().plus(DRY_RUN);
      Instant ends = act || until.isBefore(dryUntil) ? until : dryUntil;
      SimulatedController controller =
          new SimulatedController(this, ++controllers, host, ends, act);
      running.push(controller);
      log(controller, act ? "starts" : "starts, a dry run");
      controller.run();
    } finally {
      running.pop();
      depth--;
    }
  }

  /** An operation takes its time, of a controller or of an operator. */
  private void pass(Duration time) {
    if (running.isEmpty() || faults.striking()) {
      advance(time);
    } else {
      running.peek().takesTime(time);
    }
  }

  boolean seldom() {
    return random.nextInt(8) == 0;
  }

  /** What passes before an operation is disturbed again. */
  Duration slice(Duration left) {
    if (left.compareTo(MOMENT) <= 0) {
      return left;
    }
    long mostMs = Math.min(left.toMillis(), SLICE.toMillis());
    Duration slice = MOMENT.plus(Duration.ofMillis((long) (random.nextDouble() * mostMs)));
    return slice.compareTo(left) < 0 ? slice : left;
  }

  /** Others may run while a controller stands still, and it goes on after so much time. */
  void elsewhere(Duration time) {
    Instant end = now().plus(time);
    if (depth < DEPTH_MAX) {
      while (now().isBefore(end)) {
        next(end);
        advance(Duration.ofSeconds(1));
      }
    }
    if (now().isBefore(end)) {
      advance(Duration.between(now(), end));
    }
  }

  void strike(SimulatedController controller, String point) {
    if (++steps > STEPS_MAX) {
      throw new Endless(STEPS_MAX);
    }
    if (now().isBefore(troubleEnds)) {
      faults.strike(controller, point);
    }
  }

  void log(SimulatedController by, String what) {
    lines.add(elapsed() + " " + (by == null ? "" : by + " ") + what);
  }

  void count(FaultKind fault, SimulatedController during) {
    coverage.count(fault, during.during() + ", " + settings.policy().name());
  }

  /** A scripted fault has struck whoever is running. */
  void count(FaultKind fault) {
    if (!running.isEmpty()) {
      count(fault, running.peek());
    }
  }

  void began(String kind) {
    coverage.began(kind, settings.policy().name());
  }

  void ended(PlanOutcome outcome) {
    coverage.ended(outcome.toString());
  }

  boolean isCutOff(long epoch) {
    return cluster.control().epoch() == epoch && cluster.control().isCutOff();
  }

  boolean nodesDied() {
    return coverage.of(FaultKind.NODE_DIES) + coverage.of(FaultKind.MOST_DIE) > 0;
  }

  boolean balancerOn() {
    return balancerOn;
  }

  int controllers() {
    return controllers;
  }

  void advance(Duration time) {
    clock.advance(time);
  }

  Instant now() {
    return clock.instant();
  }

  String elapsed() {
    Duration since = Duration.between(VirtualClock.START, now());
    return "%02d:%06.3f".formatted(since.toMinutes(), since.toMillis() % 60_000 / 1000.0);
  }

  /** The cluster as it is, whatever controllers see. */
  ClusterSnapshot truth() {
    return cluster.truth();
  }

  InMemoryCluster cluster() {
    return cluster;
  }

  Settings settings() {
    return settings;
  }

  Oracle oracle() {
    return oracle;
  }

  List<SimulatedHost> hosts() {
    return hosts;
  }

  void clockStepped() {
    clocksStepped = true;
  }

  boolean clocksStepped() {
    return clocksStepped;
  }

  static final BalancerState ON = new BalancerState(true, true);

  @Override
  public String toString() {
    return "seed " + seed;
  }
}

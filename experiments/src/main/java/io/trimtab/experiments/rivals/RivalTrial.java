package io.trimtab.experiments.rivals;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.experiments.bed.PlanSpan;
import io.trimtab.experiments.bed.RunningAutopilot;
import io.trimtab.experiments.bed.WatchingAutopilot;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.experiments.placement.Strategy;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.workload.TenantSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One rival on a cluster of its own. */
final class RivalTrial {
  private final Console console;
  private final Path folder;
  private final Agenda.Turn turn;
  private final long seed;
  private final List<String> madeBy;
  private final String label;
  private final long begun = System.nanoTime();
  private boolean left;

  /** What a controller has done; also where the run failed. */
  private List<PlanSpan> plans = List.of();

  private List<String> actions = List.of();
  private List<String> decisions = List.of();

  /**
   * @param folder of the experiment
   * @param seed of the placement
   * @param madeBy the build and settings
   */
  RivalTrial(Console console, Path folder, Agenda.Turn turn, long seed, List<String> madeBy) {
    this.console = console;
    this.folder = folder;
    this.turn = turn;
    this.seed = seed;
    this.madeBy = madeBy;
    this.label = turn.rival() + ", run " + turn.run();
  }

  /**
   * A cluster with the six tenants, badly placed.
   *
   * @param nodes of a bed without a bucket cache
   */
  HBaseTestbed ready(TestbedSettings nodes, String labName) throws IOException, EngineException {
    console.step(label);
    TestbedSettings its = turn.rival().bucketCache() ? nodes.withBucketCache() : nodes;
    HBaseTestbed bed =
        HBaseTestbed.open(its, SixTenants.spec(its), turn.rival().site(), labName, console);
    try {
      new SixTenants(bed, console).prepare(Strategy.RANDOM_HOMOGENEOUS, seed);
      return bed;
    } catch (IOException | EngineException | RuntimeException e) {
      left = true;
      try {
        remove(bed);
        left = false;
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      throw e;
    }
  }

  /**
   * Removes the cluster. What its clients say of one that has broken ends nothing: it is removed
   * all the same.
   */
  void remove(HBaseTestbed bed) throws InterruptedException {
    try {
      bed.close();
    } catch (IOException e) {
      console.step(label + ": the cluster is removed, though " + e);
    }
  }

  /** Whether a cluster is left that could not be removed: it would disturb the next one. */
  boolean left() {
    return left;
  }

  /** A cluster that could not be made ready. */
  RivalRun notReady(Exception e) {
    return made(List.of(), "", List.of(), "the cluster was not made ready: " + e);
  }

  /**
   * Runs all phases. A rival under which a cluster breaks is a run that failed, and told by the
   * report: left out or made again in silence, only its lucky runs would count.
   *
   * @throws Exception where this process is being ended
   */
  RivalRun measure(HBaseTestbed bed) throws Exception {
    Phases phases = new Phases(bed, console, label, seed);
    List<Double> cached = List.of();
    String verified = "";
    String failure = "";
    try {
      StateDir state = StateDir.of(bed.engine().snapshot().clusterId());
      try {
        run(bed, phases);
      } finally {
        keepRaw(state);
      }
      cached = cached(bed);
      verified = bed.verify();
      failure = verified.endsWith(HBaseTestbed.NOTHING_LOST) ? "" : verified;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      if (Rivals.shuttingDown()) {
        throw e;
      }
      failure = e.toString();
      console.step(label + ": failed: " + failure);
    }
    phases.results().forEach(this::tell);
    return made(phases.results(), verified, cached, failure);
  }

  /** Figures count without it. */
  private List<Double> cached(HBaseTestbed bed) {
    if (turn.rival().bucketCache()) {
      try {
        return CachedShares.told(bed);
      } catch (IOException | RuntimeException e) {
        console.step(label + ": what its servers have cached is not told: " + e);
      }
    }
    return List.of();
  }

  /** Figures count without it. */
  private void keepRaw(StateDir state) {
    if (turn.rival().policy().isPresent()) {
      Path raw = folder.resolve("raw").resolve(turn.rival().key() + "-" + turn.run());
      try {
        RawState.keep(raw, state, decisions);
      } catch (IOException | RuntimeException e) {
        console.step(label + ": what its controller leaves is not kept: " + e);
      }
    }
  }

  private RivalRun made(
      List<RivalRun.PhaseResult> phases, String verified, List<Double> cached, String failure) {
    return new RivalRun(
        turn.rival().toString(),
        turn.run(),
        seed,
        phases,
        plans,
        actions,
        verified,
        LocalDate.now(ZoneOffset.UTC).toString(),
        Machine.describe(),
        (System.nanoTime() - begun) / 60e9,
        cached,
        madeBy,
        failure);
  }

  private void tell(RivalRun.PhaseResult phase) {
    console.step(
        String.format(
            Locale.ROOT,
            "%s, %s: %.0f ops/s geometric mean, %.0f in all; %d moves",
            label,
            phase.title(),
            phase.level(),
            phase.sum(),
            phase.moves()));
  }

  private void run(HBaseTestbed bed, Phases phases) throws Exception {
    Optional<Settings> settings =
        turn.rival().policy().map(policy -> RivalSettings.of(bed.size()).with(policy));
    try (MovedPartitions moved = new MovedPartitions(bed.engine())) {
      before(bed, phases, moved, settings);
      if (settings.isPresent()) {
        act(bed, phases, moved, settings.get());
      } else {
        balance(bed, phases, moved);
      }
    }
  }

  /** Nobody acts; a controller watches. */
  private void before(
      HBaseTestbed bed, Phases phases, MovedPartitions moved, Optional<Settings> settings)
      throws Exception {
    bed.engine().pauseBalancer(HBaseTestbed.BALANCING_LIMIT);
    String title = "before";
    if (settings.isEmpty()) {
      phases.run(title, bed.tenants(), Rivals.BEFORE, Rivals.LEVEL, moved);
      return;
    }
    WatchingAutopilot watching =
        new WatchingAutopilot(
            bed.engine(), Optional.of(bed.provider()), settings.get(), LoopListener.SILENT);
    try (watching) {
      phases.run(title, bed.tenants(), Rivals.BEFORE, Rivals.LEVEL, moved);
    }
  }

  private void act(HBaseTestbed bed, Phases phases, MovedPartitions moved, Settings settings)
      throws Exception {
    RunningAutopilot acting =
        new RunningAutopilot(bed, phases, console, label, settings, BalancerState.PAUSED);
    try (acting) {
      phases(bed, phases, moved);
    } finally {
      plans = acting.plans();
      actions = acting.actions();
      decisions = acting.decisions();
    }
  }

  private void balance(HBaseTestbed bed, Phases phases, MovedPartitions moved) throws Exception {
    if (turn.rival().balances()) {
      bed.engine().setBalancer(new BalancerState(true, true));
    }
    phases(bed, phases, moved);
    bed.engine().pauseBalancer(HBaseTestbed.BALANCING_LIMIT);
  }

  private void phases(HBaseTestbed bed, Phases phases, MovedPartitions moved) throws Exception {
    List<TenantSpec> load = bed.tenants();
    phases.run("badly placed", load, Rivals.PLACED, Rivals.LEVEL, moved);
    if (turn.rival().changes()) {
      load = Load.readerWrites(load, bed.settings());
      phases.run("c writes instead of reading", load, Rivals.CHANGED, Rivals.LEVEL, moved);
      load = Load.hotSpotJumps(load);
      phases.run("f's hot spot jumps", load, Rivals.CHANGED, Rivals.LEVEL, moved);
    }
  }
}

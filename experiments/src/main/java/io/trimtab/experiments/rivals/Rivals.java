package io.trimtab.experiments.rivals;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.NodeControl;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.TestbedSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * RIVALS: the same six tenants, badly placed, under what operators run today and under policies;
 * then the load changes twice. Each run has a cluster of its own, and is kept at once.
 */
public final class Rivals {
  /** Before anybody acts: caches fill, then the level is measured. */
  static final Duration BEFORE = Duration.ofSeconds(240);

  /** A first plan takes about four minutes, and then caches fill. */
  static final Duration PLACED = Duration.ofSeconds(450);

  /** After a change of the load. */
  static final Duration CHANGED = Duration.ofSeconds(330);

  /** Within which a level shall be back then; shorter than the phase, so that it can be missed. */
  static final Duration BACK = Duration.ofSeconds(300);

  /** At the end of each phase. */
  static final Duration LEVEL = Duration.ofSeconds(90);

  /** The bed of all rivals. */
  static final TestbedSettings SCALE = TestbedSettings.standard().onTwoCores();

  /** So often a cluster is tried to be made ready. */
  private static final int TRIES = 2;

  private final Console console;
  private final Order order;
  private final Set<Rival> wanted;
  private final TestbedSettings scale = SCALE;
  private final long begun = System.nanoTime();
  private final NotReady notReady = new NotReady();
  private int labs;

  /**
   * @throws UserError where one of the order's rivals does not exist
   */
  public Rivals(Console console, Order order) {
    this.console = console;
    this.order = order;
    this.wanted = EnumSet.noneOf(Rival.class);
    wanted.addAll(
        order.rivals().isEmpty()
            ? Arrays.asList(Rival.values())
            : order.rivals().stream().map(Rival::named).toList());
  }

  /** All phases of a rival. */
  static Duration phases(Rival rival) {
    Duration placed = BEFORE.plus(PLACED);
    return rival.changes() ? placed.plus(CHANGED.multipliedBy(2)) : placed;
  }

  /**
   * @throws UserError where the folder's runs can't be continued, or there is no time for any
   */
  public Path run() throws Exception {
    KeptRuns<RivalRun> kept = kept();
    List<String> setting = RivalSettings.common(scale, order.seed());
    kept.madeWith(setting);
    Map<Rival, List<String>> madeBy = new EnumMap<>(Rival.class);
    for (Rival rival : wanted) {
      madeBy.put(rival, RivalSettings.madeBy(rival, scale.nodes()));
    }
    List<Agenda.Turn> due = Agenda.due(kept.runs(), wanted, order.runs());
    Agenda.requireSame(kept.runs(), due, madeBy);
    Agenda.requireTime(kept.runs(), due, order.within());
    if (due.stream().anyMatch(turn -> turn.rival().bucketCache())) {
      // Not only when the first of these clusters starts, after two hours.
      NodeControl.checkSharedMemory(
          LabConfig.defaults()
              .withNodes(scale.nodes())
              .withBucketCache(scale.withBucketCache().bucketCache()),
          LabDir.SHARED_MEMORY);
    }
    RivalReport report = new RivalReport(order.folder(), order.runs(), order.seed(), setting);
    List<Agenda.Turn> left = new ArrayList<>(due);
    Optional<Agenda.Turn> next = Agenda.next(kept.runs(), left, timeLeft());
    while (next.isPresent()) {
      left.remove(next.get());
      make(next.get(), madeBy.get(next.get().rival()), kept, report);
      next = Agenda.next(kept.runs(), left, timeLeft());
    }
    if (!left.isEmpty()) {
      console.step(
          "%s would not end in time: --continue makes what is missing"
              .formatted(Counted.of(left.size(), "run")));
    }
    keepNotReady(kept);
    return report.write(kept.runs());
  }

  private void keepNotReady(KeptRuns<RivalRun> kept) throws IOException {
    for (RivalRun failed : notReady.taken()) {
      kept.add(failed);
    }
  }

  private KeptRuns<RivalRun> kept() throws IOException {
    boolean some = order.start() == KeptRuns.Start.AGAIN && !order.rivals().isEmpty();
    KeptRuns<RivalRun> kept =
        KeptRuns.open(
            order.folder(),
            RivalRun.class,
            "RIVALS",
            some ? KeptRuns.Start.CONTINUE : order.start());
    if (some) {
      kept.forget(run -> wanted.stream().anyMatch(rival -> run.rival().equals(rival.toString())));
    }
    return kept;
  }

  private Optional<Duration> timeLeft() {
    Duration spent = Duration.ofNanos(System.nanoTime() - begun);
    return order.within().map(all -> all.minus(spent));
  }

  /** A run is kept before its cluster goes down: what that throws loses nothing. */
  private void make(
      Agenda.Turn turn, List<String> madeBy, KeptRuns<RivalRun> kept, RivalReport report)
      throws Exception {
    RivalTrial trial =
        new RivalTrial(console, order.folder(), turn, order.seed() + turn.run() - 1, madeBy);
    HBaseTestbed ready;
    try {
      ready = ready(trial, turn);
    } catch (IOException | EngineException | RuntimeException e) {
      if (isEnding() || trial.left() || !notReady.add(trial.notReady(e))) {
        throw e;
      }
      console.step("%s, run %d: %s".formatted(turn.rival(), turn.run(), e));
      return;
    }
    try {
      keepNotReady(kept);
      kept.add(trial.measure(ready));
      // What is known is not lost where the rest is cut off.
      report.write(kept.runs());
    } finally {
      trial.remove(ready);
    }
  }

  private HBaseTestbed ready(RivalTrial trial, Agenda.Turn turn)
      throws IOException, EngineException {
    for (int i = 1; ; i++) {
      labs++;
      try {
        return trial.ready(scale, order.labName() + "-" + labs);
      } catch (IOException | EngineException | RuntimeException e) {
        if (i == TRIES || isEnding() || trial.left()) {
          throw e;
        }
        console.step(
            "%s, run %d: the cluster was not made ready, and is tried again: %s"
                .formatted(turn.rival(), turn.run(), e));
      }
    }
  }

  private static boolean isEnding() {
    return shuttingDown() || Thread.currentThread().isInterrupted();
  }

  /** Whether the cluster goes down because this process does, which is no failure of a rival. */
  static boolean shuttingDown() {
    Thread none = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(none);
      Runtime.getRuntime().removeShutdownHook(none);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}

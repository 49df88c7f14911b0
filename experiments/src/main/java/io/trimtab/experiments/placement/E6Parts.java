package io.trimtab.experiments.placement;

import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.placement.SplitTrial.SplitRun;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.TestbedSettings;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * E6PARTS: why a split by load brings less than a factor of two in E6. The same splits under other
 * loads, and either node alone with half of the clients, which is the most that a split can bring.
 */
public final class E6Parts {
  static final String NAME = "E6PARTS";

  private final Console console;
  private final Order order;

  public E6Parts(Console console, Order order) {
    this.console = console;
    this.order = order;
  }

  /** A measurement that is to be made. */
  private record Due(SplitLoad load, SplitArm arm, int run) {
    private boolean is(SplitPart made) {
      return made.load() == load && made.arm() == arm && made.run() == run;
    }
  }

  /**
   * @throws io.trimtab.config.UserError where the folder's runs can't be continued
   */
  public Path run() throws Exception {
    KeptRuns<SplitPart> kept = KeptRuns.open(order.folder(), SplitPart.class, NAME, order.start());
    E6PartsReport report = new E6PartsReport(order);
    List<Due> due = due(kept.runs());
    if (due.isEmpty()) {
      return report.write(kept);
    }
    TestbedSettings nodes = TestbedSettings.pair();
    Path written = null;
    try (HBaseTestbed bed = HBaseTestbed.open(nodes, E6.spec(nodes), order.labName(), console)) {
      kept.madeWith(bed.setting(E6PartsReport.setting()));
      SplitTrial trial = new SplitTrial(bed, console);
      trial.workIn(order.seed());
      for (Due one : due) {
        kept.add(made(bed, trial, one));
        // What is known is not lost where the rest is cut off.
        written = report.write(kept);
      }
    }
    return written;
  }

  /** Every run begins with another load and another arm, so that none gains from its place. */
  private List<Due> due(List<SplitPart> kept) {
    List<Due> all = new ArrayList<>();
    for (int run = 1; run <= order.runs(); run++) {
      List<SplitLoad> loads = new ArrayList<>(List.of(SplitLoad.values()));
      List<SplitArm> arms = new ArrayList<>(List.of(SplitArm.values()));
      Collections.rotate(loads, 1 - run);
      Collections.rotate(arms, 1 - run);
      for (SplitLoad load : loads) {
        for (SplitArm arm : arms) {
          all.add(new Due(load, arm, run));
        }
      }
    }
    return all.stream().filter(due -> kept.stream().noneMatch(due::is)).toList();
  }

  private SplitPart made(HBaseTestbed bed, SplitTrial trial, Due due) throws Exception {
    SplitArm arm = due.arm();
    SplitLoad load = due.load();
    String label = "%s: %s, run %d of %d".formatted(load.title, arm.title, due.run(), order.runs());
    console.step(label);
    bed.load(Map.of(SplitTrial.WHOLE, arm.node));
    if (!load.logged) {
      trial.withoutLog(arm.node);
    }
    SplitRun run =
        trial.measure(
            arm.way,
            List.of(load.tenant(bed.tenant(SplitTrial.TABLE), arm.threads(load))),
            label,
            order.seed() + due.run() - 1);
    console.step(
        String.format(
            Locale.ROOT,
            "%s: %,.0f ops/s, %.0f %% of them on the second node, usage %.0f %% and %.0f %%",
            label,
            run.result().measured(),
            100 * run.secondShare(),
            100 * run.busy(0),
            100 * run.busy(1)));
    return new SplitPart(
        load,
        arm,
        due.run(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        run.result(),
        run.key(),
        run.secondShare(),
        run.busy(0),
        run.busy(1),
        WaitSource.phrase(run.usages()),
        bed.verify());
  }
}

package io.trimtab.experiments;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.models.usage.UsageModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One of the experiments, on a bed that is up. */
public abstract class Experiment {

  /**
   * What a run is made of.
   *
   * @param folder where the report goes
   * @param runs of each strategy, ≥ 1
   * @param seed of the first run's random placement
   * @param model of such nodes that was built before
   */
  public record Trial(
      HBaseTestbed bed,
      Console console,
      Path folder,
      int runs,
      long seed,
      Optional<UsageModel> model) {}

  protected final HBaseTestbed bed;
  protected final Console console;
  protected final Path folder;
  protected final int runs;
  protected final long seed;

  public Experiment(Trial trial) {
    this.bed = trial.bed();
    this.console = trial.console();
    this.folder = trial.folder();
    this.runs = trial.runs();
    this.seed = trial.seed();
  }

  /** Everything a reader needs to repeat the measurement. */
  protected final void describe(ExperimentReport report, List<String> more) {
    report.heading("Setting");
    report.list(bed.setting(more));
  }

  /** Measures; returns the report. */
  public abstract Path run() throws Exception;
}

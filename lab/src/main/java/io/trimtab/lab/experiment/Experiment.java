package io.trimtab.lab.experiment;

import io.trimtab.models.UsageModel;
import java.nio.file.Path;
import java.util.Optional;

/** One of the experiments, on a bed that is up. */
abstract class Experiment {

  /**
   * What a run is made of.
   *
   * @param folder where the report goes
   * @param runs of each strategy, ≥ 1
   * @param seed of the first run's random placement
   * @param model of such nodes that was built before
   */
  record Trial(
      Bed bed, Console console, Path folder, int runs, long seed, Optional<UsageModel> model) {}

  protected final Bed bed;
  protected final Console console;
  protected final Path folder;
  protected final int runs;
  protected final long seed;

  Experiment(Trial trial) {
    this.bed = trial.bed();
    this.console = trial.console();
    this.folder = trial.folder();
    this.runs = trial.runs();
    this.seed = trial.seed();
  }

  /** Measures; returns the report. */
  abstract Path run() throws Exception;
}

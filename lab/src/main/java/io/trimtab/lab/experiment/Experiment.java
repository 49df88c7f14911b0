package io.trimtab.lab.experiment;

import java.nio.file.Path;

/** One of the experiments, on a bed that is up. */
abstract class Experiment {

  /**
   * What a run is made of.
   *
   * @param folder where the report goes
   * @param runs of each strategy, ≥ 1
   * @param seed of the first run's random placement
   */
  record Trial(Bed bed, Console console, Path folder, int runs, long seed) {}

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

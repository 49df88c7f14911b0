package io.trimtab.experiments.bed;

import io.trimtab.lab.testbed.TestbedLoad;

/** The time of a run under load, and what its tenants do, for those who watch it. */
public interface RunTime {
  /** Seconds since the run's start. */
  int second();

  /** Throughput of the last whole second. */
  String line();

  static RunTime of(TestbedLoad load) {
    return new RunTime() {
      @Override
      public int second() {
        return load.second();
      }

      @Override
      public String line() {
        return load.line(0);
      }
    };
  }
}

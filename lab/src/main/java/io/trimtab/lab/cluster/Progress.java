package io.trimtab.lab.cluster;

/** Receives the progress of a long operation of the lab. */
@FunctionalInterface
public interface Progress {
  Progress NONE = (done, total, what) -> {};

  /**
   * A step begins.
   *
   * @param done steps done before it, in [0, total)
   * @param what the current step, a short phrase
   */
  void step(int done, int total, String what);
}

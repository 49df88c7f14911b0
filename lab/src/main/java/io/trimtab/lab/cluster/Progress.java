package io.trimtab.lab.cluster;

/** Hears what a long operation of the lab is doing. */
@FunctionalInterface
public interface Progress {
  Progress NONE = (done, total, what) -> {};

  /**
   * A step begins.
   *
   * @param done steps done before it, in [0, total)
   * @param what what is being done now, a short phrase
   */
  void step(int done, int total, String what);
}

package io.trimtab.controller.choice.predict;

import io.trimtab.controller.health.Saturation;
import io.trimtab.engineapi.snapshot.WaitSource;

/**
 * Which part of how busy disks are a model of waits tells. It was found from what was seen of
 * waits: those during which a CPU is idle, or no more of them than a CPU is idle. How idle CPUs are
 * may have changed since, so that its predictions for now are compared with how busy disks are now.
 */
public final class SeenWaits {
  /** Where CPUs are less idle, little is seen of how busy a disk is. */
  private static final double LEAST = 0.2;

  private double predicted;
  private double busy;

  /**
   * Adds a node.
   *
   * @param cpu share of its CPU that is used
   * @param wait share of the time in which its disk is seen to be waited for
   * @param itsPredicted the same as the model predicts it
   */
  public void add(WaitSource source, double cpu, double wait, double itsPredicted) {
    // Of a node that does not tell nothing is counted.
    if (wait > 0) {
      predicted += itsPredicted;
      busy += busy(source, cpu, wait);
    }
  }

  /**
   * How busy a disk is, in [0, 1]. A source that tells of all waits is cut off where the CPU is no
   * more idle; then the disk is taken to be full.
   */
  public static double busy(WaitSource source, double cpu, double wait) {
    if (source.onlyWhileIdle()) {
      return Math.min(1, wait / Math.max(LEAST, 1 - cpu));
    }
    return Saturation.isReached(cpu + wait) ? 1 : wait;
  }

  /** The part, in [0.2, 1]; all of it where no disk is waited for. */
  public double share() {
    return predicted > 0 && busy > 0 ? Math.max(LEAST, Math.min(1, predicted / busy)) : 1;
  }
}

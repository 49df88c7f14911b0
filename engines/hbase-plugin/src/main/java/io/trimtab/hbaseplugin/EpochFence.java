package io.trimtab.hbaseplugin;

import io.trimtab.hbasewire.ControllerEpoch;

/**
 * Remembers the greatest epoch of a controller since this server started, and refuses what earlier
 * controllers still send, such as one that was frozen while another took over. Requests without an
 * epoch pass: controllers of earlier versions have none.
 */
final class EpochFence {
  private long greatest = ControllerEpoch.NONE;

  /**
   * Lets a request of this epoch pass.
   *
   * @throws IllegalArgumentException a one-line refusal
   */
  synchronized void pass(long epoch) {
    if (epoch < ControllerEpoch.NONE) {
      throw new IllegalArgumentException("an epoch must be ≥ 0, not " + epoch);
    }
    if (epoch != ControllerEpoch.NONE && epoch < greatest) {
      throw new IllegalArgumentException(
          "epoch " + epoch + " is older than " + greatest + ": another controller has taken over");
    }
    greatest = Math.max(greatest, epoch);
  }
}

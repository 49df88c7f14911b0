package io.trimtab.simulator;

import java.util.Locale;

/** What can go wrong in an episode. */
public enum FaultKind {
  /** A controller's process dies; its lock lasts until its lease is over. */
  KILL,
  /** A controller stands still for up to a minute; others act meanwhile, and it wakes up. */
  FREEZE,
  /** Nothing passes between a controller and the cluster's lock any more, and nobody tells it. */
  CUT,
  /** A controller's session is ended, and it hears of it. */
  LOCK_LOST,
  /** A controller's wall clock is set forward or back. */
  CLOCK_STEP,
  /** Snapshots fail, have gaps, or are old. */
  BAD_SNAPSHOT,
  /** An operation fails, hangs, or takes effect after its time limit. */
  BAD_VERB,
  /** A controller's disk is full for some time. */
  FULL_DISK,
  /** A node dies, and comes back some minutes later. */
  NODE_DIES,
  /** Most of the nodes die at once. */
  MOST_DIE,
  /** Somebody switches the engine's own balancing on. */
  BALANCER_ON,
  /** An operator moves a partition, or cleans a node of a ring up. */
  OPERATOR_ACTS,
  /** An operator asks through the cluster for a stop. */
  STOP;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}

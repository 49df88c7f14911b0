package io.trimtab.simulator;

/** What a controller is about. */
enum Phase {
  /** No plan is under way. */
  BETWEEN,
  /** A plan is carried out. */
  PLAN,
  /** A plan is over, and the cluster is put right after it. */
  TIDYING
}

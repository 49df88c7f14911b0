package io.trimtab.experiments.policies;

import io.trimtab.simulator.days.DayResult;

/**
 * One policy on one cluster.
 *
 * @param policy its name
 * @param result null where it failed
 * @param seconds that it took
 * @param failure why it failed; empty where it did not
 */
record PolicyRun(long seed, String policy, DayResult result, double seconds, String failure) {}

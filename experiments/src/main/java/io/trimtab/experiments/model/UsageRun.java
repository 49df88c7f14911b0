package io.trimtab.experiments.model;

import java.util.List;

/**
 * One run of E8 or E8RING: what was learned under ordinary load, and the loads after it.
 *
 * @param run from 1
 * @param seed of the ordinary load
 * @param day on which it ended
 */
record UsageRun(
    int run, long seed, String day, OrdinaryLoad.Lesson lesson, List<UsageOutcome> outcomes) {}

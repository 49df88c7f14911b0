package io.trimtab.experiments.placement;

import io.trimtab.lab.testbed.RunResult;

/**
 * One measurement of E6PARTS.
 *
 * @param run from 1
 * @param day on which it ended
 * @param key where the table was split; empty where it was not
 * @param secondShare share of all requests that the second node served
 * @param firstBusy server usage of the first node meanwhile
 * @param secondBusy that of the second
 * @param waits what their I/O wait was computed from
 * @param verified what was found when all was read back
 */
record SplitPart(
    SplitLoad load,
    SplitArm arm,
    int run,
    String day,
    RunResult result,
    String key,
    double secondShare,
    double firstBusy,
    double secondBusy,
    String waits,
    String verified) {}

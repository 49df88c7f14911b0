package io.trimtab.experiments;

import io.trimtab.experiments.report.KeptRuns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an experiment was asked for.
 *
 * @param runs of each strategy, or clusters, ≥ 1
 * @param seed of the first run's random placement; run i uses seed + i − 1
 * @param folder where the report goes
 * @param model of such nodes, for experiments that need one
 * @param labName of the experiment's own labs
 * @param start what becomes of the runs that the folder holds, for experiments that keep them
 * @param rivals of RIVALS that are made, by name; none for all
 * @param within time in which RIVALS begins runs only that end in it
 * @param learn time of ordinary load from which E8 and E8RING learn costs, in each run
 */
public record Order(
    int runs,
    long seed,
    Path folder,
    Optional<Path> model,
    String labName,
    KeptRuns.Start start,
    List<String> rivals,
    Optional<Duration> within,
    Duration learn) {}

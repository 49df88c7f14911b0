package io.trimtab.simulator.replicas;

import static io.trimtab.simulator.replicas.Ranges.between;

import io.trimtab.config.UserError;
import picocli.CommandLine.Option;

/** What slows servers besides, and how reads are made; nothing of it by default. */
final class DisturbanceOptions {
  private static final double DAY_MS = 86_400_000;

  @Option(
      names = "--pauses-per-s",
      paramLabel = "RATE",
      defaultValue = "0",
      description = "How often each server stops, as for GC; default: never.")
  private double pausesPerSecond;

  @Option(
      names = "--pause-ms",
      paramLabel = "MS",
      defaultValue = "50",
      description = "How long it stops; default: ${DEFAULT-VALUE}.")
  private double pauseMs;

  @Option(
      names = "--compactions-per-s",
      paramLabel = "RATE",
      defaultValue = "0",
      description = "How often each server begins to compact; default: never.")
  private double compactionsPerSecond;

  @Option(
      names = "--compaction-ms",
      paramLabel = "MS",
      defaultValue = "3000",
      description = "How long it compacts; default: ${DEFAULT-VALUE}.")
  private double compactionMs;

  @Option(
      names = "--compaction-slowdown",
      paramLabel = "D",
      defaultValue = "2",
      description = "How many times slower it is meanwhile; default: ${DEFAULT-VALUE}.")
  private double compactionSlowdown;

  @Option(
      names = "--slow-servers",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "Share of servers that are always slower; default: none.")
  private double slowServers;

  @Option(
      names = "--slow-factor",
      paramLabel = "D",
      defaultValue = "2",
      description = "How many times slower they are; default: ${DEFAULT-VALUE}.")
  private double slowFactor;

  @Option(
      names = "--disk-reads-per-s",
      paramLabel = "RATE",
      defaultValue = "0",
      description = "Reads that each server's disk allows, in tens; default: no limit.")
  private double diskReadsPerSecond;

  @Option(
      names = "--disk-share",
      paramLabel = "SHARE",
      defaultValue = "1",
      description = "Share of requests that read from disk; default: all.")
  private double diskShare;

  @Option(
      names = "--disk-cuts-per-s",
      paramLabel = "RATE",
      defaultValue = "0",
      description = "How often each disk becomes slow; default: never.")
  private double diskCutsPerSecond;

  @Option(
      names = "--disk-cut-ms",
      paramLabel = "MS",
      defaultValue = "6000",
      description = "How long it is slow; default: ${DEFAULT-VALUE}.")
  private double diskCutMs;

  @Option(
      names = "--disk-cut-reads-per-s",
      paramLabel = "RATE",
      defaultValue = "10",
      description = "Reads that it allows meanwhile; default: ${DEFAULT-VALUE}.")
  private double diskCutReadsPerSecond;

  @Option(
      names = "--local",
      description = "The servers are the coordinators; reads of their own need no network.")
  private boolean local;

  @Option(
      names = "--size-skew",
      paramLabel = "S",
      defaultValue = "0",
      description = "Deviation of the logarithm of records' sizes; default: all alike.")
  private double sizeSkew;

  @Option(
      names = "--hedge-ms",
      paramLabel = "MS",
      defaultValue = "0",
      description = "When to ask a second replica, too; default: never.")
  private double hedgeMs;

  Disturbances disturbances() {
    between("--pauses-per-s", pausesPerSecond, 0, 1_000);
    between("--pause-ms", pauseMs, 0, DAY_MS);
    between("--compactions-per-s", compactionsPerSecond, 0, 1_000);
    between("--compaction-ms", compactionMs, 0, DAY_MS);
    between("--compaction-slowdown", compactionSlowdown, 1, 1_000);
    between("--slow-servers", slowServers, 0, 1);
    between("--slow-factor", slowFactor, 1, 1_000);
    tens("--disk-reads-per-s", diskReadsPerSecond, 0, 10_000_000);
    between("--disk-share", diskShare, 0, 1);
    between("--disk-cuts-per-s", diskCutsPerSecond, 0, 1_000);
    between("--disk-cut-ms", diskCutMs, 0, DAY_MS);
    tens("--disk-cut-reads-per-s", diskCutReadsPerSecond, 10, 10_000_000);
    if (diskCutsPerSecond > 0 && diskCutReadsPerSecond >= diskReadsPerSecond) {
      throw new UserError(
          "--disk-reads-per-s must be more than the %.0f of a slow disk, not %.0f"
              .formatted(diskCutReadsPerSecond, diskReadsPerSecond));
    }
    return new Disturbances(
        pausesPerSecond,
        pauseMs,
        compactionsPerSecond,
        compactionMs,
        compactionSlowdown,
        slowServers,
        slowFactor,
        new DiskLimit(
            diskReadsPerSecond, diskShare, diskCutsPerSecond, diskCutMs, diskCutReadsPerSecond));
  }

  /** Limits are of slices of 100 ms. */
  private static void tens(String option, double value, double least, double most) {
    between(option, value, least, most);
    if (value % 10 != 0) {
      throw new UserError("%s must be a multiple of 10, not %s".formatted(option, value));
    }
  }

  Shape shape() {
    between("--size-skew", sizeSkew, 0, 5);
    between("--hedge-ms", hedgeMs, 0, DAY_MS);
    return new Shape(local, sizeSkew, hedgeMs);
  }
}

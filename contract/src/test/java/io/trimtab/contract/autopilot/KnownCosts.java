package io.trimtab.contract.autopilot;

import io.trimtab.formats.ModelFile;
import io.trimtab.models.usage.UsageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A usage model by which requests cost what a test says; scans cost what reads do. */
final class KnownCosts {
  private static final double IDLE = 0.02;

  private KnownCosts() {}

  /**
   * Writes it.
   *
   * @param cached usage that one read a second causes if its block is cached, and one update
   * @param half the same of a read if half of the blocks are
   * @return the file
   */
  static Path write(Path file, double cached, double half) {
    List<UsageModel.ReadPoint> reads = new ArrayList<>();
    List<UsageModel.UpdatePoint> updates = new ArrayList<>();
    for (double level : new double[] {0.2, 0.4, 0.6, 0.8}) {
      double used = level - IDLE;
      reads.add(new UsageModel.ReadPoint(1, level, used / cached, List.of()));
      reads.add(new UsageModel.ReadPoint(0.5, level, used / half, List.of()));
      updates.add(new UsageModel.UpdatePoint(level, used / cached, List.of()));
    }
    ModelFile.write(
        file,
        new UsageModel(
            UsageModel.SCHEMA,
            "hbase",
            new TreeMap<>(),
            IDLE,
            reads,
            updates,
            new UsageModel.ScanCosts(0, 0, 0, 0, 0.0, 0),
            null));
    return file;
  }
}

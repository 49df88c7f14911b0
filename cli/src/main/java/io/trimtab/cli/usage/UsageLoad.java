package io.trimtab.cli.usage;

import io.trimtab.config.UserError;
import io.trimtab.formats.ModelFile;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that select the model and describe the load of a node. */
final class UsageLoad {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "Usage model written by: trimtab model build.")
  private Path model;

  @Option(
      names = "--hit-ratio",
      required = true,
      paramLabel = "H",
      description = "Hit ratio of the block cache, in [0, 1]; see trimtab hitratio.")
  private double hitRatio;

  @Option(names = "--reads", paramLabel = "R", description = "Single-row reads per second.")
  private double reads;

  @Option(
      names = "--scans",
      paramLabel = "S",
      description = "Scans per second; one over several regions counts on each of them.")
  private double scans;

  @Option(
      names = "--calls-per-scan",
      paramLabel = "C",
      defaultValue = "1",
      description = "Mean number of calls that fetch a scan's rows; default: ${DEFAULT-VALUE}.")
  private double calls;

  @Option(
      names = "--scan-length",
      paramLabel = "L",
      defaultValue = "1",
      description = "Mean number of rows per scan; default: ${DEFAULT-VALUE}.")
  private double scanLength;

  @Option(
      names = "--columns",
      paramLabel = "K",
      defaultValue = "1",
      description = "Number of columns that a scan reads from each row; default: ${DEFAULT-VALUE}.")
  private double columns;

  @Option(
      names = "--blocks-per-scan",
      paramLabel = "B",
      defaultValue = "1",
      description = "Mean number of blocks that a scan reads; default: ${DEFAULT-VALUE}.")
  private double blocks;

  @Option(names = "--updates", paramLabel = "U", description = "Updates per second.")
  private double updates;

  @Option(
      names = "--update-bytes",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Mean size of an update in bytes, for the cost of compactions; default:"
              + " ${DEFAULT-VALUE}.")
  private double updateBytes;

  UsageModel model() {
    return ModelFile.read(model);
  }

  Load load() {
    try {
      return new Load(
          hitRatio,
          reads,
          scans,
          new ScanShape(calls, scanLength, columns, blocks),
          updates,
          updateBytes);
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage(), e);
    }
  }

  /** The model may lack a part for the load. */
  UserError lacks(IllegalArgumentException e) {
    return new UserError(model + ": " + e.getMessage(), e);
  }
}

package io.trimtab.formats;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.models.usage.UsageModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A {@link UsageModel} as JSON. Shares of usage and hit ratios are in [0, 1], throughputs in
 * operations per second, sizes in bytes.
 */
public final class ModelFile {
  private ModelFile() {}

  /**
   * Reads a model.
   *
   * @throws UserError naming the file, if it is missing, not a model, or of another schema
   */
  public static UsageModel read(Path file) {
    return JsonFile.read(file, UsageModel.class, "a usage model");
  }

  /** Identifies the content of a file. */
  public static String id(Path file) {
    try {
      CRC32C sum = new CRC32C();
      sum.update(Files.readAllBytes(file));
      return Long.toHexString(sum.getValue());
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  /** Writes the file atomically. */
  public static void write(Path file, UsageModel model) {
    JsonFile.write(file, model);
  }
}

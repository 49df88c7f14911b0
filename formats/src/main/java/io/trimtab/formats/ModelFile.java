package io.trimtab.formats;

import io.trimtab.config.UserError;
import io.trimtab.models.usage.UsageModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A {@link UsageModel} as JSON. Shares of usage and hit ratios are in [0, 1], throughputs in
 * operations a second, sizes in bytes.
 */
public final class ModelFile {
  private ModelFile() {}

  /**
   * @throws UserError naming the file, where it is missing, no model, or of another schema
   */
  public static UsageModel read(Path file) {
    return JsonFile.read(file, UsageModel.class, "a usage model");
  }

  /** Tells one file's content from another's. */
  public static String id(Path file) {
    try {
      CRC32C sum = new CRC32C();
      sum.update(Files.readAllBytes(file));
      return Long.toHexString(sum.getValue());
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
  }

  /** Writes it whole or not at all. */
  public static void write(Path file, UsageModel model) {
    JsonFile.write(file, model);
  }
}

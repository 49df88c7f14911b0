package io.trimtab.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.trimtab.config.UserError;
import io.trimtab.models.UsageModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;

/**
 * A {@link UsageModel} as JSON. Shares of usage and hit ratios are in [0, 1], throughputs in
 * operations a second, sizes in bytes.
 */
public final class ModelFile {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private ModelFile() {}

  /**
   * @throws UserError naming the file, where it is missing, no model, or of another schema
   */
  public static UsageModel read(Path file) {
    try {
      return JSON.readValue(Files.readString(file), UsageModel.class);
    } catch (NoSuchFileException e) {
      throw new UserError(file + ": no such file", e);
    } catch (ValueInstantiationException e) {
      throw new UserError(file + ": " + e.getCause().getMessage(), e);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : ":" + Math.max(1, e.getLocation().getLineNr());
      throw new UserError(
          file
              + where
              + ": not a usage model: "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
  }

  /** Tells one file's content from another's. */
  static String id(Path file) {
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
    write(file, (Object) model);
  }

  static void write(Path file, Object value) {
    try {
      Path whole = file.toAbsolutePath();
      Files.createDirectories(whole.getParent());
      Path part = whole.resolveSibling(whole.getFileName() + ".tmp");
      Files.writeString(part, JSON.writeValueAsString(value) + "\n");
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " can't be written", e);
    }
  }
}

package io.trimtab.formats;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.config.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/** Reads and writes JSON files. */
public final class JsonFile {
  private static final ObjectMapper JSON =
      JsonMappers.MAPPER
          .copy()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonFile() {}

  /**
   * Reads a file.
   *
   * @param what the expected content, as "a usage model"
   * @throws UserError naming the file, if it is missing or has other content
   */
  public static <T> T read(Path file, Class<T> type, String what) {
    try {
      T value = JSON.readValue(Files.readString(file), type);
      if (value == null) {
        throw new UserError(file + ": not " + what);
      }
      return value;
    } catch (NoSuchFileException e) {
      throw new UserError(file + ": no such file", e);
    } catch (ValueInstantiationException e) {
      // What is missing is null, which a record's constructor refuses, or can't copy.
      String why =
          e.getCause() instanceof NullPointerException
              ? "not " + what + ": a value is missing"
              : e.getCause().getMessage();
      throw new UserError(file + ": " + field(e) + why, e);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : ":" + Math.max(1, e.getLocation().getLineNr());
      throw new UserError(
          file
              + where
              + ": not "
              + what
              + ": "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  /** Path of an invalid value inside the file; empty for the top level. */
  private static String field(JsonMappingException e) {
    return e.getPath().stream()
        .map(JsonMappingException.Reference::getFieldName)
        .filter(name -> name != null)
        .reduce((a, b) -> a + "." + b)
        .map(name -> name + ": ")
        .orElse("");
  }

  /**
   * Writes the file, as {@link WholeFile#replace} does.
   *
   * @param attributes of the file
   * @throws UserError naming the file, if it can't be written
   */
  public static void write(Path file, Object value, FileAttribute<?>... attributes) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      byte[] text = (JSON.writeValueAsString(value) + "\n").getBytes(StandardCharsets.UTF_8);
      WholeFile.replace(file, text, attributes);
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + FileProblem.of(e), e);
    }
  }
}

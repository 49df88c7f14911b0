package io.trimtab.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;

/**
 * Reads a YAML file into a record, or fails with one line that names file, line and key. Unknown
 * keys, duplicate keys, wrong types and wrong units are errors. Durations and sizes are text with a
 * unit; see {@link Units}. A record's own validation speaks through {@code
 * IllegalArgumentException}.
 */
public final class StrictYaml {
  private static final com.fasterxml.jackson.databind.ObjectMapper MAPPER = mapper();

  private StrictYaml() {}

  private static com.fasterxml.jackson.databind.ObjectMapper mapper() {
    var units = new SimpleModule();
    units.addDeserializer(Duration.class, new Units.DurationDeserializer());
    units.addDeserializer(Bytes.class, new Units.BytesDeserializer());
    return JsonMapper.builder(
            YAMLFactory.builder()
                .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
                .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build())
        .addModule(units)
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
        .build();
  }

  /** Reads {@code file}; missing keys become null (objects) or are an error (primitives). */
  public static <T> T read(Path file, Class<T> type) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new UserError(file + ": no such file", e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
    return parse(file.toString(), text, type);
  }

  /** Reads {@code text}; {@code name} stands for the file in errors. */
  public static <T> T parse(String name, String text, Class<T> type) {
    try {
      T value = MAPPER.readValue(text, type);
      if (value == null) {
        throw new UserError(name + ": is empty");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw error(name, e);
    }
  }

  private static UserError error(String name, JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String where = at == null || at.getLineNr() < 1 ? name : name + ":" + at.getLineNr();
    String key = "";
    if (e instanceof JsonMappingException mapping) {
      key =
          mapping.getPath().stream()
              .map(
                  r -> r.getFieldName() == null ? "[" + r.getIndex() + "]" : "." + r.getFieldName())
              .collect(Collectors.joining());
      key = key.isEmpty() ? "" : ": " + (key.startsWith(".") ? key.substring(1) : key);
    }
    return new UserError(where + key + ": " + problem(e), e);
  }

  private static String problem(JsonProcessingException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      Collection<Object> known = unknown.getKnownPropertyIds();
      String nearest =
          known == null
              ? ""
              : known.stream()
                  .map(String::valueOf)
                  .min(
                      Comparator.comparingInt((String k) -> distance(k, unknown.getPropertyName())))
                  .filter(k -> distance(k, unknown.getPropertyName()) <= 3)
                  .map(k -> "; did you mean " + k + "?")
                  .orElse("; known keys: " + known);
      return "unknown key" + nearest;
    }
    Throwable cause = e;
    while (cause.getCause() != null && !(cause instanceof IllegalArgumentException)) {
      cause = cause.getCause();
    }
    String message =
        cause instanceof JsonProcessingException json
            ? json.getOriginalMessage()
            : cause.getMessage();
    return String.valueOf(message).lines().findFirst().orElse("can't be read").strip();
  }

  /** Levenshtein's distance, for "did you mean". */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}

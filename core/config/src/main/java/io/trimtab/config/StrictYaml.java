package io.trimtab.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Reads a YAML file into a record, or fails with one line that names file, line and key. Unknown
 * keys, duplicate keys, wrong types and wrong units are errors. Durations and sizes are text with a
 * unit; see {@link Units}. A record's own validation speaks through {@code
 * IllegalArgumentException}.
 */
public final class StrictYaml {
  private static final ObjectMapper MAPPER = mapper();

  private StrictYaml() {}

  private static ObjectMapper mapper() {
    var units = new SimpleModule();
    unit(units, Duration.class, Units::duration);
    unit(units, Bytes.class, Bytes::parse);
    unit(units, ByteRate.class, ByteRate::parse);
    units.addDeserializer(Secret.class, new Secret.Reader());
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

  private static <T> void unit(SimpleModule units, Class<T> type, Function<String, T> parser) {
    units.addDeserializer(type, new Units.TextDeserializer<>(type, parser));
  }

  /** Reads {@code file}; missing keys become null (objects) or are an error (primitives). */
  public static <T> T read(Path file, Class<T> type) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new UserError(file + ": no such file", e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
    return parse(file.toString(), text, type);
  }

  /** Reads {@code text}; {@code name} stands for the file in errors. */
  public static <T> T parse(String name, String text, Class<T> type) {
    try {
      if (YamlProblem.isEmpty(text)) {
        throw new UserError(name + ": is empty");
      }
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw YamlProblem.of(e, text).in(name);
    }
  }

  /**
   * Makes a value of keys that stand in no file, with the same checks.
   *
   * @param keys as a file would have them: texts, numbers, truth values, and groups of them
   * @param words the message for a key, dotted, empty for all of them, and what is wrong with it
   * @throws UserError with these words
   */
  public static <T> T of(Map<String, ?> keys, BinaryOperator<String> words, Class<T> type) {
    String text = "";
    try {
      text = MAPPER.writeValueAsString(keys);
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      YamlProblem problem = YamlProblem.of(e, text);
      throw new UserError(words.apply(problem.key(), problem.problem()), e);
    }
  }
}

package io.trimtab.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is wrong with a YAML file, in words for its author. Jackson knows the path of a bad value,
 * but its line only where it stopped reading, which for a record is behind the record; so lines are
 * looked up by path in the text.
 *
 * @param line from 1; 0 where it is not known
 * @param key dotted path; empty for the whole file
 * @param cause null if it would show what is in the file
 */
record YamlProblem(int line, String key, String problem, Exception cause) {
  private static final int TYPO_DISTANCE_MAX = 3;
  private static final Pattern PLACE = Pattern.compile("^ in .*line (\\d+), column");
  private static final Pattern PREFIX = Pattern.compile("Cannot deserialize value [^:]*: ");
  private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '(.*)'");

  static YamlProblem of(JsonProcessingException e, String text) {
    if (!(e instanceof JsonMappingException mapping)) {
      return syntax("", e);
    }
    String at = mapping.getPath().stream().map(YamlProblem::step).collect(Collectors.joining());
    if (e.getCause() instanceof StreamReadException broken) {
      return syntax(at, broken);
    }
    Map<String, Integer> lines = lines(text);
    return unknownKey(mapping, at, lines)
        .or(() -> invalid(mapping, at, lines))
        .orElseGet(() -> placed(at, lines, problem(mapping), e));
  }

  /**
   * Not YAML, or a key twice. Without the parser's error, which quotes lines of the file: it goes
   * to logs, and a secret may be in one of them.
   */
  private static YamlProblem syntax(String at, JsonProcessingException e) {
    Matcher twice = DUPLICATE.matcher(firstLine(e.getOriginalMessage()));
    if (twice.matches()) {
      String key = dotted(at + "/" + twice.group(1));
      return new YamlProblem(line(e.getLocation()), key, "is given twice", null);
    }
    // The parser tells where it began, where it stopped, and between these what it met.
    int line = line(e.getLocation());
    String problem = "is not YAML";
    for (String detail : e.getOriginalMessage().lines().toList()) {
      Matcher place = PLACE.matcher(detail);
      if (place.find()) {
        line = Integer.parseInt(place.group(1));
      } else if (!detail.isBlank() && !detail.startsWith(" ")) {
        problem = detail.strip();
      }
    }
    return new YamlProblem(line, dotted(at), problem, null);
  }

  UserError in(String name) {
    String where = line > 0 ? name + ":" + line : name;
    return new UserError(where + (key.isEmpty() ? "" : ": " + key) + ": " + problem, cause);
  }

  /** Whether a text has nothing but comments. */
  static boolean isEmpty(String text) {
    return text.lines().map(String::strip).allMatch(l -> l.isEmpty() || l.startsWith("#"));
  }

  private static String step(JsonMappingException.Reference reference) {
    return "/"
        + (reference.getFieldName() == null ? reference.getIndex() : reference.getFieldName());
  }

  private static YamlProblem placed(
      String at, Map<String, Integer> lines, String problem, JsonProcessingException e) {
    return new YamlProblem(lines.getOrDefault(at, line(e.getLocation())), dotted(at), problem, e);
  }

  private static String dotted(String at) {
    return at.replaceAll("/(\\d+)(?=/|$)", "[$1]").replaceFirst("^/", "").replace('/', '.');
  }

  private static int line(JsonLocation location) {
    return location == null ? 0 : Math.max(0, location.getLineNr());
  }

  /** The line of every key and list element, by JSON pointer. */
  private static Map<String, Integer> lines(String text) {
    Map<String, Integer> lines = new LinkedHashMap<>();
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        lines.putIfAbsent(
            parser.getParsingContext().pathAsPointer().toString(),
            line(parser.currentTokenLocation()));
      }
    } catch (IOException e) {
      // What comes before the broken place is known.
      return lines;
    }
    return lines;
  }

  /**
   * A key that nobody knows. Records are made before their unknown keys are looked at, so a record
   * may have refused the values that it got because another key is misspelt.
   */
  private static Optional<YamlProblem> unknownKey(
      JsonMappingException e, String at, Map<String, Integer> lines) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      return Optional.of(
          placed(
              at,
              lines,
              unknownKey(
                  unknown.getPropertyName(),
                  Optional.ofNullable(unknown.getKnownPropertyIds()).orElse(List.of()).stream()
                      .map(String::valueOf)
                      .toList()),
              e));
    }
    if (!(e instanceof ValueInstantiationException made)
        || !made.getType().getRawClass().isRecord()) {
      return Optional.empty();
    }
    List<String> known =
        Arrays.stream(made.getType().getRawClass().getRecordComponents())
            .map(RecordComponent::getName)
            .toList();
    return lines.keySet().stream()
        .filter(p -> p.startsWith(at + "/") && p.indexOf('/', at.length() + 1) < 0)
        .filter(p -> !known.contains(p.substring(at.length() + 1)))
        .findFirst()
        .map(p -> placed(p, lines, unknownKey(p.substring(at.length() + 1), known), e));
  }

  private static String unknownKey(String key, Collection<String> known) {
    return "unknown key"
        + known.stream()
            .min(Comparator.comparingInt((String k) -> distance(k, key)))
            .filter(k -> distance(k, key) <= TYPO_DISTANCE_MAX)
            .map(k -> "; did you mean " + k + "?")
            .orElse("; known keys: " + known);
  }

  /** What a record's own check said; its first word names the key, from the root or the record. */
  private static Optional<YamlProblem> invalid(
      JsonMappingException e, String at, Map<String, Integer> lines) {
    Throwable cause = e;
    while (cause != null && !(cause instanceof IllegalArgumentException)) {
      cause = cause.getCause();
    }
    if (cause == null || cause.getMessage() == null) {
      return Optional.empty();
    }
    String problem = firstLine(cause.getMessage());
    String word = problem.split("[ :]", 2)[0];
    String path = "/" + word.replace('.', '/');
    Optional<String> found =
        Stream.of(path, at + path, at + path.substring(path.lastIndexOf('/')))
            .filter(lines::containsKey)
            .findFirst();
    if (found.isEmpty()) {
      return Optional.of(placed(at, lines, problem, e));
    }
    String rest = problem.substring(word.length()).replaceFirst("^:?\\s+", "");
    return Optional.of(placed(found.get(), lines, rest, e));
  }

  private static String problem(JsonMappingException e) {
    if (e instanceof InvalidFormatException format && format.getTargetType() != null) {
      Class<?> type = format.getTargetType();
      if (type.isEnum()) {
        return oneOf(type) + ", not '" + format.getValue() + "'";
      }
      if (!type.isRecord() && expected(type).isPresent()) {
        return "must be " + expected(type).get() + ", not '" + format.getValue() + "'";
      }
    }
    if (e instanceof MismatchedInputException mismatched && mismatched.getTargetType() != null) {
      if (mismatched.getTargetType().isEnum()) {
        // Such as off, which is no word in YAML but a false.
        return oneOf(mismatched.getTargetType());
      }
      Optional<String> expected = expected(mismatched.getTargetType());
      if (expected.isPresent() && !(e instanceof InvalidFormatException)) {
        return "must be " + expected.get();
      }
    }
    return PREFIX.matcher(firstLine(e.getOriginalMessage())).replaceFirst("");
  }

  private static String oneOf(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(c -> ((Enum<?>) c).name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", ", "must be one of ", ""));
  }

  private static Optional<String> expected(Class<?> type) {
    if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
      return Optional.of("a whole number");
    } else if (type == Double.class || type == double.class) {
      return Optional.of("a number");
    } else if (type == Boolean.class || type == boolean.class) {
      return Optional.of("true or false");
    } else if (type == String.class) {
      return Optional.of("text");
    } else if (Collection.class.isAssignableFrom(type)) {
      return Optional.of("a list");
    } else if (type.isRecord() || Map.class.isAssignableFrom(type)) {
      return Optional.of("a group of keys");
    }
    return Optional.empty();
  }

  private static String firstLine(String message) {
    return String.valueOf(message).lines().findFirst().orElse("can't be read").strip();
  }

  /** Levenshtein's distance. */
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

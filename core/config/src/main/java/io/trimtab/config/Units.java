package io.trimtab.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text forms of durations ({@code 250ms}, {@code 30s}, {@code 3m}, {@code 2h}, {@code 1d}). */
public final class Units {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|min|h|d)");

  private Units() {}

  public static Duration duration(String text) {
    Matcher m = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "a duration needs a unit (ms, s, m, h, d), for example 30s, not '" + text + "'");
    }
    long n = Long.parseLong(m.group(1));
    return switch (m.group(2)) {
      case "ms" -> Duration.ofMillis(n);
      case "s" -> Duration.ofSeconds(n);
      case "m", "min" -> Duration.ofMinutes(n);
      case "h" -> Duration.ofHours(n);
      default -> Duration.ofDays(n);
    };
  }

  /** Of a type with a text form of its own. */
  static final class TextDeserializer<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final transient Function<String, T> parser;

    TextDeserializer(Class<T> type, Function<String, T> parser) {
      super(type);
      this.type = type;
      this.parser = parser;
    }

    @Override
    public T deserialize(JsonParser p, DeserializationContext context) throws IOException {
      try {
        return parser.apply(p.getText());
      } catch (IllegalArgumentException e) {
        throw context.weirdStringException(p.getText(), type, e.getMessage());
      }
    }
  }
}

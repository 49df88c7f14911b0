package io.trimtab.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
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

  static final class DurationDeserializer extends StdScalarDeserializer<Duration> {
    private static final long serialVersionUID = 1L;

    DurationDeserializer() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser p, DeserializationContext context) throws IOException {
      try {
        return duration(p.getText());
      } catch (IllegalArgumentException e) {
        throw context.weirdStringException(p.getText(), Duration.class, e.getMessage());
      }
    }
  }

  static final class BytesDeserializer extends StdScalarDeserializer<Bytes> {
    private static final long serialVersionUID = 1L;

    BytesDeserializer() {
      super(Bytes.class);
    }

    @Override
    public Bytes deserialize(JsonParser p, DeserializationContext context) throws IOException {
      try {
        return Bytes.parse(p.getText());
      } catch (IllegalArgumentException e) {
        throw context.weirdStringException(p.getText(), Bytes.class, e.getMessage());
      }
    }
  }
}

package io.trimtab.config;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes per second, ≥ 0. Text form: a number with B/s, kB/s, MB/s or GB/s, in powers of 1,000 as
 * usual for throughput.
 */
public record ByteRate(double bytesPerSecond) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)\\s*([kmg]?)b/s");
  private static final Map<String, Double> TIMES = Map.of("", 1.0, "k", 1e3, "m", 1e6, "g", 1e9);

  public ByteRate {
    if (!(bytesPerSecond >= 0 && bytesPerSecond < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a throughput must be ≥ 0, not " + bytesPerSecond);
    }
  }

  public static ByteRate parse(String text) {
    Matcher m = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "a throughput needs a unit (B/s, kB/s, MB/s, GB/s), for example 9.7MB/s, not '"
              + text
              + "'");
    }
    return new ByteRate(Double.parseDouble(m.group(1)) * TIMES.get(m.group(2)));
  }

  public double megabytesPerSecond() {
    return bytesPerSecond / 1e6;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s MB/s", megabytesPerSecond());
  }
}

package io.trimtab.config;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A size in bytes, ≥ 0. Text form: an integer with k, m, g or t (powers of 1024), or b. */
public record Bytes(long value) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,15})\\s*([kmgt]?)i?b?");
  private static final Map<String, Integer> SHIFT =
      Map.of("", 0, "k", 10, "m", 20, "g", 30, "t", 40);

  public Bytes {
    if (value < 0) {
      throw new IllegalArgumentException("a size must be ≥ 0, not " + value);
    }
  }

  public static Bytes parse(String text) {
    Matcher m = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!m.matches() || text.strip().matches("\\d+")) {
      throw new IllegalArgumentException(
          "a size needs a unit (b, k, m, g, t), for example 300m, not '" + text + "'");
    }
    return new Bytes(Math.multiplyExact(Long.parseLong(m.group(1)), 1L << SHIFT.get(m.group(2))));
  }

  /** The size for display, with three digits: {@code 1.46 GiB}. */
  public static String human(long bytes) {
    double value = bytes;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int i = 0;
    while (value >= 1024 && i < units.length - 1) {
      value /= 1024;
      i++;
    }
    return i == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.3g %s", value, units[i]);
  }

  @Override
  public String toString() {
    for (String unit : new String[] {"t", "g", "m", "k"}) {
      long size = 1L << SHIFT.get(unit);
      if (value != 0 && value % size == 0) {
        return value / size + unit;
      }
    }
    return value + "b";
  }
}

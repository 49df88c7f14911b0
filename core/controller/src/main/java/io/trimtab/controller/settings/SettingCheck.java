package io.trimtab.controller.settings;

/** Checks values of settings records; errors contain the key and the allowed values. */
final class SettingCheck {
  private SettingCheck() {}

  static void that(boolean good, String key, String expected, Object value) {
    if (!good) {
      throw new IllegalArgumentException(key + " must be " + expected + ", not " + value);
    }
  }

  static double share(String key, Double value, double whenMissing) {
    double chosen = value == null ? whenMissing : value;
    that(chosen >= 0 && chosen <= 1, key, "in [0, 1]", chosen);
    return chosen;
  }

  static int within(String key, Integer value, int whenMissing, int min, int max) {
    int chosen = value == null ? whenMissing : value;
    that(chosen >= min && chosen <= max, key, "in [" + min + ", " + max + "]", chosen);
    return chosen;
  }
}

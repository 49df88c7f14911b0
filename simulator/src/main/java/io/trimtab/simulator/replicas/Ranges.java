package io.trimtab.simulator.replicas;

import io.trimtab.config.UserError;

/** Refuses options that are out of range. */
final class Ranges {
  private Ranges() {}

  static void atLeastOne(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw new UserError(
          option
              + " must be at least 1"
              + (most < Integer.MAX_VALUE ? " and at most " + most : "")
              + ", not "
              + value);
    }
  }

  static void positive(String option, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new UserError(option + " must be positive, not " + value);
    }
  }

  static void between(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new UserError("%s must be %s to %s, not %s".formatted(option, least, most, value));
    }
  }
}

package io.trimtab.lab.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Locale;

/** Whether a lab's nodes get control groups of their own. */
public enum Isolate {
  /** Where the machine allows it. */
  AUTO,
  /** Or the lab does not start. */
  ON,
  OFF;

  /** YAML reads a bare {@code on} or {@code off} as a truth value. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Isolate of(Object value) {
    if (value instanceof Boolean on) {
      return on ? ON : OFF;
    }
    for (Isolate known : values()) {
      if (known.name().equals(String.valueOf(value).toUpperCase(Locale.ROOT))) {
        return known;
      }
    }
    throw new IllegalArgumentException("must be auto, on or off, not '" + value + "'");
  }
}

package io.trimtab.lab.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Locale;

/** Whether each node of a lab runs in its own control group. */
public enum Isolate {
  /** If the machine supports it. */
  AUTO,
  /** Required: without it the lab does not start. */
  ON,
  OFF;

  /** YAML parses a bare {@code on} or {@code off} as a boolean. */
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

package io.trimtab.controller.guard;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/** A daily window in UTC, {@code from} included and {@code to} not; it may span midnight. */
public record Blackout(LocalTime from, LocalTime to) {

  public static Blackout parse(String text) {
    String[] parts = text.split("-", -1);
    try {
      if (parts.length == 2) {
        return new Blackout(LocalTime.parse(parts[0].strip()), LocalTime.parse(parts[1].strip()));
      }
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(wrong(text), e);
    }
    throw new IllegalArgumentException(wrong(text));
  }

  private static String wrong(String text) {
    return "guard.blackouts must be HH:MM-HH:MM in UTC, not '" + text + "'";
  }

  public boolean covers(Instant now) {
    LocalTime time = now.atZone(ZoneOffset.UTC).toLocalTime();
    return from.isBefore(to)
        ? !time.isBefore(from) && time.isBefore(to)
        : !time.isBefore(from) || time.isBefore(to);
  }
}

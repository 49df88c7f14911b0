package io.trimtab.controller.pace;

import io.trimtab.controller.observe.ServedTimes;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What users notice of a plan by their requests' times, on the same scale as the number of their
 * requests: 1 where they are no slower than a plan may make them.
 *
 * @param level in [0, 1]
 * @param told what it is, as a sentence
 */
public record TimesLevel(double level, String told) {
  /** Nobody notices that 1 ms has become 3 ms, and such times vary by themselves. */
  private static final double NOTICED_MS = 10;

  /** Of a hundred requests one that fails, and did not before, is as bad as no service. */
  private static final double REFUSED_WEIGHT = 100;

  /**
   * The worst of what is known both before the plan and now; empty if nothing is.
   *
   * @param slowAbove how many times longer requests may take, ≥ 1
   */
  public static Optional<TimesLevel> of(ServedTimes before, ServedTimes now, double slowAbove) {
    return Stream.of(
            slower(
                "the 99th percentile of response times is", before.p99Ms(), now.p99Ms(), slowAbove),
            slower("clients wait", before.clientsMs(), now.clientsMs(), slowAbove),
            refused(before.refused(), now.refused()))
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(TimesLevel::level));
  }

  private static Optional<TimesLevel> slower(
      String what, double beforeMs, double nowMs, double slowAbove) {
    if (Double.isNaN(beforeMs) || Double.isNaN(nowMs)) {
      return Optional.empty();
    }
    double allowed = slowAbove * Math.max(NOTICED_MS, beforeMs);
    return Optional.of(
        new TimesLevel(
            nowMs <= allowed ? 1 : allowed / nowMs,
            String.format(
                Locale.ROOT,
                "%s %.1f ms, before the plan at most %.1f ms",
                what,
                nowMs,
                beforeMs)));
  }

  private static Optional<TimesLevel> refused(double before, double now) {
    if (Double.isNaN(before) || Double.isNaN(now)) {
      return Optional.empty();
    }
    return Optional.of(
        new TimesLevel(
            Math.max(0, 1 - REFUSED_WEIGHT * Math.max(0, now - before)),
            String.format(
                Locale.ROOT,
                "%.2f %% of the requests are refused, dropped or time out, before the plan %.2f %%",
                100 * now,
                100 * before)));
  }
}

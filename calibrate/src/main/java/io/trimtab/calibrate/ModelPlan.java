package io.trimtab.calibrate;

import java.time.Duration;
import java.util.List;

/**
 * What is measured.
 *
 * @param hitRatios in (0, 1], from the highest
 * @param levels of usage, in (0, 1)
 * @param workIn with each kind of request, before anything is measured
 * @param fill before a hit ratio's first measurement, without limits
 * @param ramp before each measurement
 * @param tolerance how near to a level a measurement is near enough, in usage; between two
 *     measurements lies a line anyway
 */
public record ModelPlan(
    List<Double> hitRatios,
    List<Double> levels,
    double tolerance,
    Duration workIn,
    Duration fill,
    Duration ramp,
    Duration measure,
    boolean scans,
    boolean updates) {
  private static final Duration WORK_IN = Duration.ofSeconds(25);

  /** The thesis's points. */
  static ModelPlan full() {
    return new ModelPlan(
        List.of(1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.25, 0.15),
        List.of(0.05, 0.2, 0.4, 0.6, 0.8),
        0.01,
        WORK_IN,
        Duration.ofSeconds(20),
        Duration.ofSeconds(6),
        Duration.ofSeconds(20),
        true,
        true);
  }

  /** Half an hour. Between no misses and a few the throughput falls most, hence 0.93. */
  public static ModelPlan quick() {
    return new ModelPlan(
        List.of(1.0, 0.93, 0.85, 0.65, 0.45),
        List.of(0.2, 0.4, 0.6, 0.8),
        0.04,
        WORK_IN,
        Duration.ofSeconds(12),
        Duration.ofSeconds(5),
        Duration.ofSeconds(20),
        true,
        true);
  }

  /** The usual one. */
  static ModelPlan of(boolean quick) {
    return quick ? quick() : full();
  }

  /** Without what scans cost. */
  public ModelPlan withoutScans() {
    return new ModelPlan(hitRatios, levels, tolerance, workIn, fill, ramp, measure, false, updates);
  }

  public ModelPlan with(List<Double> otherHitRatios, List<Double> otherLevels) {
    return new ModelPlan(
        otherHitRatios.isEmpty() ? hitRatios : otherHitRatios,
        otherLevels.isEmpty() ? levels : otherLevels,
        tolerance,
        workIn,
        fill,
        ramp,
        measure,
        scans,
        updates);
  }

  double smallest() {
    return hitRatios.stream().mapToDouble(Double::doubleValue).min().orElse(1);
  }
}

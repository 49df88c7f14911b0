package io.trimtab.simulator.days;

import java.util.List;
import java.util.Map;

/**
 * What a policy made of a {@link ClosedBed}.
 *
 * @param phases one for each load; in the first one nobody acts
 * @param afterFirstPlan operations a second by table from the end of the first plan until the next
 *     one, or the end of the second phase; empty where no plan has ended by then
 */
public record PhasedResult(List<Phase> phases, Map<String, Double> afterFirstPlan) {
  /**
   * One load.
   *
   * @param perSecond operations a second by table, over the time at its end that counts
   * @param plans that were begun
   * @param moves of partitions
   * @param others actions other than moves, such as another profile
   */
  public record Phase(
      String title, Map<String, Double> perSecond, int plans, int moves, int others) {}

  public PhasedResult {
    phases = List.copyOf(phases);
    afterFirstPlan = Map.copyOf(afterFirstPlan);
  }

  /** Geometric mean over tables. */
  public static double level(Map<String, Double> perSecond) {
    return Math.exp(
        perSecond.values().stream()
            .mapToDouble(rate -> Math.log(Math.max(1e-3, rate)))
            .average()
            .orElse(0));
  }
}

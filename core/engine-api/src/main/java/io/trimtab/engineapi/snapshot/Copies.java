package io.trimtab.engineapi.snapshot;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often users' data are kept. Two questions need different numbers: whether data survive
 * without a node is about the data with the fewest copies, how many nodes must stay is about those
 * with the most.
 *
 * @param least the fewest copies that any data have in a data centre that keeps them, ≥ 1: whether
 *     something is left there without one node
 * @param fewestNodes nodes without which the data with the most copies can't be kept, in all data
 *     centres together, ≥ 1
 * @param byDataCentre the same for each data centre by name; empty if the engine knows none
 */
public record Copies(int least, int fewestNodes, SortedMap<String, Range> byDataCentre) {

  /**
   * Copies within a data centre.
   *
   * @param least of the data with the fewest among those that are kept there
   * @param most of the data with the most
   */
  public record Range(int least, int most) {
    /** Of these data and others. */
    public Range with(Range other) {
      return new Range(Math.min(least, other.least), Math.max(most, other.most));
    }
  }

  public Copies {
    byDataCentre =
        byDataCentre == null
            ? Collections.emptySortedMap()
            : Collections.unmodifiableSortedMap(new TreeMap<>(byDataCentre));
  }

  /** All data equally often, wherever. */
  public static Copies alike(int copies) {
    return new Copies(copies, copies, Collections.emptySortedMap());
  }

  /** Nodes that a data centre must keep; 0 if nothing is known of it. */
  public int fewestNodes(String dataCentre) {
    Range there = byDataCentre.get(dataCentre);
    return there == null ? 0 : there.most();
  }
}

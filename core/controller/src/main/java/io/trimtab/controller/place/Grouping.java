package io.trimtab.controller.place;

import io.trimtab.engineapi.AccessClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How many nodes each class gets (Cruz 2016, §3.2.2, Stage C). The thesis leaves the rounding open:
 * here largest remainder, and at least one node for every class that has partitions. With fewer
 * nodes than classes those whose profiles are closest share nodes.
 *
 * @param nodes by the class whose profile the nodes get
 * @param host for every class with partitions, the class whose nodes hold it
 */
public record Grouping(Map<AccessClass, Integer> nodes, Map<AccessClass, AccessClass> host) {
  /** What shares a node first when nodes are short: the second joins the first. */
  private static final List<List<AccessClass>> MERGES =
      List.of(
          List.of(AccessClass.READ, AccessClass.SCAN),
          List.of(AccessClass.READ_WRITE, AccessClass.WRITE),
          List.of(AccessClass.READ_WRITE, AccessClass.READ),
          List.of(AccessClass.READ_WRITE, AccessClass.SCAN));

  /**
   * Groups nodes.
   *
   * @param weights share of each class, ≥ 0, in any unit; classes without partitions are absent
   * @param nodes ≥ 1
   */
  public static Grouping of(Map<AccessClass, Double> weights, int nodes) {
    if (nodes < 1) {
      throw new IllegalArgumentException("grouping needs a node");
    }
    Map<AccessClass, Double> left = new EnumMap<>(AccessClass.class);
    Map<AccessClass, AccessClass> host = new EnumMap<>(AccessClass.class);
    weights.forEach(
        (c, w) -> {
          left.put(c, w);
          host.put(c, c);
        });
    for (List<AccessClass> merge : MERGES) {
      if (left.size() <= nodes) {
        break;
      }
      merge(left, host, merge.get(0), merge.get(1));
    }
    return new Grouping(apportion(left, nodes), host);
  }

  private static void merge(
      Map<AccessClass, Double> left,
      Map<AccessClass, AccessClass> host,
      AccessClass into,
      AccessClass from) {
    if (!left.containsKey(from)) {
      return;
    }
    if (!left.containsKey(into) && into != AccessClass.READ_WRITE) {
      return;
    }
    left.merge(into, left.remove(from), Double::sum);
    host.replaceAll((c, h) -> h == from ? into : h);
  }

  private static Map<AccessClass, Integer> apportion(Map<AccessClass, Double> weights, int nodes) {
    Map<AccessClass, Integer> result = new EnumMap<>(AccessClass.class);
    double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<AccessClass, Double> quota = new EnumMap<>(AccessClass.class);
    weights.forEach(
        (c, w) -> {
          double q = sum > 0 ? w / sum * nodes : (double) nodes / weights.size();
          quota.put(c, q);
          result.put(c, Math.max(1, (int) Math.floor(q)));
        });
    List<AccessClass> order = new ArrayList<>(weights.keySet());
    // What a class still lacks, largest first; the class's own order breaks ties.
    Comparator<AccessClass> lack = Comparator.comparingDouble(c -> result.get(c) - quota.get(c));
    while (result.values().stream().mapToInt(Integer::intValue).sum() < nodes && !order.isEmpty()) {
      order.stream().min(lack).ifPresent(c -> result.merge(c, 1, Integer::sum));
    }
    while (result.values().stream().mapToInt(Integer::intValue).sum() > nodes) {
      order.stream()
          .filter(c -> result.get(c) > 1)
          .max(lack)
          .ifPresent(c -> result.merge(c, -1, Integer::sum));
    }
    return result;
  }
}

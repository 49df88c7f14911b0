package io.trimtab.models;

import io.trimtab.models.ProvisioningTable.Estimate;
import io.trimtab.models.ProvisioningTable.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * How many nodes of which type an objective needs, from measured provisioning tables: the fewest
 * that meet all of it, of the type for which these cost least (Chalkiadaki 2013, ch. 3 and §5.3).
 * Pure.
 */
public final class Provisioner {
  private Provisioner() {}

  /**
   * What is asked for.
   *
   * @param workload as the table names it
   * @param clients that ask at the same time, ≥ 1
   * @param responseTimeMs the mean is to be no more; NaN where that does not matter
   * @param p95Ms the 95th percentile is to be no more; NaN where that does not matter
   * @param p99Ms the 99th percentile is to be no more; NaN where that does not matter
   * @param throughputMBps at least, of all clients together; NaN where that does not matter
   * @param maxNodes no more than these, ≥ 1
   */
  public record Objective(
      String workload,
      int clients,
      double responseTimeMs,
      double p95Ms,
      double p99Ms,
      double throughputMBps,
      int maxNodes) {
    public Objective {
      if (Double.isNaN(responseTimeMs)
          && Double.isNaN(p95Ms)
          && Double.isNaN(p99Ms)
          && Double.isNaN(throughputMBps)) {
        throw new IllegalArgumentException(
            "an objective needs a response time, a percentile of it or a throughput");
      }
    }
  }

  /**
   * A cluster that may do.
   *
   * @param hourly what its nodes cost together an hour; NaN without prices
   * @param misses what it would miss, a clause each; empty where it meets the objective
   */
  public record Choice(
      String nodeType, int nodes, Estimate estimate, double hourly, List<String> misses) {
    public Choice {
      misses = List.copyOf(misses);
    }

    public boolean meets() {
      return misses.isEmpty();
    }
  }

  /**
   * The answer.
   *
   * @param chosen empty where nothing that was measured meets the objective
   * @param fewer the same type with the next fewer nodes, which show what is saved too much
   * @param more the same type with the next more nodes, which show what more would bring
   * @param best where nothing is chosen: what comes nearest, the largest that is allowed
   */
  public record Answer(
      Optional<Choice> chosen,
      Optional<Choice> fewer,
      Optional<Choice> more,
      Optional<Choice> best) {}

  /**
   * @param prices of a node an hour, by type; types without one count as dear as any, where any
   *     type has one, and by their number of nodes alone where none has
   * @throws IllegalArgumentException where the table lacks the workload
   */
  public static Answer plan(
      ProvisioningTable table, Objective objective, Map<String, Double> prices) {
    return plan(table, objective, prices, type -> objective.maxNodes());
  }

  /**
   * The same where only so many nodes of a type are to be had.
   *
   * @param most by type
   */
  public static Answer plan(
      ProvisioningTable table,
      Objective objective,
      Map<String, Double> prices,
      ToIntFunction<String> most) {
    if (!table.workloads().contains(objective.workload())) {
      throw new IllegalArgumentException(
          "workload %s was not measured; there are %s"
              .formatted(objective.workload(), String.join(", ", table.workloads())));
    }
    List<List<Choice>> types = new ArrayList<>();
    for (String type : table.nodeTypes(objective.workload())) {
      int here = Math.min(objective.maxNodes(), most.applyAsInt(type));
      types.add(choices(table, objective, type, here, prices));
    }
    Optional<Choice> chosen =
        types.stream()
            .flatMap(all -> all.stream().filter(Choice::meets).findFirst().stream())
            .min(cheapest());
    if (chosen.isEmpty()) {
      return new Answer(
          chosen,
          Optional.empty(),
          Optional.empty(),
          types.stream()
              .filter(all -> !all.isEmpty())
              .map(all -> all.get(all.size() - 1))
              .min(
                  Comparator.comparingInt((Choice c) -> c.misses().size())
                      .thenComparing(c -> c.estimate().responseTimeMs().value())));
    }
    List<Choice> same =
        types.stream().filter(all -> all.contains(chosen.get())).findFirst().orElseThrow();
    int at = same.indexOf(chosen.get());
    return new Answer(
        chosen,
        at == 0 ? Optional.empty() : Optional.of(same.get(at - 1)),
        at == same.size() - 1 ? Optional.empty() : Optional.of(same.get(at + 1)),
        Optional.empty());
  }

  private static Comparator<Choice> cheapest() {
    return Comparator.comparingDouble(
            (Choice c) -> Double.isNaN(c.hourly()) ? Double.POSITIVE_INFINITY : c.hourly())
        .thenComparingInt(Choice::nodes)
        .thenComparing(Choice::nodeType);
  }

  /** Of one type, by the number of nodes. */
  private static List<Choice> choices(
      ProvisioningTable table,
      Objective objective,
      String type,
      int most,
      Map<String, Double> prices) {
    return table.nodes(objective.workload(), type).stream()
        .filter(nodes -> nodes <= most)
        .map(
            nodes -> {
              Estimate estimate = table.at(objective.workload(), type, objective.clients(), nodes);
              return new Choice(
                  type,
                  nodes,
                  estimate,
                  nodes * prices.getOrDefault(type, Double.NaN),
                  misses(objective, estimate));
            })
        .toList();
  }

  /** What an estimate would miss of an objective, a clause each; empty where it meets it. */
  public static List<String> misses(Objective objective, Estimate estimate) {
    List<String> misses = new ArrayList<>();
    atMost("response time", "ms", estimate.responseTimeMs(), objective.responseTimeMs(), misses);
    atMost("95th percentile", "ms", estimate.p95Ms(), objective.p95Ms(), misses);
    atMost("99th percentile", "ms", estimate.p99Ms(), objective.p99Ms(), misses);
    double wanted = objective.throughputMBps();
    double has = estimate.throughputMBps().value();
    if (has < wanted) {
      misses.add(String.format(Locale.ROOT, "throughput %.1f MB/s < %.1f", has, wanted));
    }
    return misses;
  }

  private static void atMost(
      String what, String unit, Value value, double limit, List<String> misses) {
    if (Double.isNaN(limit)) {
      return;
    }
    if (Double.isNaN(value.value())) {
      misses.add(what + " was not measured");
    } else if (value.value() > limit) {
      misses.add(String.format(Locale.ROOT, "%s %.1f %s > %.1f", what, value.value(), unit, limit));
    }
  }
}

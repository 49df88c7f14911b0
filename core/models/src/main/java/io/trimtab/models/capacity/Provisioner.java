package io.trimtab.models.capacity;

import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * How many nodes of which type an objective needs, from measured provisioning tables: the fewest
 * that meet all of it, of the type for which these cost least (Chalkiadaki 2013, ch. 3 and §5.3).
 * Pure.
 */
public final class Provisioner {
  private Provisioner() {}

  /**
   * A candidate cluster.
   *
   * @param hourly price of all its nodes per hour; NaN without prices
   * @param misses targets that it misses, one clause each; empty if it meets the objective
   */
  public record Choice(
      String nodeType, int nodes, ServiceEstimate estimate, double hourly, List<String> misses) {
    public Choice {
      misses = List.copyOf(misses);
    }

    public boolean meets() {
      return misses.isEmpty();
    }
  }

  /**
   * The result of planning.
   *
   * @param chosen empty if no measured cluster meets the objective
   * @param fewer the same type with the next smaller number of nodes, for comparison
   * @param more the same type with the next larger number of nodes, for comparison
   * @param best if nothing is chosen: the closest candidate, the largest that is allowed
   */
  public record Answer(
      Optional<Choice> chosen,
      Optional<Choice> fewer,
      Optional<Choice> more,
      Optional<Choice> best) {}

  /**
   * @param prices price per node-hour by type; if only some types have one, the others count as the
   *     most expensive; if none has, the number of nodes decides
   * @throws IllegalArgumentException if the table lacks the workload
   */
  public static Answer plan(
      ProvisioningTable table, Objective objective, Map<String, Double> prices) {
    return plan(table, objective, prices, type -> objective.maxNodes());
  }

  /**
   * The same with a limited number of available nodes per type.
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
          "workload %s was not measured; measured: %s"
              .formatted(objective.workload(), String.join(", ", table.workloads())));
    }
    List<List<Choice>> types = new ArrayList<>();
    for (String type : table.nodeTypes(objective.workload())) {
      int here = Math.min(objective.maxNodes(), most.applyAsInt(type));
      types.add(choices(table, objective, type, here, prices).toList());
    }
    Optional<Choice> chosen =
        types.stream().flatMap(all -> fewest(all.stream()).stream()).min(cheapest());
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

  /**
   * The fewest nodes of one type that meet an objective, of those that were measured; prices do not
   * matter. {@link #plan} chooses by the same among types.
   *
   * @param nodesMax no more than these; {@code objective.maxNodes} is not looked at
   * @return empty where no number of nodes meets it
   */
  public static Optional<Choice> fewest(
      ProvisioningTable table, Objective objective, String nodeType, int nodesMax) {
    return fewest(choices(table, objective, nodeType, nodesMax, Map.of()));
  }

  /**
   * The same number, and which it would be at the ends of the table's intervals. Where the clients
   * are outside of the measured range it may be any number more.
   *
   * @return empty where no number of nodes that was measured meets the objective
   */
  public static Optional<NodesNeeded> needed(
      ProvisioningTable table, Objective objective, String nodeType) {
    List<Choice> all = choices(table, objective, nodeType, Integer.MAX_VALUE, Map.of()).toList();
    return fewest(all.stream())
        .map(
            choice -> {
              boolean measured = choice.estimate().extrapolated().isEmpty();
              return new NodesNeeded(
                  choice.nodes(),
                  first(all, objective, ServiceEstimate::atBest).orElse(choice.nodes()),
                  measured
                      ? first(all, objective, ServiceEstimate::atWorst).orElse(NodesNeeded.UNKNOWN)
                      : NodesNeeded.UNKNOWN);
            });
  }

  /** The fewest nodes that meet the objective at an end of the intervals. */
  private static OptionalInt first(
      List<Choice> byNodes, Objective objective, UnaryOperator<ServiceEstimate> end) {
    return byNodes.stream()
        .filter(choice -> objective.misses(end.apply(choice.estimate())).isEmpty())
        .mapToInt(Choice::nodes)
        .findFirst();
  }

  private static Optional<Choice> fewest(Stream<Choice> byNodes) {
    return byNodes.filter(Choice::meets).findFirst();
  }

  private static Comparator<Choice> cheapest() {
    return Comparator.comparingDouble(
            (Choice c) -> Double.isNaN(c.hourly()) ? Double.POSITIVE_INFINITY : c.hourly())
        .thenComparingInt(Choice::nodes)
        .thenComparing(Choice::nodeType);
  }

  /** Of one type, by the number of nodes. */
  private static Stream<Choice> choices(
      ProvisioningTable table,
      Objective objective,
      String type,
      int most,
      Map<String, Double> prices) {
    return table.nodes(objective.workload(), type).stream()
        .filter(nodes -> nodes <= most)
        .map(
            nodes -> {
              ServiceEstimate estimate =
                  table.at(objective.workload(), type, objective.clients(), nodes);
              return new Choice(
                  type,
                  nodes,
                  estimate,
                  nodes * prices.getOrDefault(type, Double.NaN),
                  objective.misses(estimate));
            });
  }
}

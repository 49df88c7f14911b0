package io.trimtab.controller.choice.predict;

import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.NodeId;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What requests seem to cost on nodes that use more than they will, as their caches are cold. */
public final class ColdCosts {
  private ColdCosts() {}

  /**
   * Bounds how much more than predicted requests cost on nodes that are cold: no more than on the
   * median of those that are warm, where they cost more than predicted, too. What a cold node uses
   * beyond that ends by itself, also where it is used too much meanwhile. Less than predicted is
   * believed: nothing makes requests cheaper while a cache is cold.
   *
   * @param factors by node, what its requests cost relative to the prediction
   */
  public static void bound(double[] factors, IntPredicate cold) {
    double[] warm =
        IntStream.range(0, factors.length)
            .filter(cold.negate())
            .mapToDouble(n -> factors[n])
            .sorted()
            .toArray();
    double most = warm.length == 0 ? 1 : Math.max(1, warm[warm.length / 2]);
    for (int n = 0; n < factors.length; n++) {
      factors[n] = cold.test(n) ? Math.min(factors[n], most) : factors[n];
    }
  }

  /**
   * Which nodes are used too much and not counted with all of that, to end a text; empty if none.
   *
   * @param high usage above which a node is used too much
   */
  public static String told(UsageBasis basis, Observation.Usable seen, double high) {
    List<NodeId> over =
        seen.cold().stream()
            .filter(node -> seen.usage().getOrDefault(node, 0.0) > high)
            .sorted()
            .toList();
    return over.isEmpty() || basis instanceof UsageBasis.Requests
        ? ""
        : over.stream()
            .map(NodeId::toString)
            .collect(
                Collectors.joining(
                    ", ", "; what requests cost more while caches fill is not counted on ", ""));
  }
}

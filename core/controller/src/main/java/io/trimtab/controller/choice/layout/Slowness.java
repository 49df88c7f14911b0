package io.trimtab.controller.choice.layout;

import io.trimtab.controller.health.LateNodes;
import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** How slow nodes are, by index; no node that a plan adds is. */
public final class Slowness {
  /** Of the requests of a node whose 99th percentile is high, those that are late (ours). */
  private static final double LATE = 0.5;

  /** Above this multiple of what others' requests cost, a node's are late for what they are. */
  private static final double DEARER = 1.5;

  private final double[] lost;
  private final double[] excess;

  /** None of nodes that are slow by what was moved to them. */
  Slowness(DecisionContext context, List<NodeState> nodes) {
    lost = new double[nodes.size()];
    excess = new double[lost.length];
    Arrays.fill(excess, 1);
    Map<NodeId, SlowPeer> late = new HashMap<>();
    late(context).forEach(slow -> late.put(slow.node(), slow));
    for (int n = 0; n < lost.length && !late.isEmpty(); n++) {
      SlowPeer slow = late.get(nodes.get(n).id());
      lost[n] = slow == null ? 0 : lost(slow, context.horizon());
    }
  }

  /** Nodes that answer late, but for those that do so by what was moved to them. */
  public static List<SlowPeer> late(DecisionContext context) {
    return LateNodes.byThemselves(
        context.seen(), context.state().leftLately(context.seen().snapshot().takenAt()));
  }

  /**
   * Of those that are late, as much as they take longer than the peers'. What has been slow for a
   * while is expected to stay so for as long again, so that a short disturbance is no reason to
   * move anything.
   */
  private static double lost(SlowPeer slow, Duration horizon) {
    double ahead = Math.min(1, (double) slow.lasted().toMillis() / horizon.toMillis());
    return LATE * (1 - 1 / slow.answers()) * ahead;
  }

  /**
   * Nodes whose requests cost more than the others' are late for that, which would go along with
   * them: they are not slow.
   *
   * @param each what a request on a node should cost; NaN for one that has none
   */
  void forgive(IntToDoubleFunction each) {
    if (Arrays.stream(lost).allMatch(share -> share == 0)) {
      return;
    }
    double[] costs = IntStream.range(0, lost.length).mapToDouble(each).toArray();
    for (int n = 0; n < lost.length; n++) {
      if (lost[n] == 0) {
        continue;
      }
      int node = n;
      double[] others =
          IntStream.range(0, costs.length)
              .filter(other -> other != node && !Double.isNaN(costs[other]))
              .mapToDouble(other -> costs[other])
              .sorted()
              .toArray();
      if (others.length > 0 && costs[n] > DEARER * others[others.length / 2]) {
        lost[n] = 0;
      }
    }
  }

  /**
   * What a slow node uses more than others do for the same does not go along with partitions.
   *
   * @param factors by node, what its requests cost relative to what they should
   */
  void leaveBehind(double[] factors) {
    double[] others =
        IntStream.range(0, factors.length)
            .filter(n -> lost[n] == 0)
            .mapToDouble(n -> factors[n])
            .sorted()
            .toArray();
    for (int n = 0; n < factors.length && others.length > 0; n++) {
      double usual = others[others.length / 2];
      if (lost[n] > 0 && factors[n] > usual) {
        excess[n] = factors[n] / usual;
        factors[n] = usual;
      }
    }
  }

  /** Share of a node's requests that counts as lost over the horizon as it answers late. */
  double lost(int node) {
    return node < lost.length ? lost[node] : 0;
  }

  /** How many times as much as others a node uses for the same. */
  double excess(int node) {
    return node < excess.length ? excess[node] : 1;
  }
}

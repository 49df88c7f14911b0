package io.trimtab.controller.health;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is assumed of a node that is used so much that it does not tell how much it is asked for:
 * after each plan that left it so, more.
 */
public final class Saturation {
  private static final double SATURATED = 0.97;

  /** What is asked for, as a multiple of what was assumed before. */
  private static final double MORE = 1.2;

  /** Plans in a row that are counted. */
  public static final int PLANS_MAX = 3;

  private Saturation() {}

  /** Those of some nodes whose usage does not tell how much they are asked for. */
  public static Set<NodeId> full(Map<NodeId, Double> usage, List<NodeState> nodes) {
    return nodes.stream()
        .map(NodeState::id)
        .filter(id -> isReached(usage.get(id)))
        .collect(Collectors.toSet());
  }

  /** Whether usage does not tell how much is asked for. */
  public static boolean isReached(double usage) {
    return usage >= SATURATED;
  }

  /**
   * What a saturated node is asked for, as a multiple of what it serves.
   *
   * @param plans in a row that have left this node so, ≥ 0: before the first what is observed is
   *     assumed
   */
  public static double asked(int plans) {
    return Math.pow(MORE, Math.min(PLANS_MAX, plans));
  }

  /** Plans in a row, with one more that was made while a node was saturated. */
  public static int next(int plans) {
    return Math.min(PLANS_MAX, plans + 1);
  }
}

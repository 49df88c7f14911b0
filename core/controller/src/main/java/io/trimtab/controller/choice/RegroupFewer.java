package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.NodeId;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Groups all partitions anew on one node fewer, as long as all stay below the target: nodes that
 * are configured for what they serve may suffice where the same load does not fit on fewer nodes as
 * it is placed now.
 */
final class RegroupFewer implements Generator {
  private final FewerNodes fewer;
  private final int least;

  /**
   * @param least nodes that there must be
   * @param leaves of nodes, the one that is given up first
   */
  RegroupFewer(int least, Function<List<NodeId>, NodeId> leaves) {
    this.fewer = new FewerNodes(least, leaves);
    this.least = least;
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    int nodes = now.size() - 1;
    Layout layout = now.copy();
    if (nodes < least
        || isOfOneClass(now.load().partitions())
        || now.load().partitions().size() > now.load().settings().guard().maxMoves()
        || FewerNodes.evenly(now, nodes) > evaluator.target()
        || !fewer.leave(layout)) {
      return List.of();
    }
    Budget budget = evaluator.budget();
    String kept = Regroup.group(layout, evaluator.limits());
    new Relief(evaluator, budget, EnumSet.of(Relief.Kind.MOVE)).improve(layout);
    return FewerNodes.hasNewlyOver(now, layout, evaluator)
            || !evaluator.limits().allow(LayoutWork.of(layout))
        ? List.of()
        : List.of(new Candidate("regroup all partitions on one node fewer" + kept, layout));
  }

  /** Then there is nothing to group. */
  private static boolean isOfOneClass(Partitions partitions) {
    return IntStream.range(0, partitions.size())
            .filter(p -> partitions.load(p) > 0)
            .mapToObj(partitions::accessClass)
            .distinct()
            .count()
        < 2;
  }
}

package io.trimtab.controller.choice;

import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.choice.predict.Budget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Amends candidates by which a table would be served much less than now: what came to the node
 * where it loses most goes back, or its own partitions go elsewhere, one by one, as long as that
 * costs less in all, the table's loss included.
 */
final class Spared {
  /** Of whatever came, and of the table's own, that could go. */
  private static final int EACH = 4;

  /** Layouts that are tried for all candidates together; each takes as long as to weigh one. */
  private static final int TRIES = 64;

  private final Layout now;
  private final ClusterLoad load;
  private final Evaluator evaluator;
  private final Budget budget = new Budget(TRIES);

  Spared(Layout now, Evaluator evaluator) {
    this.now = now;
    this.load = now.load();
    this.evaluator = evaluator;
  }

  /** Those that could be amended, as they are then. */
  List<Candidate> of(List<Candidate> candidates) {
    List<Candidate> found = new ArrayList<>();
    for (Candidate candidate : candidates) {
      OptionalInt loser = evaluator.loser(candidate.layout());
      if (loser.isPresent()) {
        Layout amended = amended(candidate.layout());
        if (amended != candidate.layout()) {
          String title = candidate.title() + ", sparing " + load.tables().name(loser.getAsInt());
          found.add(new Candidate(title, amended));
        }
      }
    }
    return found;
  }

  private Layout amended(Layout layout) {
    Layout best = layout;
    double least = evaluator.cost(layout).sum();
    boolean isTooMuch = !evaluator.limits().allow(LayoutWork.of(layout));
    boolean better = true;
    while (better) {
      better = false;
      OptionalInt loser = evaluator.loser(best);
      for (Step step : loser.isEmpty() ? List.<Step>of() : steps(best, loser.getAsInt())) {
        if (!budget.take(1)) {
          return best;
        }
        Layout tried = best.copy();
        tried.move(step.item(), step.to());
        double cost = evaluator.cost(tried).sum();
        // What comes back may fill a cache, so that more has to be compacted.
        if (cost < least && (evaluator.limits().allow(LayoutWork.of(tried)) || isTooMuch)) {
          best = tried;
          least = cost;
          better = true;
          break;
        }
      }
    }
    return best;
  }

  /** A partition that goes to another node. */
  private record Step(int item, int to) {}

  /** What could be done for a table, what is likely to help most first. */
  private List<Step> steps(Layout layout, int table) {
    List<Step> steps = new ArrayList<>();
    OptionalInt where = losesMost(layout, table);
    if (where.isEmpty()) {
      return steps;
    }
    int node = where.getAsInt();
    List<Integer> there = layout.on(node).boxed().filter(item -> mayGo(layout, item)).toList();
    there.stream()
        .filter(item -> now.nodeOf(item) != node && comesFromThere(layout, item))
        .sorted(Comparator.comparingDouble(item -> -layout.demand(item).corrected()))
        .limit(EACH)
        .forEach(item -> steps.add(new Step(item, now.nodeOf(item))));
    boolean more = layout.size() > 1 && evaluator.limits().room(layout).moves() > 0;
    there.stream()
        .filter(item -> load.partitions().table(item) == table)
        .sorted(Comparator.comparingDouble(item -> -layout.worth(item)))
        .limit(more ? EACH : 0)
        .forEach(item -> steps.add(new Step(item, Relief.leastFelt(layout, item, node))));
    return steps;
  }

  /** Halves go with their split, and what is rewritten is so where it is. */
  private boolean mayGo(Layout layout, int item) {
    return layout.half(item).isEmpty() && !layout.isCompacted(item) && !load.stays(item);
  }

  private boolean comesFromThere(Layout layout, int item) {
    return now.nodeOf(item) >= 0 && layout.isPresent(now.nodeOf(item));
  }

  /** The node on which most of what a table loses is lost; empty where nothing is. */
  private OptionalInt losesMost(Layout layout, int table) {
    double[] lost = new double[layout.nodes()];
    for (int item = 0; item < layout.items(); item++) {
      int node = layout.nodeOf(item);
      if (node >= 0 && load.partitions().table(layout.partition(item)) == table) {
        lost[node] += layout.worth(item) * evaluator.lostOn(layout, node);
      }
    }
    return layout
        .present()
        .filter(n -> lost[n] > 0)
        .boxed()
        .max(Comparator.comparingDouble(n -> lost[n]))
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }
}

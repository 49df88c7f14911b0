package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.choice.layout.StepWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Splits what is asked for most on nodes that are used too much, also where its half is too much
 * for any other node as it is: that one's own partitions make room for it. Steps that must pay one
 * by one ({@link SmallSteps}) do not find that.
 */
final class SplitFirst implements Generator {
  private static final int NODES = 3;

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    PlanWork all = evaluator.limits().all();
    int most = Math.min(NODES, Math.min(all.splits(), all.moves()));
    List<Integer> full =
        now.present()
            .filter(n -> evaluator.isOver(now, n) && largest(now, n).isPresent())
            .boxed()
            .sorted(Comparator.comparingDouble(n -> -now.usage(n)))
            .limit(most)
            .toList();
    Budget budget = evaluator.budget();
    Layout split = now.copy();
    for (int node : full) {
      if (split(split, node, evaluator.limits().room(split))) {
        Layout layout = split.copy();
        new Relief(evaluator, budget, EnumSet.allOf(Relief.Kind.class)).improve(layout);
        found.add(new Candidate(SmallSteps.title(layout), layout));
      }
    }
    return found;
  }

  /** The largest partition of a node that can be split. */
  private static Optional<Integer> largest(Layout layout, int node) {
    return layout
        .on(node)
        .boxed()
        .filter(item -> layout.half(item).isEmpty() && layout.load().at(item) == node)
        .filter(item -> layout.load().splitsAt(item).isPresent() && !layout.load().stays(item))
        .max(Comparator.comparingDouble(item -> layout.demand(item).corrected()));
  }

  /** Splits it, and gives its half to the least used node. */
  private static boolean split(Layout layout, int node, PlanWork room) {
    Optional<Integer> largest = largest(layout, node);
    Optional<Integer> other =
        layout
            .present()
            .filter(n -> n != node)
            .boxed()
            .min(
                Comparator.comparing((Integer n) -> layout.load().isSlow(n))
                    .thenComparing(layout::usage));
    if (largest.isEmpty() || other.isEmpty() || !StepWork.split(layout, largest.get()).fits(room)) {
      return false;
    }
    SplitHint hint = layout.load().splitsAt(largest.get()).orElseThrow();
    layout.split(largest.get(), hint.key(), hint.leftShare(), other.get());
    return true;
  }
}

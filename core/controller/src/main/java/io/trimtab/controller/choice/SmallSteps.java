package io.trimtab.controller.choice;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Keeps the nodes: moves, splits and profiles, alone and together. */
final class SmallSteps implements Generator {
  private static final List<Set<Relief.Kind>> KITS =
      List.of(
          EnumSet.of(Relief.Kind.MOVE),
          EnumSet.of(Relief.Kind.SPLIT),
          EnumSet.of(Relief.Kind.PROFILE),
          EnumSet.allOf(Relief.Kind.class));

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    List<Cost> costs = new ArrayList<>();
    for (Set<Relief.Kind> kinds : KITS) {
      Layout layout = now.copy();
      if (new Relief(evaluator, evaluator.budget(), kinds).improve(layout) > 0) {
        Cost cost = evaluator.cost(layout);
        // All kinds together are often but one of them.
        if (!costs.contains(cost)) {
          costs.add(cost);
          found.add(new Candidate(title(layout), layout));
        }
      }
    }
    return found;
  }

  /** By what it changes, not by what it might have changed. */
  private static String title(Layout layout) {
    List<String> what = new ArrayList<>();
    if (layout.moved().anyMatch(item -> layout.half(item).isEmpty())) {
      what.add("move partitions");
    }
    if (!layout.halves().isEmpty()) {
      what.add("split partitions");
    }
    if (layout.hasOtherProfiles()) {
      what.add("change profiles");
    }
    return String.join(", ", what);
  }
}

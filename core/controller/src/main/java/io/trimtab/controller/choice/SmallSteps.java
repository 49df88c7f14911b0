package io.trimtab.controller.choice;

import io.trimtab.controller.choice.Evaluator.Cost;
import io.trimtab.controller.choice.layout.Layout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps the nodes: moves, splits and profiles, alone and together. */
final class SmallSteps implements Generator {
  /**
   * Steps of some kinds until they suffice, or none pays any more; then of others. Profiles before
   * moves, too: of all kinds together those that bring most are made first, which are moves, and
   * where these suffice for the load of now caches stay as small as they are.
   */
  private static final List<List<Set<Relief.Kind>>> KITS =
      List.of(
          List.of(EnumSet.of(Relief.Kind.MOVE)),
          List.of(EnumSet.of(Relief.Kind.SPLIT)),
          List.of(EnumSet.of(Relief.Kind.PROFILE)),
          List.of(EnumSet.of(Relief.Kind.PROFILE), EnumSet.of(Relief.Kind.MOVE)),
          List.of(EnumSet.allOf(Relief.Kind.class)));

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    List<Cost> costs = new ArrayList<>();
    for (List<Set<Relief.Kind>> kit : KITS) {
      Layout layout = now.copy();
      int steps = 0;
      for (Set<Relief.Kind> kinds : kit) {
        steps += new Relief(evaluator, evaluator.budget(), kinds).improve(layout);
      }
      if (steps > 0) {
        Cost cost = evaluator.cost(layout);
        // All kinds together are often but one of them.
        if (!costs.contains(cost)) {
          costs.add(cost);
          found.add(new Candidate(title(layout), layout));
        }
      }
    }
    evenly(now, evaluator)
        .filter(even -> !costs.contains(evaluator.cost(even.layout())))
        .ifPresent(found::add);
    return found;
  }

  /**
   * Moves until nodes are used alike as far as they are above the target. Where not all can come
   * below it, steps that are judged by what is lost leave on one node what is worth least there.
   */
  private static Optional<Candidate> evenly(Layout now, Evaluator evaluator) {
    Layout layout = now.copy();
    Relief even =
        new Relief(
            evaluator,
            evaluator.budget(),
            EnumSet.of(Relief.Kind.MOVE),
            (full, other) -> true,
            (forecast, worth) -> evaluator.uneven(forecast));
    return even.improve(layout) > 0
        ? Optional.of(new Candidate("even out usage", layout))
        : Optional.empty();
  }

  /** By what it changes, not by what it might have changed. */
  static String title(Layout layout) {
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

package io.trimtab.controller.choice;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Keeps the nodes: moves, splits and profiles, alone and together. */
final class SmallSteps implements Generator {
  /** Steps that may be made, and what that is called. */
  private record Kit(String title, Set<Relief.Kind> kinds) {}

  private static final List<Kit> KITS =
      List.of(
          new Kit("move partitions", EnumSet.of(Relief.Kind.MOVE)),
          new Kit("split partitions", EnumSet.of(Relief.Kind.SPLIT)),
          new Kit("change profiles", EnumSet.of(Relief.Kind.PROFILE)),
          new Kit("move, split and change profiles", EnumSet.allOf(Relief.Kind.class)));

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    for (Kit kit : KITS) {
      Layout layout = now.copy();
      if (new Relief(evaluator, evaluator.budget(), kit.kinds()).improve(layout) > 0) {
        found.add(new Candidate(kit.title(), layout));
      }
    }
    return found;
  }
}

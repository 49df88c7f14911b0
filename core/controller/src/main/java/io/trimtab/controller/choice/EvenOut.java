package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.engineapi.Profile;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves partitions out of the most used nodes only to nodes that are configured alike, as the
 * thesis's stage D does within a class (Cruz 2016, §3.2.2): so a grouping stays what it is.
 */
final class EvenOut implements Generator {
  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    Set<Profile> profiles = new HashSet<>();
    now.present().forEach(n -> profiles.add(now.profile(n)));
    // Of one class only it would be what small steps do.
    if (profiles.size() < 2) {
      return List.of();
    }
    Layout layout = now.copy();
    Relief within =
        new Relief(
            evaluator,
            evaluator.budget(),
            EnumSet.of(Relief.Kind.MOVE),
            (full, other) -> isAlike(layout.profile(full), layout.profile(other)),
            evaluator::loss);
    return within.improve(layout) > 0
        ? List.of(new Candidate("even out within classes", layout))
        : List.of();
  }

  private static boolean isAlike(Profile one, Profile other) {
    return one != null && other != null && one.sameMemory(other);
  }
}

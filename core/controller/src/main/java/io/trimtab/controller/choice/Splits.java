package io.trimtab.controller.choice;

import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.Optional;

/** Which partitions may be split, and where. */
final class Splits {
  private final ClusterLoad load;

  Splits(ClusterLoad load) {
    this.load = load;
  }

  /** Where a partition's requests halve; empty if it must not be split. */
  Optional<SplitHint> hint(int partition) {
    Optional<SplitHint> hint = load.hint(partition);
    return hint.isPresent()
            && SplitPlanner.refusal(load.context(), load.partitions().state(partition), hint.get())
                .isEmpty()
        ? hint
        : Optional.empty();
  }
}

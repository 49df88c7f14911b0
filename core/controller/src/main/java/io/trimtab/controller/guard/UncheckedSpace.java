package io.trimtab.controller.guard;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.Optional;

/** What the rule of free space leaves out, which refuses nothing and would not be noticed. */
public final class UncheckedSpace {
  private UncheckedSpace() {}

  /** As one line; empty if it is known of all live nodes how full their disks are. */
  public static Optional<String> of(ClusterSnapshot seen, GuardSettings guard) {
    int live = seen.liveNodes().size();
    long unknown =
        seen.liveNodes().stream()
            .filter(node -> !Space.disk(seen, node.id(), guard).known())
            .count();
    if (unknown == 0) {
      return Optional.empty();
    }
    String why =
        guard.nodeDiskGiB() == null
            ? "their capacity is not known (guard.nodeDiskGiB)"
            : "it is not known how much is on them";
    return Optional.of(
        "disk space is not checked on %d of %s: %s"
            .formatted(unknown, Counted.of(live, "node"), why));
  }
}

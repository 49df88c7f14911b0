package io.trimtab.runtime.journal;

import io.trimtab.controller.health.Loss;
import io.trimtab.controller.health.LostNodes;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells when nodes were lost, and when others serve their partitions. */
public final class LossWatch {
  private final PaceSettings pace;
  private final Consumer<String> told;
  private LostNodes nodes = LostNodes.NONE;

  /**
   * @param told gets a sentence without an end
   */
  public LossWatch(PaceSettings pace, Consumer<String> told) {
    this.pace = pace;
    this.told = told;
  }

  /**
   * Processes a snapshot.
   *
   * @param before samples without it
   * @return the samples that it is to be added to: none if what was seen so far is no load to
   *     decide by
   */
  public History observe(History before, ClusterSnapshot seen) {
    Optional<Loss> known = nodes.loss();
    nodes = nodes.append(before, seen, pace);
    nodes.loss().filter(loss -> !loss.lost().isEmpty()).ifPresent(loss -> tell(known, loss, seen));
    return nodes.beginsAnew() ? before.again() : before;
  }

  private void tell(Optional<Loss> known, Loss is, ClusterSnapshot seen) {
    boolean news = known.filter(was -> was.lost().containsAll(is.lost())).isEmpty();
    long missing = known.map(Loss::unserved).orElse(0L);
    if (news || (missing == 0 && is.unserved() > 0)) {
      told.accept(is.text());
    } else if (missing > 0 && is.unserved() == 0) {
      told.accept(
          "%s; %d s later all partitions are served again"
              .formatted(is.text(), Math.round(seen.readTime().secondsSince(is.since()))));
    }
  }

  /** A plan has ended, which may have restarted or removed nodes. */
  public void planEnded() {
    nodes = nodes.afterPlan();
  }

  /** What nodes were lost, and what of that goes on. */
  public LostNodes now() {
    return nodes;
  }
}

package io.trimtab.runtime.journal;

import io.trimtab.controller.health.LostNodes;
import io.trimtab.controller.observe.History;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells when nodes were lost and when that is over, and keeps it in a journal. */
public final class LossWatch {
  private final Journal journal;
  private final Consumer<String> told;
  private LostNodes nodes = LostNodes.NONE;

  /**
   * @param told gets a sentence without an end
   */
  public LossWatch(Journal journal, Consumer<String> told) {
    this.journal = journal;
    this.told = told;
  }

  /**
   * Processes a snapshot.
   *
   * @param before samples without it
   * @return the samples that it is to be added to: none if what was seen so far is no load to
   *     decide on
   */
  public History observe(History before, ClusterSnapshot seen, Instant now) {
    Optional<LostNodes.Loss> known = nodes.loss();
    nodes = nodes.append(before, seen);
    Optional<LostNodes.Loss> loss = nodes.loss();
    if (loss.isEmpty()) {
      // Also what an earlier controller has waited for.
      journal.lost().ifPresent(open -> journal.append(new Entry.Lost(now, false, open.what())));
      return before;
    }
    LostNodes.Loss is = loss.get();
    if (known.filter(was -> was.nodes().equals(is.nodes())).isEmpty()) {
      String what = is.text() + unserved(is);
      journal.append(new Entry.Lost(now, true, what));
      told.accept("lost node: " + what);
    } else if (is.unserved() == 0 && known.orElseThrow().unserved() > 0) {
      String what =
          "%s; %d s later all partitions are served again"
              .formatted(is.text(), Math.round(seen.readTime().secondsSince(is.since())));
      journal.append(new Entry.Lost(now, true, what));
      told.accept("lost node: " + what);
    }
    return is.anew() ? before.again() : before;
  }

  private static String unserved(LostNodes.Loss loss) {
    return loss.unserved() == 0
        ? ""
        : ", and " + Counted.are(loss.unserved(), "partition") + " not served by any node yet";
  }

  /** What nodes were lost, and what of that goes on. */
  public LostNodes now() {
    return nodes;
  }
}

package io.trimtab.runtime.journal;

import io.trimtab.controller.health.LostNodes;
import io.trimtab.controller.observe.History;
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
    if (is.lost().isEmpty()) {
      // Whoever watches for nodes that can't be read tells it.
      return before;
    }
    if (known.filter(was -> was.lost().equals(is.lost())).isEmpty()) {
      tell(is.text() + LostNodes.unserved(is.unserved()), now);
    } else if (is.unserved() == 0 && known.orElseThrow().unserved() > 0) {
      long seconds = Math.round(seen.readTime().secondsSince(is.since()));
      tell("%s; %d s later all partitions are served again".formatted(is.text(), seconds), now);
    }
    return is.anew() ? before.again() : before;
  }

  private void tell(String what, Instant now) {
    journal.append(new Entry.Lost(now, true, what));
    told.accept("lost node: " + what);
  }

  /** What nodes were lost, and what of that goes on. */
  public LostNodes now() {
    return nodes;
  }
}

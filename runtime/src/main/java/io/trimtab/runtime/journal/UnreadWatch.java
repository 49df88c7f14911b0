package io.trimtab.runtime.journal;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells once when a node can't be read and once when it can again, and keeps it in a journal. */
public final class UnreadWatch {
  private final Journal journal;
  private final Consumer<String> told;

  /**
   * @param told gets a sentence without an end
   */
  public UnreadWatch(Journal journal, Consumer<String> told) {
    this.journal = journal;
    this.told = told;
  }

  /** Processes a snapshot as the engine has given it. */
  public void observe(ClusterSnapshot seen, Instant now) {
    if (!seen.clusterGaps().isEmpty() && seen.nodes().stream().noneMatch(NodeState::readable)) {
      // That is not the nodes': nobody could ask them.
      return;
    }
    Map<NodeId, Entry.Unread> open = journal.unread();
    for (NodeState node : seen.unreadNodes()) {
      if (!open.containsKey(node.id())) {
        String what =
            "%s can't be read, and nothing is planned with it: %s"
                .formatted(node.id(), node.read().failure().orElse(""));
        journal.append(new Entry.Unread(now, node.id(), true, what));
        told.accept("unreadable node: " + what);
      }
    }
    for (NodeId node : open.keySet()) {
      ended(seen, node)
          .ifPresent(
              what -> {
                journal.append(new Entry.Unread(now, node, false, what));
                told.accept("no unreadable node any more: " + what);
              });
    }
  }

  /** Empty while it can't be read, and where the cluster does not tell of its nodes. */
  private static Optional<String> ended(ClusterSnapshot seen, NodeId node) {
    Optional<NodeState> state = seen.node(node);
    if (state.isEmpty()) {
      return seen.nodes().isEmpty()
          ? Optional.empty()
          : Optional.of(node + " is no member of the cluster");
    }
    if (!state.get().alive()) {
      return Optional.of(node + " is dead");
    }
    return state.get().readable() ? Optional.of(node + " can be read again") : Optional.empty();
  }
}

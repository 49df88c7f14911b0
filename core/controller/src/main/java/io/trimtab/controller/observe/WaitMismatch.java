package io.trimtab.controller.observe;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import java.util.List;
import java.util.Optional;

/**
 * Whether a model's I/O wait is of another kind than the nodes': what is predicted is then not what
 * is observed.
 */
final class WaitMismatch {
  private WaitMismatch() {}

  /** One clause; empty if there is none, or the usage of no node is known. */
  static Optional<String> of(UsageModel model, ClusterSnapshot seen) {
    List<NodeUsage> known =
        seen.liveNodes().stream().map(NodeState::usage).filter(NodeUsage::known).toList();
    String recorded = model.waitSource().isEmpty() ? WaitSource.UNKNOWN.name() : model.waitSource();
    return known.stream().allMatch(usage -> usage.waitSource().name().equals(recorded))
        ? Optional.empty()
        : Optional.of(
            "the model's I/O wait is from %s, that of these nodes from %s"
                .formatted(WaitSource.text(recorded), WaitSource.phrase(known)));
  }
}

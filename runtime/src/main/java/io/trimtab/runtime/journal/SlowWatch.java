package io.trimtab.runtime.journal;

import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.health.SlowPeers;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.observe.SlowNodes;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tells once when a node becomes slow and once when it is no longer, and keeps it in a journal. */
public final class SlowWatch {
  /** So that the journal's figures are not those of hours ago. */
  private static final Duration RENEWED = Duration.ofMinutes(10);

  /** Beyond, nobody else is read from. */
  private static final double SHARE_MAX = 10;

  private final Settings settings;
  private final Journal journal;
  private final Consumer<String> told;
  private SlowNodes nodes = SlowNodes.NONE;
  private SlowPeers peers = SlowPeers.NONE;

  /**
   * A slow node.
   *
   * @param byPeers null if coordinators avoid it
   */
  private record Found(NodeId node, String text, Boolean byPeers) {}

  /**
   * @param told gets a sentence without an end
   */
  public SlowWatch(Settings settings, Journal journal, Consumer<String> told) {
    this.settings = settings;
    this.journal = journal;
    this.told = told;
  }

  /** Nodes that coordinators avoid, as of the last whole snapshot. */
  public List<SlowNode> now() {
    return nodes.now();
  }

  /** Nodes that are slower than their peers, as of the last whole snapshot. */
  public List<SlowPeer> peers() {
    return peers.now(settings.health());
  }

  /** Processes a snapshot, newer than the last one. */
  public void observe(ClusterSnapshot seen, Instant now) {
    nodes = nodes.append(seen, settings.health(), settings.observe().stale());
    peers = peers.append(seen, settings.health(), settings.observe().stale());
    if (!seen.clusterGaps().isEmpty()) {
      return;
    }
    Map<NodeId, Entry.Slow> open = journal.slow();
    for (Found node : found()) {
      Entry.Slow known = open.get(node.node());
      if (known == null || Duration.between(known.at(), now).compareTo(RENEWED) >= 0) {
        journal.append(new Entry.Slow(now, node.node(), true, node.text(), node.byPeers()));
      }
      if (known == null) {
        told.accept("slow node: " + node.text());
      }
    }
    open.keySet()
        .forEach(
            node ->
                ended(seen, node)
                    .ifPresent(
                        what -> {
                          journal.append(new Entry.Slow(now, node, false, what));
                          told.accept("no slow node any more: " + what);
                        }));
  }

  private List<Found> found() {
    return Stream.concat(
            nodes.now().stream().map(node -> new Found(node.node(), node.text(), null)),
            peers().stream().map(node -> new Found(node.node(), node.text(), true)))
        .toList();
  }

  private Optional<String> ended(ClusterSnapshot seen, NodeId node) {
    if (seen.node(node).isEmpty()) {
      return Optional.of(node + " is no member of the cluster");
    }
    if (peers.fair(node)) {
      return Optional.of(node + " is no slower than its peers");
    }
    OptionalDouble share = nodes.fair(node);
    return share.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s gets %d %% of the reads that its peers get"
                .formatted(node, Math.round(100 * Math.min(SHARE_MAX, share.getAsDouble()))));
  }
}

package io.trimtab.runtime.journal;

import io.trimtab.controller.health.LostNodes;
import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** What is told of nodes from one snapshot to the next: lost, slow, unreadable, their usage. */
public final class NodesWatch {
  private final LossWatch lost;
  private final SlowWatch slow;
  private final WaitWatch waits;
  private final UnreadWatch unread;

  /**
   * Who is told; each gets a sentence without an end.
   *
   * @param lost of lost nodes
   * @param slow of slow nodes
   * @param usage of what usage is computed from
   * @param unread of nodes that can't be read
   */
  public record Listeners(
      Consumer<String> lost,
      Consumer<String> slow,
      Consumer<String> usage,
      Consumer<String> unread) {}

  public NodesWatch(Settings settings, Journal journal, Listeners told) {
    this.lost = new LossWatch(settings.pace(), told.lost());
    this.slow = new SlowWatch(settings, journal, told.slow());
    this.waits = new WaitWatch(journal, told.usage());
    this.unread = new UnreadWatch(journal, told.unread());
  }

  /**
   * Processes a snapshot, newer than the last one.
   *
   * @param before samples without it
   * @return the samples that it is to be added to
   */
  public History observe(History before, ClusterSnapshot seen, Instant now) {
    History kept = lost.observe(before, seen);
    slow.observe(seen, now);
    waits.observe(seen, now);
    unread.observe(seen, now);
    return kept;
  }

  /** As of {@link LossWatch#planEnded}. */
  public void planEnded() {
    lost.planEnded();
  }

  /** As of {@link LossWatch#now}. */
  public LostNodes lost() {
    return lost.now();
  }

  /** As of {@link SlowWatch#now}. */
  public List<SlowNode> slow() {
    return slow.now();
  }

  /** As of {@link SlowWatch#peers}. */
  public List<SlowPeer> slowPeers() {
    return slow.peers();
  }
}

package io.trimtab.controller.guard;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How long each action may take: {@code guard.actionLimit}, and for actions that stream or rewrite
 * data the time for their bytes at {@code guard.minMiBPerSecond} in addition, for a table's block
 * size 10 s for each of its partitions; at most 7 days together.
 */
public final class ActionLimits implements ActionVisitor<Duration, RuntimeException> {
  /** Also where sizes are absurd: a limit always ends. */
  private static final Duration LONGEST = Duration.ofDays(7);

  /** Of a partition whose table gets another block size. */
  private static final Duration REOPENING = Duration.ofSeconds(10);

  private final GuardSettings guard;
  private final ClusterSnapshot before;
  private final boolean ring;

  /**
   * @param before the cluster before the actions begin, which knows the sizes
   */
  public ActionLimits(GuardSettings guard, ClusterSnapshot before) {
    this.guard = guard;
    this.before = before;
    this.ring = !PlacementModel.of(before).assignsPartitions();
  }

  /** The time limit of an action. */
  public Duration of(Action action) {
    return action.accept(this);
  }

  private Duration plain() {
    return guard.actionLimit();
  }

  private Duration with(long bytes) {
    Duration limit = plain().plusSeconds(bytes / ((long) guard.minMiBPerSecond() << 20));
    return capped(limit);
  }

  private static Duration capped(Duration limit) {
    return limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
  }

  /** In a ring: nodes that only serve what others store stream nothing. */
  private Duration streaming(Optional<NodeId> node) {
    return ring ? with(bytes(node)) : plain();
  }

  /**
   * What a node stores; of one that tells nothing, as a dead or a new one, as much as the fullest
   * node does, because no share of a ring is known to be smaller.
   */
  private long bytes(Optional<NodeId> node) {
    Map<NodeId, Long> stored = new TreeMap<>();
    for (PartitionState partition : before.partitions()) {
      partition
          .node()
          .ifPresent(at -> stored.merge(at, Math.max(0, partition.sizeBytes()), Long::sum));
    }
    long fullest = stored.values().stream().mapToLong(bytes -> bytes).max().orElse(0);
    return node.map(id -> stored.getOrDefault(id, 0L)).filter(bytes -> bytes > 0).orElse(fullest);
  }

  @Override
  public Duration move(Action.Move move) {
    return plain();
  }

  @Override
  public Duration split(Action.Split split) {
    return plain();
  }

  @Override
  public Duration merge(Action.Merge merge) {
    return plain();
  }

  @Override
  public Duration reconfigure(Action.Reconfigure change) {
    return plain();
  }

  @Override
  public Duration setNode(Action.SetNode set) {
    return plain();
  }

  /** Its partitions are reopened one after another. */
  @Override
  public Duration setBlockSize(Action.SetBlockSize size) {
    long reopened =
        before.partitions().stream().filter(p -> p.id().table().equals(size.table())).count();
    return capped(plain().plus(REOPENING.multipliedBy(reopened)));
  }

  @Override
  public Duration compact(Action.Compact compact) {
    return with(
        before.partition(compact.partition()).map(p -> Math.max(0, p.sizeBytes())).orElse(0L));
  }

  @Override
  public Duration addNode(Action.AddNode add) {
    return streaming(Optional.empty());
  }

  @Override
  public Duration replaceNode(Action.ReplaceNode replace) {
    return streaming(Optional.of(replace.dead()));
  }

  @Override
  public Duration cleanup(Action.Cleanup cleanup) {
    return streaming(Optional.of(cleanup.node()));
  }

  @Override
  public Duration drainNode(Action.DrainNode drain) {
    return plain();
  }

  @Override
  public Duration removeNode(Action.RemoveNode remove) {
    return streaming(Optional.of(remove.node()));
  }
}

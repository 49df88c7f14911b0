package io.trimtab.runtime;

import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.policy.Replacement;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ports.Workers;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a dead node must be replaced before anything else, and which nodes do work that a change
 * would make fail. Asked at every sample, and between two batches of a plan; used by the loop's
 * thread only.
 */
final class Urgency {
  private static final Logger LOG = LoggerFactory.getLogger(Urgency.class);

  private final LoopContext context;
  private final DeadNodes dead;
  private BusyNodes busy = BusyNodes.NONE;

  /** As an earlier controller has left them; empty from the first look on. */
  private Optional<BusyNodes> left = Optional.empty();

  private Set<NodeId> slow = Set.of();
  private Optional<Look> look = Optional.empty();
  private long lookedNs;

  /** A snapshot that is being taken while an action runs. */
  private record Look(Workers.Task<ClusterSnapshot> task, long begunNs) {}

  Urgency(LoopContext context) {
    this.context = context;
    this.dead = new DeadNodes(context.settings().observe().stale());
    this.lookedNs = context.ports().time().nanos();
  }

  /** Processes a snapshot. */
  void observe(ClusterSnapshot seen) {
    noted(seen);
    lookedNs = context.ports().time().nanos();
  }

  private void noted(ClusterSnapshot seen) {
    dead.observe(seen);
    busy = left.map(before -> before.resumed(seen.takenAt())).orElse(busy).append(seen);
    left = Optional.empty();
  }

  /** Goes on with work that an earlier controller has seen, so that no wait begins anew. */
  Urgency resume(BusyNodes before) {
    left = Optional.of(before);
    return this;
  }

  /** Notes which nodes coordinators avoid, which nobody looks for during a plan. */
  void avoided(Collection<SlowNode> nodes) {
    slow = nodes.stream().map(SlowNode::node).collect(Collectors.toSet());
  }

  /** Nodes that coordinators avoided when that was last noted. */
  Set<NodeId> slow() {
    return slow;
  }

  /**
   * Looks at the cluster once a period while an action runs, which may take hours: a time in which
   * nobody looks does not count, so that a dead node would otherwise wait for the plan's end. To be
   * polled; does not wait.
   */
  void lookMeanwhile() {
    if (look.isPresent()) {
      if (look.get().task().ended(Duration.ZERO)) {
        take(look.get());
        look = Optional.empty();
      }
      return;
    }
    long now = context.ports().time().nanos();
    if (replaces() && now - lookedNs >= context.settings().observe().period().toNanos()) {
      lookedNs = now;
      look =
          Optional.of(
              new Look(context.ports().workers().begin(() -> context.engine().snapshot()), now));
    }
  }

  private boolean replaces() {
    return context.settings().health().replaceAfter() != null && context.provider().isPresent();
  }

  private void take(Look ended) {
    if (lookedNs - ended.begunNs() > 0) {
      // Somebody has looked since.
      return;
    }
    try {
      ended.task().await(() -> true).ifPresent(this::noted);
    } catch (ExecutionException e) {
      LOG.info("no snapshot while an action runs", e);
    }
  }

  /** Nodes that do work beside serving, as of all snapshots so far. */
  BusyNodes busy() {
    return busy;
  }

  /** How long each dead node has been seen dead without interruption. */
  SortedMap<NodeId, Duration> dead() {
    return dead.seenDead();
  }

  /**
   * The dead node that is due; empty if there is none, or nothing to replace it with. A snapshot
   * that {@link #observe} was not called with counts for nothing.
   */
  Optional<NodeId> due(ClusterSnapshot seen) {
    return context.provider().map(NodeProvider::spare).filter(spare -> spare > 0).isPresent()
        ? Replacement.due(seen, dead.seenDead(), context.settings())
        : Optional.empty();
  }
}

package io.trimtab.runtime;

import io.trimtab.controller.guard.ActionLimits;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.Preconditions;
import io.trimtab.controller.guard.UnreadNodes;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes one action of a plan, and returns its outcome. */
final class Performer implements ActionVisitor<Performer.Performed, EngineException> {
  private static final Logger LOG = LoggerFactory.getLogger(Performer.class);
  private static final Performed DONE = new Performed(ActionOutcome.DONE, "");

  /** The outcome of an action; {@code detail} may be empty. */
  record Performed(ActionOutcome outcome, String detail) {}

  private final LoopContext context;
  private final Engine engine;
  private final Tenure tenure;
  private final String planId;
  private final Map<NodeId, NodeId> added;
  private final ClusterSnapshot before;
  private final ActionLimits limits;

  /** By the monotonic time. */
  private final long endsNs;

  /**
   * Creates a performer, for {@link #limitedTo}.
   *
   * @param added nodes by the plan's placeholders; newly added nodes are put into it
   * @param before the cluster before the batch
   */
  Performer(
      LoopContext context,
      Tenure tenure,
      String planId,
      Map<NodeId, NodeId> added,
      ClusterSnapshot before) {
    this.context = context;
    this.engine = context.engine();
    this.tenure = tenure;
    this.planId = planId;
    this.added = added;
    this.before = before;
    this.limits = new ActionLimits(context.settings().guard(), before);
    this.endsNs = context.ports().time().nanos();
  }

  private Performer(Performer other, Duration limit) {
    this.context = other.context;
    this.engine = other.engine;
    this.tenure = other.tenure;
    this.planId = other.planId;
    this.added = other.added;
    this.before = other.before;
    this.limits = other.limits;
    this.endsNs = context.ports().time().nanos() + limit.toNanos();
  }

  /** One that has an action's limit from now on, for all tries and their parts together. */
  Performer limitedTo(Action action) {
    return new Performer(this, limits.of(action));
  }

  private Duration left() {
    return Duration.ofNanos(endsNs - context.ports().time().nanos());
  }

  boolean hasMoreThan(Duration time) {
    return left().compareTo(time) > 0;
  }

  private Duration limit(Action action) throws EngineException {
    Duration left = left();
    if (left.isNegative() || left.isZero()) {
      throw new EngineException(
          "it was not done within %d s".formatted(limits.of(action).toSeconds()));
    }
    return left;
  }

  @Override
  public Performed move(Action.Move move) throws EngineException {
    engine.move(move.partition(), real(move.to()), limit(move));
    return DONE;
  }

  @Override
  public Performed split(Action.Split split) throws EngineException {
    engine.split(split.partition(), split.key(), real(split.rightTo()), limit(split));
    return DONE;
  }

  @Override
  public Performed merge(Action.Merge merge) throws EngineException {
    engine.merge(merge.left(), merge.right(), merge.range(), limit(merge));
    return DONE;
  }

  @Override
  public Performed reconfigure(Action.Reconfigure change) throws EngineException {
    if (change.way() == Action.ApplyMode.ONLINE) {
      engine.applyProfile(change.node(), change.to(), limit(change));
      return context.provider().isPresent() ? persisted(change) : DONE;
    }
    ClusterSnapshot now = look(change.node());
    NodeState node =
        now.node(change.node())
            .orElseThrow(() -> new EngineException("node " + change.node() + " is gone"));
    if (node.alive() && node.profile().filter(p -> p.sameMemory(change.to())).isPresent()) {
      return DONE;
    }
    refuseIfServing(now, change.node());
    provider().persist(change.node(), change.to());
    provider().restart(change.node(), limit(change));
    engine.awaitNode(change.node(), node.incarnation(), limit(change));
    return DONE;
  }

  /** Stores a profile that is in force; tells how long that lasts where the provider can't. */
  private Performed persisted(Action.Reconfigure change) throws EngineException {
    Optional<EngineException> refused = persist(provider(), change.node(), change.to());
    if (refused.isEmpty()) {
      return DONE;
    }
    LOG.warn("the profile of node {} lasts until its next restart", change.node(), refused.get());
    return new Performed(
        ActionOutcome.DONE,
        "node %s has profile %s until its next restart: %s"
            .formatted(change.node(), change.to().name(), refused.get().getMessage()));
  }

  /**
   * Stores a profile for a node's next start.
   *
   * @return why it is not stored, of a node that is not the provider's; empty if it is stored
   * @throws EngineException if that of the provider's own node is not stored, or of one of which
   *     the provider can't tell now whether it is
   */
  static Optional<EngineException> persist(NodeProvider provider, NodeId node, Profile profile)
      throws EngineException {
    try {
      provider.persist(node, profile);
      return Optional.empty();
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      if (mayBeOwn(provider, node, e)) {
        throw e;
      }
      return Optional.of(e);
    }
  }

  /** By what it says now: an offer that it could not make has no node, and may be an old one. */
  private static boolean mayBeOwn(NodeProvider provider, NodeId node, EngineException failed) {
    try {
      return provider.capacity().reconfigurable().allows(node);
    } catch (EngineException e) {
      failed.addSuppressed(e);
      return true;
    }
  }

  @Override
  public Performed setNode(Action.SetNode set) throws EngineException {
    engine.set(set.node(), set.setting(), set.to(), limit(set));
    return DONE;
  }

  @Override
  public Performed setBlockSize(Action.SetBlockSize size) throws EngineException {
    engine.setBlockSize(size.table(), size.toBytes(), limit(size));
    return DONE;
  }

  @Override
  public Performed compact(Action.Compact compact) throws EngineException {
    double locality =
        before.partition(compact.partition()).map(PartitionState::locality).orElse(0.0);
    if (locality >= compact.belowLocality()) {
      return new Performed(ActionOutcome.SKIPPED, "skipped: locality is %.2f".formatted(locality));
    }
    engine.compact(compact.partition(), limit(compact));
    return DONE;
  }

  @Override
  public Performed addNode(Action.AddNode add) throws EngineException {
    NodeId node = added.get(add.placeholder());
    if (node == null) {
      node =
          provider()
              .add(request(planId, add.placeholder()), add.profile(), add.tokens(), limit(add));
      started(add.placeholder(), node);
    }
    engine.awaitNode(node, 0, limit(add));
    return DONE;
  }

  @Override
  public Performed replaceNode(Action.ReplaceNode replace) throws EngineException {
    NodeId node = added.get(replace.placeholder());
    if (node == null) {
      if (look(replace.dead()).node(replace.dead()).filter(NodeState::alive).isPresent()) {
        throw new EngineException("node " + replace.dead() + " is back, and is not replaced");
      }
      node =
          provider()
              .replace(
                  request(planId, replace.placeholder()),
                  replace.dead(),
                  replace.profile(),
                  limit(replace));
      if (node.equals(replace.dead())) {
        // To remove the dead one would take away what has just been started.
        throw new EngineException(
            "the node provider has started dead node %s again instead of another in its place"
                .formatted(node));
      }
      started(replace.placeholder(), node);
    }
    engine.awaitNode(node, 0, limit(replace));
    // The dead node's machine and data are no longer needed.
    provider().remove(replace.dead(), limit(replace));
    return DONE;
  }

  @Override
  public Performed cleanup(Action.Cleanup cleanup) throws EngineException {
    engine.cleanup(cleanup.node(), limit(cleanup));
    return DONE;
  }

  @Override
  public Performed drainNode(Action.DrainNode drain) throws EngineException {
    engine.setDraining(drain.node(), true);
    return DONE;
  }

  @Override
  public Performed removeNode(Action.RemoveNode remove) throws EngineException {
    ClusterSnapshot seen = engine.snapshot();
    if (leaves(seen, remove.node())) {
      // Nothing begins, so that nothing is forbidden: it is only waited for.
      engine.vacate(remove.node(), limit(remove));
      provider().remove(remove.node(), limit(remove));
      return DONE;
    }
    ClusterSnapshot now = safe(seen, remove.node());
    boolean deadOwnData = PlacementModel.of(now).deadNodesOwnData();
    if (now.node(remove.node()).filter(n -> n.alive() || deadOwnData).isPresent()) {
      Optional<String> violated = Preconditions.violated(remove, now, added);
      if (violated.isPresent()) {
        throw new EngineException(violated.get());
      }
      refuseIfServing(now, remove.node());
      engine.vacate(remove.node(), limit(remove));
    }
    // Also where its process is gone: a controller that was killed here left the rest of it.
    provider().remove(remove.node(), limit(remove));
    return DONE;
  }

  /**
   * A look right before what can't be taken back. A partial one could take a node for empty that is
   * not, and others may have died since the look before the batch.
   *
   * @param node which the action is about, and which may be dead
   */
  private ClusterSnapshot look(NodeId node) throws EngineException {
    return safe(engine.snapshot(), node);
  }

  /** By which a provider knows what a plan has asked it for. */
  static String request(String planId, NodeId placeholder) {
    return planId + "/" + placeholder;
  }

  /** A node of a ring that is on its way out, which only a restart ends. */
  private static boolean leaves(ClusterSnapshot seen, NodeId node) {
    return PlacementModel.of(seen).staysOnlyByRestart()
        && seen.node(node).filter(n -> n.alive() && n.draining()).isPresent();
  }

  private ClusterSnapshot safe(ClusterSnapshot now, NodeId node) throws EngineException {
    Optional<Guard.Verdict.Refuse> unsafe =
        Guard.unsafeWithin(
            now, context.settings(), context.ports().clock().instant(), Set.of(node));
    if (unsafe.isPresent()) {
      throw new EngineException(unsafe.get().reason());
    }
    Optional<String> unread = UnreadNodes.involved(now, node);
    if (unread.isPresent()) {
      throw new EngineException(unread.get());
    }
    return now;
  }

  private NodeId real(NodeId node) {
    return added.getOrDefault(node, node);
  }

  private void started(NodeId placeholder, NodeId node) throws EngineException {
    tenure.record(new Entry.NodeAdded(context.ports().clock().instant(), placeholder, node));
    added.put(placeholder, node);
  }

  private static void refuseIfServing(ClusterSnapshot now, NodeId node) throws EngineException {
    if (!PlacementModel.of(now).assignsPartitions()) {
      return;
    }
    long serving =
        now.partitions().stream().filter(p -> p.node().filter(node::equals).isPresent()).count();
    if (serving > 0) {
      throw new EngineException("node " + node + " still serves " + serving + " partitions");
    }
  }

  private NodeProvider provider() throws EngineException {
    return provider(context);
  }

  static NodeProvider provider(LoopContext context) throws EngineException {
    return context
        .provider()
        .orElseThrow(
            () ->
                new EngineException(
                    "no node provider is known that starts and stops nodes of this cluster; name"
                        + " it with --provider, or in connections.yaml"));
  }
}

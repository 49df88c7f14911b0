package io.trimtab.testkit.oracle;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Carries out a plan step by step, the oracle asked after each, then all of it once more, which
 * must change nothing. For tests of plans; what is tried again, journaled and resumed is the
 * executor's.
 */
public final class PlanRunner {
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final Engine engine;
  private final NodeProvider provider;
  private final Map<NodeId, NodeId> added = new TreeMap<>();

  public PlanRunner(Engine engine, NodeProvider provider) {
    this.engine = engine;
    this.provider = provider;
  }

  /** What is wrong, a sentence each, with the step after which it is. */
  public List<String> violations(Plan plan, ClusterSnapshot before) throws EngineException {
    engine.setBalancer(BalancerState.PAUSED);
    List<String> all = new ArrayList<>();
    Set<Integer> ended = new TreeSet<>();
    for (PlannedAction planned : plan.actions()) {
      perform(plan, planned.action());
      ended.add(planned.step());
      for (String text : PlanVerifier.state(plan, before, ended, added, engine.snapshot())) {
        all.add("after step " + planned.step() + ": " + text);
      }
    }
    List<String> once = state(engine.snapshot());
    for (PlannedAction planned : plan.actions()) {
      if (!goneWith(plan, planned)) {
        perform(plan, planned.action());
      }
    }
    List<String> twice = state(engine.snapshot());
    if (!once.equals(twice)) {
      all.add("carried out again it ends otherwise: " + once + ", then " + twice);
    }
    engine.setBalancer(before.balancer());
    PlanVerifier.tidied(before, engine.snapshot()).forEach(t -> all.add("afterwards: " + t));
    return all;
  }

  /** Actions on what the plan has removed since are not done again, and partitions that it cut. */
  private boolean goneWith(Plan plan, PlannedAction planned) throws EngineException {
    ClusterSnapshot now = engine.snapshot();
    Action action = planned.action();
    Optional<Action.Move> move = action.as(Action.Move.class);
    // On the way to a later place: only the last one is what the plan asks for.
    boolean waits =
        move.isPresent()
            && plan.actions().stream()
                .filter(a -> a.step() > planned.step())
                .flatMap(a -> a.action().as(Action.Move.class).stream())
                .anyMatch(later -> later.partition().equals(move.get().partition()));
    Optional<PartitionId> partition =
        move.map(Action.Move::partition)
            .or(() -> action.as(Action.Compact.class).map(Action.Compact::partition));
    Optional<NodeId> node =
        action
            .as(Action.DrainNode.class)
            .map(Action.DrainNode::node)
            .or(() -> action.as(Action.Cleanup.class).map(Action.Cleanup::node));
    return waits
        || partition.filter(p -> now.partition(p).isEmpty()).isPresent()
        || node.filter(n -> now.node(n).isEmpty()).isPresent();
  }

  private static List<String> state(ClusterSnapshot now) {
    List<String> lines = new ArrayList<>();
    for (NodeState n : now.nodes()) {
      lines.add(n.id() + " " + n.incarnation() + n.draining() + n.profile() + n.settings());
    }
    now.partitions().stream()
        .sorted(Comparator.comparing(PartitionState::id))
        .forEach(p -> lines.add(p.id() + " " + p.range() + p.node() + p.blockSizeBytes()));
    return lines;
  }

  private NodeId real(NodeId node) {
    return added.getOrDefault(node, node);
  }

  private void perform(Plan plan, Action action) throws EngineException {
    action.accept(new InMemoryPerformer(plan.id()));
  }

  private final class InMemoryPerformer implements ActionVisitor<Void, EngineException> {
    private final String planId;

    InMemoryPerformer(String planId) {
      this.planId = planId;
    }

    @Override
    public Void move(Action.Move move) throws EngineException {
      engine.move(move.partition(), real(move.to()), LIMIT);
      return null;
    }

    @Override
    public Void split(Action.Split split) throws EngineException {
      engine.split(split.partition(), split.key(), real(split.rightTo()), LIMIT);
      return null;
    }

    @Override
    public Void merge(Action.Merge merge) throws EngineException {
      engine.merge(merge.left(), merge.right(), merge.range(), LIMIT);
      return null;
    }

    @Override
    public Void reconfigure(Action.Reconfigure change) throws EngineException {
      PlanRunner.this.reconfigure(change);
      return null;
    }

    @Override
    public Void setNode(Action.SetNode set) throws EngineException {
      engine.set(set.node(), set.setting(), set.to(), LIMIT);
      return null;
    }

    @Override
    public Void setBlockSize(Action.SetBlockSize size) throws EngineException {
      engine.setBlockSize(size.table(), size.toBytes(), LIMIT);
      return null;
    }

    @Override
    public Void compact(Action.Compact compact) throws EngineException {
      engine.compact(compact.partition(), LIMIT);
      return null;
    }

    @Override
    public Void addNode(Action.AddNode add) throws EngineException {
      String request = planId + "/" + add.placeholder();
      serves(add.placeholder(), provider.add(request, add.profile(), add.tokens(), LIMIT));
      return null;
    }

    @Override
    public Void replaceNode(Action.ReplaceNode replace) throws EngineException {
      String request = planId + "/" + replace.placeholder();
      serves(
          replace.placeholder(),
          provider.replace(request, replace.dead(), replace.profile(), LIMIT));
      provider.remove(replace.dead(), LIMIT);
      return null;
    }

    @Override
    public Void cleanup(Action.Cleanup cleanup) throws EngineException {
      engine.cleanup(cleanup.node(), LIMIT);
      return null;
    }

    @Override
    public Void drainNode(Action.DrainNode drain) throws EngineException {
      engine.setDraining(drain.node(), true);
      return null;
    }

    @Override
    public Void removeNode(Action.RemoveNode remove) throws EngineException {
      if (engine.snapshot().node(remove.node()).isPresent()) {
        engine.vacate(remove.node(), LIMIT);
      }
      provider.remove(remove.node(), LIMIT);
      return null;
    }
  }

  private void serves(NodeId placeholder, NodeId node) throws EngineException {
    added.put(placeholder, node);
    engine.awaitNode(node, 0, LIMIT);
  }

  private void reconfigure(Action.Reconfigure change) throws EngineException {
    ClusterSnapshot now = engine.snapshot();
    NodeState node = now.node(change.node()).orElseThrow();
    if (change.way() == Action.ApplyMode.ONLINE) {
      engine.applyProfile(change.node(), change.to(), LIMIT);
    } else if (node.profile().filter(p -> p.sameMemory(change.to())).isEmpty()) {
      boolean serves =
          now.ownership() == Ownership.ASSIGNED
              && now.partitions().stream()
                  .anyMatch(p -> p.node().filter(change.node()::equals).isPresent());
      if (serves) {
        throw new EngineException("node " + change.node() + " still serves partitions");
      }
      provider.persist(change.node(), change.to());
      provider.restart(change.node(), LIMIT);
      engine.awaitNode(change.node(), node.incarnation(), LIMIT);
    }
  }
}

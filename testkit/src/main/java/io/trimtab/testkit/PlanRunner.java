package io.trimtab.testkit;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
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
    Optional<PartitionId> partition = Optional.empty();
    Optional<NodeId> node = Optional.empty();
    if (planned.action() instanceof Action.Move move) {
      partition = Optional.of(move.partition());
      // On the way to a later place: only the last one is what the plan asks for.
      boolean waits =
          plan.actions().stream()
              .filter(a -> a.step() > planned.step())
              .anyMatch(
                  a ->
                      a.action() instanceof Action.Move m
                          && m.partition().equals(move.partition()));
      if (waits) {
        return true;
      }
    } else if (planned.action() instanceof Action.Compact compact) {
      partition = Optional.of(compact.partition());
    } else if (planned.action() instanceof Action.DrainNode drain) {
      node = Optional.of(drain.node());
    } else if (planned.action() instanceof Action.Cleanup cleanup) {
      node = Optional.of(cleanup.node());
    }
    return partition.filter(p -> now.partition(p).isEmpty()).isPresent()
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
    if (action instanceof Action.Move move) {
      engine.move(move.partition(), real(move.to()), LIMIT);
    } else if (action instanceof Action.Split split) {
      engine.split(split.partition(), split.key(), real(split.rightTo()), LIMIT);
    } else if (action instanceof Action.Merge merge) {
      engine.merge(merge.left(), merge.right(), merge.range(), LIMIT);
    } else if (action instanceof Action.Reconfigure change) {
      reconfigure(change);
    } else if (action instanceof Action.SetNode set) {
      engine.set(set.node(), set.setting(), set.to(), LIMIT);
    } else if (action instanceof Action.SetBlockSize size) {
      engine.setBlockSize(size.table(), size.toBytes());
    } else if (action instanceof Action.Compact compact) {
      engine.compact(compact.partition(), LIMIT);
    } else if (action instanceof Action.AddNode add) {
      String request = plan.id() + "/" + add.placeholder();
      serves(add.placeholder(), provider.add(request, add.profile(), add.tokens(), LIMIT));
    } else if (action instanceof Action.ReplaceNode replace) {
      String request = plan.id() + "/" + replace.placeholder();
      serves(
          replace.placeholder(),
          provider.replace(request, replace.dead(), replace.profile(), LIMIT));
      provider.remove(replace.dead(), LIMIT);
    } else if (action instanceof Action.Cleanup cleanup) {
      engine.cleanup(cleanup.node(), LIMIT);
    } else if (action instanceof Action.DrainNode drain) {
      engine.setDraining(drain.node(), true);
    } else if (action instanceof Action.RemoveNode remove) {
      if (engine.snapshot().node(remove.node()).isPresent()) {
        engine.vacate(remove.node(), LIMIT);
      }
      provider.remove(remove.node(), LIMIT);
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

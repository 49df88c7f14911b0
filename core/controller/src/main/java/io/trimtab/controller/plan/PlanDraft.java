package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.TargetState;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The actions of a plan so far, and where they leave the partitions; all by index. */
final class PlanDraft {
  final TargetState.Input in;
  final TargetState wanted;

  /** All nodes by name, leaving and joining ones too; their indexes compare as their names do. */
  final NodeId[] nodes;

  final Map<NodeId, Integer> index = new HashMap<>();

  /** All partitions by id; of each, at the same index, what the steps ask for. */
  final PartitionState[] parts;

  final AccessClass[] classOf;
  final Rates[] ratesOf;
  final double[] loadOf;

  /** The node's index, as the plan so far leaves it; -1 for none. */
  final int[] at;

  /** The node's index that it is to get to; -1 for none. */
  final int[] target;

  final boolean[] moved;

  /** By node, what is to be there, hottest first. */
  final int[][] due;

  private final List<PlannedAction> actions = new ArrayList<>();

  PlanDraft(TargetState.Input in, TargetState wanted) {
    this.in = in;
    this.wanted = wanted;
    Set<NodeId> names = new HashSet<>(in.nodes());
    parts = in.snapshot().partitions().toArray(new PartitionState[0]);
    for (PartitionState p : parts) {
      p.node().ifPresent(names::add);
    }
    nodes = names.toArray(new NodeId[0]);
    Arrays.sort(nodes);
    for (int n = 0; n < nodes.length; n++) {
      index.put(nodes[n], n);
    }
    Arrays.sort(parts, Comparator.comparing(PartitionState::id));
    classOf = new AccessClass[parts.length];
    ratesOf = new Rates[parts.length];
    loadOf = new double[parts.length];
    at = new int[parts.length];
    target = new int[parts.length];
    moved = new boolean[parts.length];
    for (int p = 0; p < parts.length; p++) {
      PartitionId id = parts[p].id();
      classOf[p] = wanted.classes().get(id);
      ratesOf[p] = in.rates().getOrDefault(id, Rates.ZERO);
      loadOf[p] = ratesOf[p].total();
      at[p] = parts[p].node().map(index::get).orElse(-1);
      NodeId to = wanted.placement().get(id);
      target[p] = to == null ? -1 : index.get(to);
    }
    due = hottestFirst();
  }

  private int[][] hottestFirst() {
    Integer[] order = new Integer[parts.length];
    Arrays.setAll(order, p -> p);
    // Stable: what is as hot stays in the order of ids.
    Arrays.sort(order, Comparator.comparingDouble((Integer p) -> -loadOf[p]));
    int[] count = new int[nodes.length];
    for (int to : target) {
      if (to >= 0) {
        count[to]++;
      }
    }
    int[][] lists = new int[nodes.length][];
    for (int n = 0; n < nodes.length; n++) {
      lists[n] = new int[count[n]];
    }
    int[] next = new int[nodes.length];
    for (int p : order) {
      int to = target[p];
      if (to >= 0) {
        lists[to][next[to]++] = p;
      }
    }
    return lists;
  }

  List<PlannedAction> actions() {
    return List.copyOf(actions);
  }

  boolean isEmpty() {
    return actions.isEmpty();
  }

  boolean isNew(NodeId node) {
    return in.node(node).isEmpty();
  }

  void add(Action action, String reason, String effect, String cost, String undo) {
    actions.add(new PlannedAction(actions.size() + 1, action, reason, effect, cost, undo));
  }

  void add(Action action, PlannedAction.Texts texts) {
    actions.add(new PlannedAction(actions.size() + 1, action, texts));
  }

  /**
   * Adds a move.
   *
   * @param why null where the partition gets to the node that is to serve it
   * @return whether the partition was not there yet
   */
  boolean move(int p, int to, String why) {
    int from = at[p];
    if (from == to) {
      return false;
    }
    add(
        new Action.Move(parts[p].id(), nodes[from], nodes[to]),
        new MoveTexts(
            why,
            classOf[p],
            ratesOf[p],
            wanted.profiles().get(nodes[to]),
            parts[p].sizeBytes(),
            nodes[from]));
    at[p] = to;
    moved[p] = true;
    return true;
  }
}

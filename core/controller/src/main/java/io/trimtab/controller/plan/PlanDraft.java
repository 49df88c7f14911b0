package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.Indexes;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.List;

/**
 * The actions of a plan so far, and where they leave the partitions; all by the indexes of the
 * target cluster.
 */
final class PlanDraft {
  final PlacementInput in;
  final TargetState target;
  final Partitions partitions;

  /** By node; null where none is planned. */
  final Profile[] profiles;

  /** The node's index, as the plan so far leaves it; -1 for none. */
  final int[] at;

  final boolean[] moved;

  /** The target partitions of each node, highest request rate first. */
  final int[][] due;

  private final List<PlannedAction> actions = new ArrayList<>();

  PlanDraft(TargetState target) {
    this.target = target;
    in = target.in();
    partitions = in.partitions();
    profiles = new Profile[in.nodeCount()];
    for (int n = 0; n < profiles.length; n++) {
      profiles[n] = target.profiles().get(in.name(n));
    }
    at = new int[partitions.size()];
    moved = new boolean[partitions.size()];
    for (int p = 0; p < at.length; p++) {
      at[p] = in.at(p);
    }
    due = hottestFirst();
  }

  private int[][] hottestFirst() {
    double[] loads = new double[partitions.size()];
    int[] count = new int[profiles.length];
    for (int p = 0; p < loads.length; p++) {
      loads[p] = partitions.load(p);
      if (target.node(p) >= 0) {
        count[target.node(p)]++;
      }
    }
    int[][] lists = new int[count.length][];
    for (int n = 0; n < count.length; n++) {
      lists[n] = new int[count[n]];
    }
    int[] next = new int[count.length];
    for (int p : Indexes.descending(loads)) {
      int to = target.node(p);
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
    PartitionState state = partitions.state(p);
    add(
        new Action.Move(state.id(), in.name(from), in.name(to)),
        new MoveTexts(
            why,
            partitions.accessClass(p),
            partitions.rates(p),
            profiles[to],
            state.sizeBytes(),
            in.name(from)));
    at[p] = to;
    moved[p] = true;
    return true;
  }
}

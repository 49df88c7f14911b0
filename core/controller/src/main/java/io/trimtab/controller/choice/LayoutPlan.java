package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanBuilder;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What has to be done so that the cluster becomes as a layout has it. */
final class LayoutPlan {
  private final ClusterLoad load;
  private final Layout now;
  private final Evaluator evaluator;

  LayoutPlan(Layout now, Evaluator evaluator) {
    this.load = now.load();
    this.now = now;
    this.evaluator = evaluator;
  }

  /** In the order in which it is done. */
  List<PlannedAction> actions(Layout layout) {
    List<Action.Split> splits = splits(layout);
    List<PlannedAction> moves = moves(layout);
    // What makes room for a half goes first: a plan may end after any action.
    List<PlannedAction> room = moves.stream().filter(move -> makesRoom(move, splits)).toList();
    moves.removeAll(room);
    List<PlannedAction> actions = new ArrayList<>();
    Stream.of(room, SplitPlanner.steps(load.context().seen(), splits), moves)
        .flatMap(List::stream)
        .forEach(next -> actions.add(next.numbered(actions.size() + 1)));
    layout
        .rewrites()
        .blockSizes()
        .forEach(
            (table, bytes) ->
                actions.add(BlockSizes.action(actions.size() + 1, load, table, bytes)));
    for (int p : layout.rewrites().partitions()) {
      int step = actions.size() + 1;
      PartitionState state = load.partitions().state(p);
      actions.add(
          layout.rewrites().blockSizes().containsKey(load.partitions().table(p))
              ? PlanFactory.resizing(step, state)
              : PlanFactory.compaction(step, state, load.localityMin(p)));
    }
    return actions;
  }

  /** Whether a partition leaves a node that gets a half, for one that is there already. */
  private boolean makesRoom(PlannedAction planned, List<Action.Split> splits) {
    return planned
        .action()
        .as(Action.Move.class)
        .filter(move -> now.names().contains(move.to()))
        .filter(move -> splits.stream().anyMatch(split -> split.rightTo().equals(move.from())))
        .isPresent();
  }

  private List<Action.Split> splits(Layout layout) {
    List<Action.Split> splits = new ArrayList<>();
    int first = load.partitions().size();
    List<Layout.Half> halves = layout.halves();
    for (int i = 0; i < halves.size(); i += 2) {
      Layout.Half left = halves.get(i);
      splits.add(
          new Action.Split(
              load.partitions().state(left.of()).id(),
              left.key(),
              left.share(),
              layout.name(layout.nodeOf(first + i)),
              layout.name(layout.nodeOf(first + i + 1))));
    }
    return splits;
  }

  private List<PlannedAction> moves(Layout layout) {
    Map<NodeId, Profile> profiles = new TreeMap<>();
    layout
        .present()
        .filter(n -> layout.profile(n) != null)
        .forEach(n -> profiles.put(layout.name(n), layout.profile(n)));
    List<NodeId> leaving = new ArrayList<>(now.names());
    leaving.removeAll(layout.names());
    // Their provider may give them back in one order only.
    leaving = UsableNodes.leaving(load.context().seen(), leaving, leaving.size());
    PlacementInput in = load.input(layout.names());
    int[] nodeOf = new int[load.partitions().size()];
    Arrays.setAll(
        nodeOf, p -> layout.nodeOf(p) < 0 ? -1 : in.indexOf(layout.name(layout.nodeOf(p))));
    // The split itself takes a half away; as a whole it stays.
    layout.halves().forEach(half -> nodeOf[half.of()] = in.at(half.of()));
    int[] first = GainOrder.of(now, layout, evaluator);
    return new ArrayList<>(
        new PlanBuilder(TargetState.of(in, nodeOf, profiles), leaving, first).build());
  }
}

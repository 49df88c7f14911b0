package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.plan.PlanBuilder;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Partitions that come while others have yet to leave share one cache with them. */
class MoveOrderTest {
  private static final int SEEDS = 300;

  @Test
  void whatIsOnlyWrittenMovesFirst() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomCluster cluster = new RandomCluster(seed);
      Set<PartitionId> written = written(cluster);
      boolean others = false;
      for (Action.Move move : moves(cluster)) {
        assertThat(others && written.contains(move.partition())).as("seed %s", seed).isFalse();
        others |= !written.contains(move.partition());
      }
    }
  }

  /** Unless everything goes in circles. */
  @Test
  void nothingComesToANodeThatHasToGiveAwayWhileAnotherNodeHasNot() {
    int circles = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomCluster cluster = new RandomCluster(seed);
      Set<PartitionId> written = written(cluster);
      List<Action.Move> left = new ArrayList<>(moves(cluster));
      left.removeIf(move -> written.contains(move.partition()));
      while (!left.isEmpty()) {
        Action.Move next = left.get(0);
        Set<Object> giving = new HashSet<>();
        left.forEach(move -> giving.add(move.from()));
        if (giving.contains(next.to())) {
          assertThat(left).as("seed %s", seed).allMatch(move -> giving.contains(move.to()));
          circles++;
        }
        left.remove(0);
      }
    }
    assertThat(circles).isPositive();
  }

  /** Moves of a plan without restarts, which empty node after node; none of one with restarts. */
  private static List<Action.Move> moves(RandomCluster cluster) {
    List<Action> actions =
        new PlanBuilder(target(cluster), List.of())
            .build().stream().map(PlannedAction::action).toList();
    boolean restarts =
        actions.stream()
            .flatMap(action -> action.as(Action.Reconfigure.class).stream())
            .anyMatch(change -> change.way() == Action.ApplyMode.RESTART);
    return restarts
        ? List.of()
        : actions.stream().flatMap(action -> action.as(Action.Move.class).stream()).toList();
  }

  private static Set<PartitionId> written(RandomCluster cluster) {
    Set<PartitionId> written = new HashSet<>();
    Partitions partitions = target(cluster).in().partitions();
    for (int p = 0; p < partitions.size(); p++) {
      if (partitions.accessClass(p) == AccessClass.WRITE) {
        written.add(partitions.state(p).id());
      }
    }
    return written;
  }

  private static TargetState target(RandomCluster c) {
    Settings settings = Settings.defaults();
    return TargetState.fromScratch(
        new PlacementInput(
            c.snapshot,
            Classifier.classify(c.seen(), PolicyState.INITIAL, settings),
            c.snapshot.nodes().stream().map(NodeState::id).toList(),
            settings.place(),
            settings.tables()));
  }
}

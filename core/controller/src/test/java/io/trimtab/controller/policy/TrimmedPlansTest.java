package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What one plan may not move, several do. */
class TrimmedPlansTest {
  private static int fewestOnANode(Observation.Usable seen) {
    return seen.snapshot().partitions().stream()
        .collect(Collectors.groupingBy(p -> p.node().orElseThrow(), Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .min()
        .orElseThrow();
  }

  @Test
  void aNodeThatHoldsMoreThanAPlanMayMoveIsGivenBackBySeveral() throws Exception {
    TableSpec little = TableSpec.of("t", 48, 64 << 20, Access.reads(3_000));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, little));
    int moves = (fewestOnANode(seen) + 1) / 2;
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().minNodes(5).maxMoves(moves).build());
    assertThat(moves).isPositive().isLessThan(fewestOnANode(seen));

    PolicyState state = PolicyState.INITIAL;
    Set<NodeId> emptied = new HashSet<>();
    int plans = 0;
    boolean removed = false;
    while (!removed && plans < 5) {
      Decision decision = Policies.AUTOPILOT.decide(seen, state, settings);
      assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
      Decision.Act act = (Decision.Act) decision;
      List<Action.Move> moved = act.plan().actions(Action.Move.class);
      assertThat(moved).hasSizeBetween(1, moves);
      moved.forEach(move -> emptied.add(move.from()));
      removed = !act.plan().actions(Action.RemoveNode.class).isEmpty();
      if (!removed) {
        assertThat(act.plan().summary()).startsWith("begin to empty a node, to remove it: ");
        assertThat(act.plan().gain()).isEqualTo(1);
      }
      seen = seen.on(PlanApplier.apply(act.plan(), seen.snapshot()));
      state = act.next();
      plans++;
    }

    assertThat(removed).isTrue();
    assertThat(plans).isGreaterThan(1);
    assertThat(emptied).hasSize(1);
  }
}

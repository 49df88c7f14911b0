package io.trimtab.runtime.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One of the nodes can't be read. */
class QuarantinedNodeTest extends FourNodes {
  private static final int HOLDS = 5;

  private final List<Plan> plans = new ArrayList<>();
  private final List<String> held = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private Settings settings = settings(GuardSettings.builder().maxNodes(4).build());

  private static Settings settings(GuardSettings guard) {
    return settings(3, guard);
  }

  /** The one with the least usage, which every plan would like to use. */
  private NodeId idlest() throws EngineException {
    cluster.clock().advance(Duration.ofSeconds(30));
    return cluster.engine().snapshot().nodes().stream()
        .min(Comparator.comparingDouble(node -> node.usage().server()))
        .map(NodeState::id)
        .orElseThrow();
  }

  private void run() throws EngineException {
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planned(Plan plan, boolean acts) {
            plans.add(plan);
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            ended.add(outcome + ": " + why);
            loop.stop();
          }

          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason + " [" + setting + "]");
            if (held.size() >= HOLDS) {
              loop.stop();
            }
          }

          @Override
          public void unread(String what) {
            unread.add(what);
          }
        };
    run(settings, listener);
  }

  @Test
  void theOthersAreRelievedWithoutTheNodeThatDoesNotAnswer() throws Exception {
    NodeId silent = idlest();
    List<PartitionId> its = on(silent);
    cluster.faults().always(Verb.SNAPSHOT, silent, Kind.GAP);

    run();

    assertThat(ended).as("held: %s", held).singleElement().asString().startsWith("done");
    assertThat(cluster.faults().calls(Verb.MOVE) + cluster.faults().calls(Verb.SPLIT)).isPositive();
    for (Plan plan : plans) {
      for (Action.Move move : plan.actions(Action.Move.class)) {
        assertThat(List.of(move.from(), move.to())).doesNotContain(silent);
      }
    }
    cluster.faults().clear();
    assertThat(on(silent)).containsExactlyElementsOf(its);
    assertThat(unread)
        .singleElement()
        .asString()
        .contains(silent + " can't be read, and nothing is planned with it");
    assertThat(home.recorded()).filteredOn(Entry.Unread.class::isInstance).hasSize(1);
  }

  @Test
  void beyondTheLimitNothingIsDone() throws Exception {
    settings = settings(GuardSettings.builder().maxNodes(4).badNodesMax(0.2).build());
    cluster.faults().always(Verb.SNAPSHOT, idlest(), Kind.GAP);

    run();

    assertThat(plans).isEmpty();
    assertThat(held)
        .hasSize(HOLDS)
        .allSatisfy(
            hold ->
                assertThat(hold)
                    .startsWith("guard: 1 of 4 nodes look unhealthy at the same time")
                    .contains("1 could not be read")
                    .endsWith("[guard.badNodesMax]"));
    assertThat(cluster.faults().calls(Verb.MOVE)).isZero();
  }

  /** As for want of a permission: to wait for the nodes would have no end. */
  @Test
  void whoCanReadNoNodeIsRefusedBeforeItTakesControl() throws Exception {
    cluster = of(1);
    cluster.faults().always(Verb.SNAPSHOT, idlest(), Kind.GAP);

    assertThatThrownBy(this::run)
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("no node could be read; ")
        .message()
        .doesNotContain("\n");
    assertThat(held).isEmpty();
    assertThat(home.recorded()).isEmpty();
    cluster.engine().takeControl("another").close();
  }

  @Test
  void oneLookThatFailsIsNoRefusal() throws Exception {
    cluster = of(1);
    cluster.faults().on(Verb.SNAPSHOT, idlest(), 1, Kind.GAP);

    run();

    assertThat(plans.size() + held.size()).isPositive();
  }

  @Test
  void aPlanThatTouchesTheNodeWaitsAndIsGivenUp() throws Exception {
    NodeId silent = idlest();
    ClusterSnapshot now = cluster.engine().snapshot();
    PartitionState moved =
        now.partitions().stream()
            .filter(p -> p.node().filter(n -> !n.equals(silent)).isPresent())
            .findFirst()
            .orElseThrow();
    NodeId from = moved.node().orElseThrow();
    Plan plan = TestPlans.of("p1", now, new Action.Move(moved.id(), from, silent));
    TestTenure.begun(cluster, home, plan);
    cluster.faults().always(Verb.SNAPSHOT, silent, Kind.GAP);

    run();

    assertThat(ended.get(0))
        .startsWith("abandoned: the plan can't go on: move involves node " + silent)
        .contains("for 120 s");
    assertThat(cluster.faults().calls(Verb.MOVE)).isZero();
  }

  private List<PartitionId> on(NodeId node) throws EngineException {
    return cluster.engine().snapshot().partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .map(PartitionState::id)
        .toList();
  }
}

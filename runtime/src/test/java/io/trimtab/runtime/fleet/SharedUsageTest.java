package io.trimtab.runtime.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.MachineMap;
import io.trimtab.controller.guard.MachineMap.Listed;
import io.trimtab.controller.guard.MachineMap.Machine;
import io.trimtab.controller.guard.SharedMachines.Node;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.models.capacity.MachineBudget.Size;
import io.trimtab.runtime.FakeEngine;
import io.trimtab.testkit.TestPlans;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two clusters whose nodes have the same names, and use 0.9 of four cores each. */
class SharedUsageTest {
  private static final NodeId N0 = new NodeId("n0:1");
  private static final NodeId N1 = new NodeId("n1:1");
  private static final Size NODE = new Size(4, 8L << 30, 100L << 30);

  /** Of both, 7.2 are used. */
  private static final Size MACHINE = new Size(7.7, 64L << 30, 1L << 40);

  private final SharedUsage usage =
      new SharedUsage(
          new MachineMap(
              List.of(
                  new Machine(
                      "both",
                      MACHINE,
                      List.of(new Listed("shop", N0, NODE), new Listed("logs", N0, NODE))),
                  new Machine("n1", MACHINE, List.of())),
              List.of(NODE)));

  private final SharedUsage.Member shop = usage.member("shop");
  private final SharedUsage.Member logs = usage.member("logs");

  private static ClusterSnapshot snapshot(int nodes) throws EngineException {
    return new FakeEngine(nodes, nodes).snapshot();
  }

  private static List<Node> on(SharedUsage.Member decides, String machine, String cluster) {
    return decides.now().nodes().get(machine).stream()
        .filter(node -> node.cluster().equals(cluster))
        .toList();
  }

  /** Would have the first node use all of its cores, which is 0.4 more. */
  private static Optional<Guard.Verdict.Refuse> claim(SharedUsage.Member member, boolean urgent)
      throws EngineException {
    ClusterSnapshot now = snapshot(1);
    Action move = new Action.Move(new PartitionId("t", "p"), N1, N0);
    Plan plan = TestPlans.of("p1", now, move);
    UsagePrediction predicted =
        new UsagePrediction(UsagePrediction.Origin.LEARNED, new TreeMap<>(Map.of(N0, 1.0)));
    Decision.Act act =
        new Decision.Act(plan, PolicyState.INITIAL, Optional.of(predicted), urgent, List.of());
    Map<NodeId, Double> used = Map.of(N0, 0.9);
    Observation.Usable seen = new Observation.Usable(now, Map.of(), used, used, List.of());
    Instant at = now.takenAt();
    return member.claim(new Decider.Go(act, false, Optional.of(predicted)), seen, at);
  }

  private void bothAreSeen() throws EngineException {
    shop.seen(snapshot(1));
    logs.seen(snapshot(1));
  }

  @Test
  void twoPlansDoNotGetTheSameRoom() throws Exception {
    bothAreSeen();
    assertThat(claim(shop, false)).isEmpty();
    assertThat(claim(logs, false))
        .map(Guard.Verdict.Refuse::reason)
        .contains(
            "the plan would bring machine both to 8.0 of its 7.7 cores: logs 4.0, now 3.6; shop"
                + " 4.0");
    shop.seen(snapshot(1));
    assertThat(claim(logs, false)).as("the plan of shop goes on").isPresent();

    shop.ended();
    shop.seen(snapshot(1));
    assertThat(claim(logs, false)).as("what was seen is partly of before its end").isPresent();
    shop.seen(snapshot(1));
    assertThat(claim(logs, false)).isEmpty();
  }

  /** It is seen before its plan has ended. */
  @Test
  void aNodeThatAPlanHasStartedCountsOnce() throws Exception {
    bothAreSeen();
    ClusterSnapshot now = snapshot(1);
    Action add = new Action.AddNode(1, Profile.HOMOGENEOUS);
    Decision.Act act = new Decision.Act(TestPlans.of("p1", now, add), PolicyState.INITIAL);
    Map<NodeId, Double> used = Map.of(N0, 0.9);
    NodeCapacity offer = NodeCapacity.of(1).with(NodeCapacity.Places.at(List.of(N1)));
    Observation.Usable seen =
        new Observation.Usable(now, Map.of(), used, used, List.of()).withOffer(Optional.of(offer));
    assertThat(shop.claim(new Decider.Go(act, false, Optional.empty()), seen, now.takenAt()))
        .isEmpty();
    assertThat(on(logs, "n1", "shop")).extracting(Node::id).containsExactly(N1);

    shop.seen(snapshot(2));
    assertThat(on(logs, "n1", "shop"))
        .singleElement()
        .satisfies(node -> assertThat(node.cores()).as("of an unknown one, all").isEqualTo(4));
  }

  @Test
  void dataAtRiskWaitForNoRoom() throws Exception {
    bothAreSeen();
    assertThat(claim(shop, false)).isEmpty();
    assertThat(claim(logs, true)).isEmpty();
  }

  @Test
  void aNodeIsCountedAsItWasSeenUntilItIsSeenThatItHasLeft() throws Exception {
    assertThat(on(shop, "both", "logs"))
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.cores()).as("of an unknown one, all").isEqualTo(4);
              assertThat(node.seen()).isEmpty();
            });
    logs.seen(snapshot(1));
    assertThat(on(shop, "both", "logs").get(0).cores()).isCloseTo(3.6, within(1e-9));

    ClusterSnapshot whole = snapshot(1);
    logs.seen(whole.with(List.of(), List.of(), List.of("the master does not answer")));
    assertThat(on(shop, "both", "logs").get(0).cores()).isCloseTo(3.6, within(1e-9));
    logs.seen(whole.with(List.of(), List.of(), List.of()));
    assertThat(on(shop, "both", "logs")).isEmpty();
  }

  /** As one that was added since the file was written. */
  @Test
  void aNodeThatIsNotListedIsFoundByItsAddress() throws Exception {
    assertThat(on(logs, "n1", "shop")).isEmpty();
    shop.seen(snapshot(2));
    assertThat(on(logs, "n1", "shop")).extracting(Node::id).containsExactly(N1);
    assertThat(on(logs, "both", "shop")).extracting(Node::id).containsExactly(N0);
  }

  @Test
  void itIsToldHowAClusterCountsThatIsAway() throws Exception {
    assertThat(shop.unseen())
        .contains("on machines that it shares it counts whole, as it was not seen yet");
    shop.seen(snapshot(1));
    assertThat(shop.unseen()).contains("on machines that it shares it counts as it was last seen");
    assertThat(usage.member("other").unseen()).isEmpty();
    assertThat(SharedUsage.NOBODY.unseen()).isEmpty();
  }
}

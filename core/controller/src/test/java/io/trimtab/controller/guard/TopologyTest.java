package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.TiramolaPolicy;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Plans that would break data centres or racks are refused, and others are not. */
class TopologyTest {
  private static final Instant NOW = Instant.EPOCH;

  /** A place with its nodes: {@code dc1/r1: a b -c} has the live nodes a, b and the dead one c. */
  private static ClusterSnapshot ring(Map<String, Integer> copies, String... places) {
    List<NodeState> nodes = new ArrayList<>();
    for (String place : places) {
      String[] parts = place.split("[/:]");
      for (String name : parts[2].strip().split(" ")) {
        boolean alive = !name.startsWith("-");
        NodeId id = new NodeId(name.replace("-", "") + ":9042");
        nodes.add(
            new NodeState(
                    id,
                    1,
                    alive,
                    false,
                    Optional.empty(),
                    false,
                    NodeUsage.UNKNOWN,
                    NodeGauges.UNKNOWN)
                .in(parts[0], parts[1]));
      }
    }
    TreeMap<String, Copies.Range> byDataCentre = new TreeMap<>();
    copies.forEach((name, most) -> byDataCentre.put(name, new Copies.Range(1, most)));
    return new ClusterSnapshot(
            NOW,
            "ring",
            "cassandra",
            Ownership.TOKENS,
            "5.0.9",
            1,
            nodes,
            List.of(),
            0,
            List.of(),
            BalancerState.PAUSED,
            List.of())
        .with(new Copies(1, 1, byDataCentre));
  }

  /** {@code +} adds a node, {@code =x} replaces x, any other word removes the node. */
  private static Optional<String> refusal(ClusterSnapshot ring, String... changes) {
    List<PlannedAction> actions = new ArrayList<>();
    for (String change : changes) {
      int step = actions.size() + 1;
      NodeId node = new NodeId(change.replace("=", "") + ":9042");
      Action action =
          change.equals("+")
              ? new Action.AddNode(step, Profile.HOMOGENEOUS)
              : change.startsWith("=")
                  ? new Action.ReplaceNode(step, node, Profile.HOMOGENEOUS)
                  : new Action.RemoveNode(node);
      actions.add(new PlannedAction(step, action, "r", "e", "c", "u"));
    }
    Plan plan = new Plan("p", "ring", NOW, "met", "s", 1, actions);
    Guard.Verdict usual =
        Guard.check(
            plan,
            ring,
            Optional.empty(),
            Optional.of(NodeCapacity.of(9)),
            Settings.defaults(),
            NOW);
    assertThat(
            Guard.checkUrgent(
                plan, ring, Optional.of(NodeCapacity.of(9)), Settings.defaults(), NOW))
        .as("urgent plans are no exception")
        .isEqualTo(usual);
    return usual instanceof Guard.Verdict.Refuse refuse
        ? Optional.of(refuse.reason())
        : Optional.empty();
  }

  @Test
  void aDataCentreKeepsAsManyNodesAsItHasCopies() {
    ClusterSnapshot ring = ring(Map.of("dc1", 3, "dc2", 1), "dc1/r:a b c", "dc2/r:d e f");
    assertThat(refusal(ring, "a"))
        .contains(
            "copies per data centre: 2 live nodes of data centre dc1 could not hold 3 copies");
    assertThat(refusal(ring, "d")).isEmpty();
    assertThat(refusal(ring, "d", "e")).isEmpty();
    assertThat(refusal(ring, "d", "e", "f")).isPresent();
  }

  @Test
  void aNewNodeMakesUpForOneThatLeavesOnlyWhereItCanBeInNoOtherDataCentre() {
    assertThat(refusal(ring(Map.of("dc1", 3), "dc1/r:a b c"), "a", "+")).isEmpty();
    assertThat(refusal(ring(Map.of("dc1", 3, "dc2", 1), "dc1/r:a b c", "dc2/r:d"), "a", "+"))
        .isPresent();
  }

  @Test
  void deadNodesHoldNoCopies() {
    ClusterSnapshot ring = ring(Map.of("dc1", 3), "dc1/r:a b c d -e");
    assertThat(refusal(ring, "a")).isEmpty();
    assertThat(refusal(ring, "a", "b")).isPresent();
    ClusterSnapshot few = ring(Map.of("dc1", 3), "dc1/r:a b c d e f g h -i");
    assertThat(refusal(few, "i")).isEmpty();
    // A dead node's place is not given up where its data centre has too few without it.
    assertThat(refusal(ring(Map.of("dc1", 4), "dc1/r:a b c -d"), "d"))
        .contains(
            "copies per data centre: 3 live nodes of data centre dc1 could not hold 4 copies");
  }

  @Test
  void aReplacementIsNeitherAddedNorRemoved() {
    assertThat(refusal(ring(Map.of("dc1", 4), "dc1/r1:a b c", "dc1/r2:-d"), "=d")).isEmpty();
  }

  @Test
  void noRackLosesItsLastNode() {
    ClusterSnapshot ring = ring(Map.of("dc1", 2), "dc1/r1:a b", "dc1/r2:c", "dc1/r3:d e");
    assertThat(refusal(ring, "c"))
        .contains("racks: the plan would remove the last live node of rack r2 in data centre dc1");
    assertThat(refusal(ring, "a")).isEmpty();
    assertThat(refusal(ring, "a", "b")).isPresent();
    // Where the new node will be is not known.
    assertThat(refusal(ring, "c", "+")).isPresent();
    ClusterSnapshot halfDead = ring(Map.of("dc1", 1), "dc1/r1:a b c d", "dc1/r2:e f g h -i");
    assertThat(refusal(halfDead, "e", "f", "g", "h")).isPresent();
    // A rack that has none any more loses none; its dead nodes may go.
    assertThat(refusal(ring(Map.of("dc1", 1), "dc1/r1:a b c d", "dc1/r2:-e"), "e")).isEmpty();
  }

  @Test
  void theOnlyRackIsNoReason() {
    assertThat(refusal(ring(Map.of("dc1", 1), "dc1/r1:a b", "dc2/r1:c d"), "a", "c")).isEmpty();
  }

  @Test
  void racksDoNotBecomeLopsided() {
    ClusterSnapshot ring = ring(Map.of("dc1", 3), "dc1/r1:a b c", "dc1/r2:d e f", "dc1/r3:g h i");
    assertThat(refusal(ring, "a")).isEmpty();
    assertThat(refusal(ring, "a", "b"))
        .contains(
            "rack balance: racks of data centre dc1 would have live nodes r1: 1, r2: 3, r3: 3,"
                + " the largest more than one node and more than half above the smallest");
    assertThat(refusal(ring, "a", "d", "g")).isEmpty();
    // Half of four is two.
    ClusterSnapshot large = ring(Map.of("dc1", 3), "dc1/r1:a b c d e f", "dc1/r2:g h i j k");
    assertThat(refusal(large, "g")).isEmpty();
    assertThat(refusal(large, "g", "h")).isPresent();
  }

  @Test
  void lopsidedRacksMayBecomeBetterOrStay() {
    ClusterSnapshot ring = ring(Map.of("dc1", 3), "dc1/r1:a b c d e f", "dc1/r2:g h", "dc1/r3:i j");
    assertThat(refusal(ring, "a")).isEmpty();
    assertThat(refusal(ring, "g")).get().asString().startsWith("rack balance: ");
    assertThat(refusal(ring, "g", "a")).isEmpty();
    // One that is added may become better, or worse: that is not in the plan's hand.
    assertThat(refusal(ring, "+")).get().asString().startsWith("rack balance: ");
    assertThat(refusal(ring, "a", "+")).isEmpty();
  }

  /** A provider that always takes a machine of the same rack. */
  @Test
  void growthStopsWhereARackIsTooLarge() {
    assertThat(refusal(ring(Map.of("dc1", 3), "dc1/r1:a b c", "dc1/r2:d e f"), "+")).isEmpty();
    assertThat(refusal(ring(Map.of("dc1", 3), "dc1/r1:a b c g", "dc1/r2:d e f"), "+")).isEmpty();
    ClusterSnapshot lopsided = ring(Map.of("dc1", 3), "dc1/r1:a b c g h", "dc1/r2:d e f");
    assertThat(refusal(lopsided, "+"))
        .contains(
            "rack balance: racks of data centre dc1 have nodes r1: 5, r2: 3, the largest more than"
                + " one node and more than half above the smallest; add a node to r2 first");
    assertThat(refusal(ring(Map.of("dc1", 3), "dc1/r1:a b c g h", "dc1/r2:d e f i"), "+"))
        .isEmpty();
    // Nodes that are dead for a while have not made the other racks too large.
    assertThat(refusal(ring(Map.of("dc1", 1), "dc1/r1:a b c g h", "dc1/r2:d e f -i"), "+"))
        .isEmpty();
    assertThat(refusal(ring(Map.of(), "/:a b c"), "+")).isEmpty();
  }

  @Test
  void newNodesMayBeWhereTheyAreNeeded() {
    ClusterSnapshot ring = ring(Map.of("dc1", 3), "dc1/r1:a b c", "dc1/r2:d e f", "dc1/r3:g h i");
    assertThat(refusal(ring, "a", "b", "+")).isEmpty();
    ClusterSnapshot two =
        ring(
            Map.of("dc1", 1, "dc2", 1),
            "dc1/r1:a b c",
            "dc1/r2:d e f",
            "dc2/r1:g h i",
            "dc2/r2:j k l");
    // One cannot be in both data centres.
    assertThat(refusal(two, "a", "b", "g", "h", "+")).isPresent();
    assertThat(refusal(two, "a", "b", "g", "h", "+", "+")).isEmpty();
  }

  @Test
  void whereNoPlaceIsKnownNothingIsRefused() {
    assertThat(refusal(ring(Map.of(), "/:a b c"), "a", "b")).isEmpty();
  }

  @Test
  void policiesChooseANodeThatMayLeave() {
    ClusterSnapshot ring = RandomCluster.rested(ring(Map.of("dc1", 1), "dc1/r1:a", "dc1/r2:b c"));
    Map<NodeId, Double> idle = new TreeMap<>();
    ring.nodes().forEach(node -> idle.put(node.id(), 0.01));
    Observation.Usable seen = new Observation.Usable(ring, Map.of(), idle, idle, List.of());
    Decision decision = new TiramolaPolicy().decide(seen, PolicyState.INITIAL, Settings.defaults());
    assertThat(((Decision.Act) decision).plan().actions(Action.RemoveNode.class))
        .extracting(Action.RemoveNode::node)
        .containsExactly(new NodeId("b:9042"));
  }

  @Test
  void whereNoneMayLeaveTheGuardSaysWhy() {
    ClusterSnapshot ring = ring(Map.of("dc1", 1), "dc1/r1:a", "dc1/r2:b");
    List<NodeId> all = ring.nodes().stream().map(NodeState::id).toList();
    assertThat(Topology.removable(ring, all)).isEqualTo(all);
    assertThat(refusal(ring, "a")).get().asString().startsWith("racks: ");
  }

  @Test
  void aRemovalLooksAgainAtWhatIsLeft() {
    PlannedAction remove =
        new PlannedAction(1, new Action.RemoveNode(new NodeId("a:9042")), "r", "e", "c", "u");
    Map<String, Integer> copies = Map.of("dc1", 2);
    assertThat(
            Preconditions.violated(
                List.of(remove), ring(copies, "dc1/r1:a b", "dc1/r2:c"), Map.of()))
        .isEmpty();
    assertThat(
            Preconditions.violated(
                List.of(remove), ring(copies, "dc1/r1:a -b", "dc1/r2:c d"), Map.of()))
        .get()
        .asString()
        .startsWith("racks: ");
    assertThat(Preconditions.violated(List.of(remove), ring(copies, "dc1/r1:b"), Map.of()))
        .isEmpty();
  }
}

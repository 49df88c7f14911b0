package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.guard.MachineMap.Listed;
import io.trimtab.controller.guard.MachineMap.Machine;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.models.capacity.MachineBudget.Size;
import io.trimtab.testkit.TestPlans;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Of the cluster shop, with nodes on m1 and m2; logs has some on m2 and m3. */
class SharedMachinesTest {
  private static final Instant NOW = RandomCluster.NOW;
  private static final NodeId A = new NodeId("m1:1");
  private static final NodeId B = new NodeId("m2:1");
  private static final NodeId NEW = new Action.AddNode(1, Profile.HOMOGENEOUS).placeholder();
  private static final NodeId LOGS_2 = new NodeId("m2:2");
  private static final NodeId LOGS_3 = new NodeId("m3:2");
  private static final PartitionId P = new PartitionId("t", "p");
  private static final Size SMALL = size(4, 8);

  private static final MachineMap MAP =
      new MachineMap(
          List.of(
              new Machine("m1", size(8, 32), List.of(new Listed("shop", A, SMALL))),
              new Machine(
                  "m2",
                  size(6, 32),
                  List.of(new Listed("shop", B, SMALL), new Listed("logs", LOGS_2, SMALL))),
              new Machine("m3", size(6, 10), List.of(new Listed("logs", LOGS_3, SMALL)))),
          List.of(SMALL));

  private static Size size(double cores, long memoryGibibytes) {
    return new Size(cores, memoryGibibytes << 30, 100L << 30);
  }

  private static SharedMachines.Node node(
      String cluster, NodeId id, double cores, Optional<Instant> seen) {
    return new SharedMachines.Node(cluster, id, SMALL, cores, seen);
  }

  /** What logs uses on m2. */
  private static SharedMachines machines(double cores, Optional<Instant> seen) {
    return new SharedMachines(
        "shop",
        MAP,
        Map.of(
            "m1",
            List.of(node("shop", A, 2, Optional.of(NOW))),
            "m2",
            List.of(node("shop", B, 2, Optional.of(NOW)), node("logs", LOGS_2, cores, seen)),
            "m3",
            List.of(node("logs", LOGS_3, 3, Optional.of(NOW)))));
  }

  private static SharedMachines machines(double cores) {
    return machines(cores, Optional.of(NOW));
  }

  /** Both nodes use so much, and as much of it is CPU as told. */
  private static Observation.Usable seen(double usage, double cpu) {
    ClusterSnapshot snapshot =
        RandomCluster.snapshot(
            List.of(
                RandomCluster.node(A, Profile.HOMOGENEOUS, true),
                RandomCluster.node(B, Profile.HOMOGENEOUS, true)),
            List.of());
    return new Observation.Usable(
        snapshot, Map.of(), Map.of(A, usage, B, usage), Map.of(A, cpu, B, cpu), List.of());
  }

  private static Plan plan(Action... actions) {
    return TestPlans.of("p1", seen(0.5, 0.5).snapshot(), actions);
  }

  private static Plan moveToB() {
    return plan(new Action.Move(P, A, B));
  }

  private static Plan oneMore() {
    return plan(new Action.AddNode(1, Profile.HOMOGENEOUS));
  }

  private static Optional<UsagePrediction> predicted(Map<NodeId, Double> usage) {
    return Optional.of(new UsagePrediction(UsagePrediction.Origin.LEARNED, new TreeMap<>(usage)));
  }

  private static Optional<UsagePrediction> predicted(double b) {
    return predicted(Map.of(A, 0.1, B, b));
  }

  private static Optional<String> reason(Optional<Guard.Verdict.Refuse> refusal) {
    return refusal.map(Guard.Verdict.Refuse::reason);
  }

  @Test
  void whatAllClustersUseThenIsSummed() {
    assertThat(machines(3).refuses(moveToB(), seen(0.5, 0.5), predicted(0.9), NOW))
        .contains(
            new Guard.Verdict.Refuse(
                "the plan would bring machine m2 to 6.6 of its 6.0 cores: shop 3.6, now 2.0; logs"
                    + " 3.0",
                "machines.m2"));
    assertThat(machines(2).refuses(moveToB(), seen(0.5, 0.5), predicted(0.9), NOW)).isEmpty();
    assertThat(SharedMachines.NONE.refuses(moveToB(), seen(0.5, 0.5), predicted(0.9), NOW))
        .isEmpty();
  }

  @Test
  void onlyTheCpuPartOfUsageTakesCores() {
    assertThat(machines(3).refuses(moveToB(), seen(0.5, 0.25), predicted(0.9), NOW)).isEmpty();
  }

  @Test
  void whatIsNotKnownCountsWholeAndWhatIsOldAsItWasSeen() {
    assertThat(
            reason(
                machines(Double.NaN, Optional.empty())
                    .refuses(moveToB(), seen(0.5, 0.5), predicted(0.9), NOW)))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .contains("to 7.6 of its 6.0 cores")
                    .endsWith("logs 4.0, counted whole as it was not seen yet"));
    Instant before = NOW.minus(Duration.ofMinutes(10));
    assertThat(
            reason(
                machines(3, Optional.of(before))
                    .refuses(moveToB(), seen(0.5, 0.5), predicted(0.9), NOW)))
        .hasValueSatisfying(why -> assertThat(why).endsWith("logs 3.0, last seen at " + before));
  }

  @Test
  void aFullMachineIsNoReasonToRefuseWhatRelievesIt() {
    assertThat(machines(4).refuses(moveToB(), seen(0.6, 0.6), predicted(0.4), NOW)).isEmpty();
    assertThat(machines(4).refuses(moveToB(), seen(0.6, 0.6), predicted(0.6), NOW)).isEmpty();
    assertThat(machines(4).refuses(moveToB(), seen(0.6, 0.6), predicted(0.7), NOW)).isPresent();
    Plan leaves = plan(new Action.RemoveNode(B));
    assertThat(machines(4).refuses(leaves, seen(0.6, 0.6), predicted(Map.of(A, 1.0)), NOW))
        .isEmpty();
  }

  /** Else a prediction that is too high would stop every plan while a machine is full. */
  @Test
  void whatAPlanTakesLoadFromIsNotPredictedToUseMore() {
    Plan away = plan(new Action.Move(P, B, A));
    assertThat(machines(4).refuses(away, seen(0.6, 0.6), predicted(0.8), NOW)).isEmpty();
    Plan other =
        plan(
            new Action.Move(P, B, A),
            new Action.Reconfigure(B, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.ONLINE));
    assertThat(machines(4).refuses(other, seen(0.6, 0.6), predicted(0.8), NOW)).isPresent();
  }

  @Test
  void whereNothingIsPredictedWhatGetsLoadCountsWhole() {
    assertThat(reason(machines(3).refuses(moveToB(), seen(0.5, 0.5), Optional.empty(), NOW)))
        .hasValueSatisfying(why -> assertThat(why).contains("m2 to 7.0 of its 6.0 cores"));
    Plan away = plan(new Action.Move(P, B, A));
    assertThat(machines(3).refuses(away, seen(0.5, 0.5), Optional.empty(), NOW)).isEmpty();
  }

  private static Optional<String> oneMore(Optional<NodeCapacity> offer) {
    return reason(
        machines(3)
            .refuses(
                oneMore(),
                seen(0.5, 0.5).withOffer(offer),
                predicted(Map.of(A, 0.4, B, 0.4, NEW, 0.5)),
                NOW));
  }

  private static Optional<String> oneMoreAt(String node) {
    NodeCapacity.Places places = NodeCapacity.Places.at(List.of(new NodeId(node)));
    return oneMore(Optional.of(NodeCapacity.of(1).with(places)));
  }

  @Test
  void aNodeMoreNeedsRoomWhereItComes() {
    String full =
        "the plan would bring machine m3 to 16.0 of its 10.0 GiB of memory: shop 8.0, now 0.0;"
            + " logs 8.0";
    assertThat(oneMoreAt("m3:1")).contains(full);
    assertThat(oneMoreAt("m4:1")).as("a machine that nobody shares").isEmpty();
    assertThat(oneMore(Optional.of(NodeCapacity.of(1))))
        .contains(
            full
                + "; the node provider does not tell where a new node will be, and it may be"
                + " there");
    assertThat(oneMore(Optional.of(NodeCapacity.of(1).with(NodeCapacity.Places.OWN)))).isEmpty();
  }

  /** As a host whose node has died is free for the next one, which has the same name. */
  @Test
  void aNodeThatTakesThePlaceOfADeadOneCountsOnce() {
    NodeId dead = new NodeId("m3:1");
    Map<String, List<SharedMachines.Node>> nodes = new TreeMap<>(machines(3).nodes());
    nodes.put(
        "m3",
        List.of(
            node("shop", dead, 4, Optional.of(NOW)), node("logs", LOGS_3, 3, Optional.of(NOW))));
    NodeCapacity offer = NodeCapacity.of(1).with(NodeCapacity.Places.at(List.of(dead)));
    Map<String, List<SharedMachines.Node>> then =
        new SharedMachines("shop", MAP, nodes)
            .after(oneMore(), seen(0.5, 0.5).withOffer(Optional.of(offer)), Optional.empty());
    assertThat(then.get("m3")).extracting(SharedMachines.Node::id).containsExactly(dead);
    assertThat(then.get("m2")).extracting(SharedMachines.Node::id).containsExactly(B);
  }

  /** All nodes of a lab have one address. */
  @Test
  void nodesAreFoundByWhatIsListedOrElseByTheirAddress() {
    assertThat(MAP.machineOf("logs", LOGS_3)).map(Machine::name).contains("m3");
    assertThat(MAP.machineOf("shop", new NodeId("m3:1"))).map(Machine::name).contains("m3");
    assertThat(MAP.machineOf("shop", new NodeId("m4:1"))).isEmpty();
    MachineMap lab =
        new MachineMap(
            List.of(
                new Machine("x", SMALL, List.of(new Listed("shop", new NodeId("l:1"), SMALL))),
                new Machine("y", SMALL, List.of(new Listed("logs", new NodeId("l:2"), SMALL)))),
            List.of(SMALL));
    assertThat(lab.machineOf("logs", new NodeId("l:2"))).map(Machine::name).contains("y");
    assertThat(lab.machineOf("logs", new NodeId("l:3"))).as("either").isEmpty();
  }
}

package io.trimtab.controller.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whether a node can be taken out of service, and where its partitions go and come from. */
class TakenOutTest {
  private static final TableSpec TABLE = TableSpec.of("t", 6, 6L << 30, Access.reads(100));

  private final InMemoryCluster cluster = new InMemoryCluster(ClusterSpec.assigned(1, 3, TABLE));
  private final List<NodeId> nodes =
      cluster.truth().nodes().stream().map(node -> node.id()).toList();
  private final NodeId node = nodes.get(0);
  private Settings settings = Settings.defaults();

  private List<PartitionId> served(NodeId by) {
    return cluster.truth().partitions().stream()
        .filter(p -> p.node().filter(by::equals).isPresent())
        .map(PartitionState::id)
        .toList();
  }

  /**
   * @param requests per second of the node's partitions, in their order; those of others are 100
   */
  private Observation.Usable seen(ClusterSnapshot now, List<Double> usage, List<Double> requests) {
    Map<PartitionId, Rates> rates = new TreeMap<>();
    now.partitions().forEach(p -> rates.put(p.id(), new Rates(100, 0, 0, 0)));
    List<PartitionId> its = served(node);
    for (int i = 0; i < requests.size(); i++) {
      rates.put(its.get(i), new Rates(requests.get(i), 0, 0, 0));
    }
    Map<NodeId, Double> used = new TreeMap<>();
    for (int i = 0; i < usage.size(); i++) {
      used.put(nodes.get(i), usage.get(i));
    }
    return new Observation.Usable(now, rates, used, Map.of(), List.of());
  }

  private TakenOut.Answer away(List<Double> usage, List<Double> requests, long bytes) {
    return TakenOut.away(seen(cluster.truth(), usage, requests), node, bytes, settings);
  }

  private TakenOut.Answer away(NodeId other) {
    return TakenOut.away(
        seen(cluster.truth(), List.of(0.1, 0.1, 0.1), List.of()), other, 0, settings);
  }

  private static void assertRefused(TakenOut.Answer answer, String reason, String setting) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            TakenOut.Answer.Refused.class,
            refused -> {
              assertThat(refused.reason()).contains(reason);
              assertThat(refused.setting()).isEqualTo(setting);
            });
  }

  @Test
  void eachPartitionGoesWhereTheLeastIsUsedTheHottestFirst() {
    List<PartitionId> its = served(node);
    assertThat(its).hasSize(2);

    TakenOut.Answer answer = away(List.of(0.4, 0.3, 0.1), List.of(100.0, 300.0), 0);

    assertThat(answer).isInstanceOf(TakenOut.Answer.Moves.class);
    TakenOut.Answer.Moves moves = (TakenOut.Answer.Moves) answer;
    assertThat(moves.plan().actions(Action.Move.class))
        .containsExactly(
            new Action.Move(its.get(1), node, nodes.get(2)),
            new Action.Move(its.get(0), node, nodes.get(1)));
    // Three quarters of its usage go with three quarters of its requests.
    assertThat(moves.usage().get(nodes.get(2))).isCloseTo(0.1 + 0.3, within(1e-9));
    assertThat(moves.usage().get(nodes.get(1))).isCloseTo(0.3 + 0.1, within(1e-9));
    assertThat(moves.usage()).doesNotContainKey(node);
  }

  @Test
  void aNodeThatServesNobodyIsTakenOutWithoutAMove() throws EngineException {
    cluster.engine().setBalancer(BalancerState.PAUSED);
    for (PartitionId partition : served(node)) {
      cluster.engine().move(partition, nodes.get(1), Duration.ofMinutes(1));
    }

    assertThat(away(node))
        .isInstanceOfSatisfying(
            TakenOut.Answer.Moves.class, moves -> assertThat(moves.plan().actions()).isEmpty());
  }

  @Test
  void theOthersMustStayBelowTheTarget() {
    assertRefused(
        away(List.of(0.6, 0.6, 0.6), List.of(), 0),
        "without node %s, node %s would be at 90 %%, more than the target of 70 %%"
            .formatted(node, nodes.get(1)),
        "usage.target");
  }

  @Test
  void thereMustBeEnoughOthers() {
    settings = settings.with(GuardSettings.builder().minNodes(3).build());
    assertRefused(
        away(node),
        "2 nodes would serve without node " + node + ", fewer than 3",
        "guard.minNodes");
  }

  @Test
  void aNodeThatIsNotThereOrTakesNoPartitionsIsRefused() throws EngineException {
    assertRefused(away(new NodeId("no:1")), "there is no node no:1; there are " + node, "");
    cluster.engine().setDraining(nodes.get(1), true);
    assertRefused(away(nodes.get(1)), "is closed for partitions", "");
    cluster.kill(nodes.get(2));
    assertRefused(away(nodes.get(2)), "node " + nodes.get(2) + " is dead", "");
  }

  @Test
  void aRingsNodeIsRefused() {
    InMemoryCluster ring = new InMemoryCluster(ClusterSpec.ring(1, 3, 2, TABLE));
    ClusterSnapshot now = ring.truth();
    assertRefused(
        TakenOut.away(
            new Observation.Usable(now, Map.of(), Map.of(), Map.of(), List.of()),
            now.nodes().get(0).id(),
            0,
            settings),
        "always owns its part of the data",
        "");
  }

  @Test
  void theTablesOfTheMeasurementMustFitTheDisks() {
    cluster.setDisks(10L << 30);
    assertThat(away(List.of(0.1, 0.1, 0.1), List.of(), 1L << 30))
        .isInstanceOf(TakenOut.Answer.Moves.class);

    // They are rewritten once: the old files are there until the new ones are.
    assertRefused(
        away(List.of(0.1, 0.1, 0.1), List.of(), 4L << 30),
        "the disks of node " + node + " would be ",
        "guard.maxDiskUsed");
  }

  @Test
  void whatIsElsewhereAndStillThereComesBack() throws EngineException {
    cluster.engine().setBalancer(BalancerState.PAUSED);
    List<PartitionId> home = served(node);
    cluster.engine().move(home.get(0), nodes.get(1), Duration.ofMinutes(1));
    List<PartitionId> wanted =
        List.of(home.get(0), home.get(1), new PartitionId("t", "split meanwhile"));

    Plan plan = TakenOut.back(cluster.truth(), node, wanted);

    assertThat(plan.actions(Action.Move.class))
        .containsExactly(new Action.Move(home.get(0), nodes.get(1), node));
    cluster.kill(node);
    assertThat(TakenOut.back(cluster.truth(), node, wanted).actions()).isEmpty();
  }
}

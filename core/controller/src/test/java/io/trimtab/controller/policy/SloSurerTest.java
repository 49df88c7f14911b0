package io.trimtab.controller.policy;

import static io.trimtab.controller.policy.SloPolicyTest.SETTINGS;
import static io.trimtab.controller.policy.SloPolicyTest.added;
import static io.trimtab.controller.policy.SloPolicyTest.checks;
import static io.trimtab.controller.policy.SloPolicyTest.held;
import static io.trimtab.controller.policy.SloPolicyTest.objective;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.Service;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes by tables or by what requests cost so far: 1 ms each, and 0.02 of a node for idling. */
class SloSurerTest {
  private static final double IDLE = 0.02;
  private static final double READ = 1e-3;

  /** By the rows of 50 and 150 clients 100 need 5 nodes for 21 ms, but it may be far off. */
  private static ProvisioningTable vague() {
    List<Cell> cells = new ArrayList<>();
    double any = Double.NaN;
    for (int nodes = 2; nodes <= 8; nodes++) {
      cells.add(new Cell("zipf", "small", 20, nodes, 20.0 / nodes, 10, any, any, 1));
      cells.add(new Cell("zipf", "small", 50, nodes, 50.0 / nodes, 10, any, any, 1));
      cells.add(new Cell("zipf", "small", 150, nodes, 150.0 / nodes, 10, any, any, 1));
      cells.add(new Cell("zipf", "small", 300, nodes, 1_500.0 / nodes, 10, any, any, 1));
    }
    return new ProvisioningTable(cells);
  }

  private static CostLearner learned() {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double reads = 100 + 4 * i;
      learner = learner.with(new CostSample(reads, 0, 0, 0, 0, IDLE + READ * reads, 0));
    }
    return learner;
  }

  /** Nodes that each serve so many reads per second from their caches. */
  private static Observation.Usable ring(int number, double reads) {
    NodeGauges hits = new NodeGauges(-1, -1, -1, 1_000, 0, -1, -1, -1, -1, -1, -1, -1, Map.of());
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < number; i++) {
      NodeId id = new NodeId("n" + i + ":9042");
      double usage = IDLE + READ * reads;
      nodes.add(
          new NodeState(
              id, 1, true, false, Optional.empty(), false, new NodeUsage(usage, 0, 0, 0), hits));
      used.put(id, usage);
      PartitionId part = new PartitionId("t", "p" + i);
      partitions.add(
          new PartitionState(
              part, Optional.of(id), PartitionCounters.ZERO, 1 << 20, 1, 65_536, KeyRange.ALL));
      rates.put(part, new Rates(reads, 0, 0, 0));
    }
    ClusterSnapshot snapshot = Rings.snapshot(Instant.EPOCH, nodes, partitions);
    return new Observation.Usable(snapshot, rates, used, used, List.of());
  }

  private static Decision decide(
      int nodes, double reads, ProvisioningTable table, double limit, double ms) {
    return decide(nodes, reads, service("shop", table, limit, checks(20, 100, ms)));
  }

  private static Service service(
      String tenant, ProvisioningTable table, double limit, List<Service.Check> checks) {
    return new Service(tenant, objective(limit, Double.NaN, Double.NaN), table, "small", checks);
  }

  private static Decision decide(int nodes, double reads, Service... services) {
    return new SloPolicy()
        .decide(
            ring(nodes, reads)
                .with(Optional.of(LearnedNodes.alike(learned().costs())))
                .withServices(List.of(services)),
            PolicyState.INITIAL,
            SETTINGS);
  }

  private static String summary(Decision decision) {
    return ((Decision.Act) decision).plan().summary();
  }

  @Test
  void whatRequestsCostCountsWhereItIsSurerThanTheTable() {
    Decision more = decide(3, 880, vague(), 21, 50);

    assertThat(summary(more))
        .endsWith(
            "; by the tables it takes 5 nodes (2 or more); by what requests cost so far it takes"
                + " 4 nodes, which is surer");
    assertThat(added(more)).isEqualTo(1);
  }

  @Test
  void aTableThatIsExactIsNotDoubted() {
    Decision more = decide(3, 880, SloPolicyTest.table(), 24, 50);

    assertThat(summary(more)).endsWith("; by the tables it takes 5 nodes");
    assertThat(added(more)).isEqualTo(2);
  }

  @Test
  void aNodeThatIsUsedToItsLimitDoesNotTellWhatItIsAskedFor() {
    Decision more = decide(3, 960, vague(), 21, 50);

    assertThat(summary(more))
        .contains("by the tables it takes 5 nodes (2 or more)")
        .contains("does not tell: n0:9042 is used to its limit");
    assertThat(added(more)).isEqualTo(2);
  }

  @Test
  void whatSaysThatThereAreEnoughNodesDoesNotExplainWhatIsMissed() {
    Decision byTables = decide(3, 580, vague(), 21, 50);
    assertThat(summary(byTables)).endsWith("by what requests cost so far it takes 3 nodes");
    assertThat(added(byTables)).isEqualTo(2);

    Decision byCosts = decide(3, 930, vague(), 40, 50);
    assertThat(summary(byCosts))
        .contains("by the tables it takes 3 nodes (2 or more)")
        .endsWith("by what requests cost so far it takes 5 nodes");
    assertThat(added(byCosts)).isEqualTo(2);
  }

  /** What clients have asked for that do not report now is not in the load of now. */
  @Test
  void whoIsSilentHasNoPartInWhatRequestsCost() {
    Service shop = service("shop", vague(), 21, checks(20, 100, 50));
    Service logs = service("logs", vague(), 21, List.of());
    Decision more = decide(3, 880, shop, logs);

    assertThat(summary(more))
        .endsWith(
            "; by the tables it takes 10 nodes (4 or more); by what requests cost so far it takes"
                + " 4 nodes, without clients that do not report now");
    assertThat(added(more)).as("as many as the agreement allows").isEqualTo(4);
    assertThat(summary(decide(3, 880, shop, service("logs", vague(), 21, checks(20, 100, 20)))))
        .as("all report")
        .endsWith("4 nodes, which is surer");
  }

  @Test
  void noNodeIsGivenBackThatIsNeededByWhatIsSurer() {
    assertThat(held(decide(6, 580, vague(), 40, 17)))
        .endsWith(
            "it needs 3 nodes, but by what requests cost so far, which is surer, it takes 6 nodes");
    assertThat(summary(decide(6, 580, SloPolicyTest.table(), 40, 17)))
        .endsWith("; it needs 3 nodes");
  }
}

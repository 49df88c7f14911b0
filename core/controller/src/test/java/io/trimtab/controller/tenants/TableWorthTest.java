package io.trimtab.controller.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TableWorthTest {
  private static final NodeId NODE = new NodeId("a:1");
  private static final int NODES = 6;

  /** Two tables, of which the second one is asked for a hundred times as much; and an idle one. */
  private static Partitions partitions() {
    Map<PartitionId, Rates> rates = new TreeMap<>();
    rates.put(new PartitionId("little", "p1"), new Rates(3, 0, 0, 0));
    rates.put(new PartitionId("little", "p2"), new Rates(7, 0, 0, 0));
    rates.put(new PartitionId("much", "p3"), new Rates(1_000, 0, 0, 0));
    rates.put(new PartitionId("none", "p4"), Rates.ZERO);
    List<PartitionState> states = new ArrayList<>();
    for (PartitionId id : rates.keySet()) {
      states.add(
          new PartitionState(
              id, Optional.of(NODE), PartitionCounters.ZERO, 1, 1, 32 << 10, KeyRange.ALL));
    }
    var snapshot =
        RandomCluster.snapshot(List.of(RandomCluster.node(NODE, Profile.READ, true)), states);
    Map<NodeId, Double> usage = Map.of(NODE, 0.5);
    return Partitions.ofOneClass(
        new Observation.Usable(snapshot, rates, usage, usage, List.of()), AccessClass.READ);
  }

  private static TableWorth worth() {
    return new TableWorth(partitions(), partitions().loads(), NODES);
  }

  @Test
  void tablesCountAlikeHoweverManyRequestsTheyHave() {
    assertThat(worth().of(0)).isCloseTo(0.9, within(1e-9));
    assertThat(worth().of(1)).isCloseTo(2.1, within(1e-9));
    assertThat(worth().of(2)).isCloseTo(3, within(1e-9));
    assertThat(worth().of(3)).isZero();
  }

  /** One that is asked for once an hour, by a monitor, would else be worth as much as a shop. */
  @Test
  void aTableThatNextToNobodyAsksForIsWorthNothing() {
    TableWorth worth = new TableWorth(partitions(), new double[] {0.0003, 0, 1_000, 0.009}, NODES);

    assertThat(worth.of(0)).isZero();
    assertThat(worth.of(2)).isCloseTo(NODES, within(1e-9));
    assertThat(worth.of(3)).isZero();
    assertThat(worth.served(new double[] {0, 0, 0})).containsExactly(1, 1, 1);
  }

  @Test
  void whatIsLostOfATableIsNotServed() {
    assertThat(worth().served(new double[] {0.3, 0, 0}))
        .containsExactly(new double[] {0.9, 1, 1}, within(1e-9));
    assertThat(worth().served(new double[] {9, 0, 0})[0]).isCloseTo(0.1, within(1e-9));
  }

  /** In nodes: each of the two tables is worth three. */
  @Test
  void aLossWeighsMoreTheLargerItIs() {
    TableWorth worth = worth();
    double[] all = {1, 1, 1};

    assertThat(worth.regret(all, all, 2)).isZero();
    assertThat(worth.regret(all, new double[] {0.95, 1, 1}, 2)).isCloseTo(0.15, within(1e-9));
    assertThat(worth.regret(all, new double[] {0.85, 1, 1}, 2))
        .as("with what is served less, more than all that one other can gain")
        .isCloseTo(3 * 0.15 * (8 - 1), within(1e-9))
        .isGreaterThan(3 - 3 * 0.15);
    assertThat(worth.regret(all, new double[] {0.85, 1, 1}, 1)).isCloseTo(0, within(1e-9));
    assertThat(worth.regret(new double[] {0.5, 1, 1}, all, 2)).as("a gain").isZero();
  }

  /** A tenth less of what it is asked for is a fifth less of what it is served. */
  @Test
  void aLossCountsRelativeToWhatIsServed() {
    assertThat(worth().regret(new double[] {0.5, 1, 1}, new double[] {0.4, 1, 1}, 1))
        .isCloseTo(3 * (0.2 - 0.1), within(1e-9));
  }

  @Test
  void theTableThatLosesMostIsTold() {
    double[] now = {0.8, 1, 1};

    assertThat(TableWorth.loser(now, new double[] {0.7, 0.9, 1})).isEqualTo(OptionalInt.of(0));
    assertThat(TableWorth.loser(now, new double[] {0.78, 0.96, 1})).isEmpty();
    assertThat(worth().changes(now, new double[] {0.7, 0.995, 1}))
        .containsExactly(new TableChange("little", 0.8, 0.7));
  }
}

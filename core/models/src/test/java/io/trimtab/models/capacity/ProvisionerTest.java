package io.trimtab.models.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.capacity.Provisioner.Answer;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProvisionerTest {
  private static final int[] CLIENTS = {128, 256, 512};

  /** Chalkiadaki 2013, Table 5.1, from two nodes on: response time and throughput. */
  private static final double[][][] SMALL = {
    {{23.4, 5.5}, {19.7, 6.7}, {15.6, 7.7}, {14, 8.8}, {12.2, 10.2}, {10.7, 11.6}},
    {{49.5, 5.5}, {37.9, 6.9}, {32.3, 8.5}, {25, 9.6}, {22.4, 11.1}, {18, 11.1}},
    {{102.2, 5.2}, {76.1, 6.6}, {61, 8}, {51.4, 9.8}, {44, 10.9}, {34.6, 12.2}}
  };

  /** Table 5.2, likewise. */
  private static final double[][][] MEDIUM = {
    {{13.53, 9.27}, {11.73, 11.85}, {8.93, 14.7}, {5.89, 15.9}},
    {{25.73, 10}, {19.64, 11.67}, {16.57, 14.88}, {12.02, 16.20}},
    {{58.44, 9.33}, {44.63, 11.95}, {34.36, 15}, {25.77, 17.95}}
  };

  private static List<Cell> cells(String type, double[][][] values) {
    var cells = new ArrayList<Cell>();
    for (int row = 0; row < values.length; row++) {
      for (int i = 0; i < values[row].length; i++) {
        double[] v = values[row][i];
        cells.add(
            new Cell("zipf", type, CLIENTS[row], i + 2, v[0], v[1], Double.NaN, Double.NaN, 1));
      }
    }
    return cells;
  }

  private static ProvisioningTable table() {
    var cells = new ArrayList<>(cells("small", SMALL));
    cells.addAll(cells("medium", MEDIUM));
    return new ProvisioningTable(cells);
  }

  private static Objective objective(double responseTimeMs, double throughput, int maxNodes) {
    return new Objective("zipf", 384, responseTimeMs, Double.NaN, Double.NaN, throughput, maxNodes);
  }

  @Test
  void theThesisTableOfInterpolatedValuesIsReproduced() {
    // Table 5.5, the row of 384 clients.
    double[][] printed = {
      {75.9, 5.3}, {57, 6.7}, {46.6, 8.2}, {38.2, 9.7}, {33.2, 11}, {26.3, 11.7}
    };
    for (int i = 0; i < printed.length; i++) {
      ServiceEstimate at = table().at("zipf", "small", 384, i + 2);
      // To the printed digit, half up or half even.
      assertThat(at.responseTimeMs().value()).isCloseTo(printed[i][0], within(0.0501));
      assertThat(at.throughputMBps().value()).isCloseTo(printed[i][1], within(0.0501));
      assertThat(at.extrapolated()).isEmpty();
    }
  }

  @Test
  void fiveSmallNodesAreChosenAsInTheThesis() {
    var small = new ProvisioningTable(cells("small", SMALL));
    Answer answer = Provisioner.plan(small, objective(40, Double.NaN, 7), Map.of());
    assertThat(answer.chosen().orElseThrow().nodes()).isEqualTo(5);
    assertThat(answer.fewer().orElseThrow().nodes()).isEqualTo(4);
    assertThat(answer.fewer().orElseThrow().misses())
        .containsExactly("response time 46.7 ms > 40.0");
    assertThat(answer.more().orElseThrow().nodes()).isEqualTo(6);

    Answer faster = Provisioner.plan(small, objective(40, 10.5, 7), Map.of());
    assertThat(faster.chosen().orElseThrow().nodes()).isEqualTo(6);
  }

  @Test
  void theCheapestTypeIsChosen() {
    Objective wanted = objective(40, Double.NaN, 7);
    Answer medium = Provisioner.plan(table(), wanted, Map.of("small", 0.05, "medium", 0.06));
    assertThat(medium.chosen().orElseThrow().nodeType()).isEqualTo("medium");
    assertThat(medium.chosen().orElseThrow().hourly()).isCloseTo(0.18, within(1e-9));

    Answer small = Provisioner.plan(table(), wanted, Map.of("small", 0.05, "medium", 0.12));
    assertThat(small.chosen().orElseThrow().nodeType()).isEqualTo("small");
    assertThat(small.chosen().orElseThrow().nodes()).isEqualTo(5);
  }

  @Test
  void whatCantBeMetIsSaidWithWhatComesNearest() {
    Answer answer = Provisioner.plan(table(), objective(10, Double.NaN, 4), Map.of());
    assertThat(answer.chosen()).isEmpty();
    assertThat(answer.best().orElseThrow().nodeType()).isEqualTo("medium");
    assertThat(answer.best().orElseThrow().nodes()).isEqualTo(4);
    assertThat(answer.best().orElseThrow().meets()).isFalse();

    Answer unmeasured =
        Provisioner.plan(
            table(),
            new Objective("zipf", 384, Double.NaN, Double.NaN, 99, Double.NaN, 7),
            Map.of());
    assertThat(unmeasured.best().orElseThrow().misses())
        .containsExactly("99th percentile was not measured");
  }

  @Test
  void percentilesAreInterpolatedAndKeptLikeTheMean() {
    var cells = new ArrayList<Cell>();
    for (int nodes = 2; nodes <= 4; nodes++) {
      for (int clients : List.of(100, 200)) {
        double ms = clients / (double) nodes;
        cells.add(new Cell("w", "t", clients, nodes, ms, 5, 2 * ms, 3 * ms, 1));
      }
    }
    var percentiles = new ProvisioningTable(cells);
    double any = Double.NaN;
    // 150 clients on 2, 3, 4 nodes: p95 150, 100, 75 ms; p99 225, 150, 112.5 ms.
    assertThat(nodes(percentiles, new Objective("w", 150, any, 100, any, any, 9))).isEqualTo(3);
    assertThat(nodes(percentiles, new Objective("w", 150, any, 99, any, any, 9))).isEqualTo(4);
    assertThat(nodes(percentiles, new Objective("w", 150, any, any, 150, any, 9))).isEqualTo(3);
    assertThat(nodes(percentiles, new Objective("w", 150, any, 200, 150, any, 9))).isEqualTo(3);
    Answer missed =
        Provisioner.plan(percentiles, new Objective("w", 150, any, 1, any, any, 9), Map.of());
    assertThat(missed.best().orElseThrow().misses())
        .containsExactly("95th percentile 75.0 ms > 1.0");
  }

  private static int nodes(ProvisioningTable table, Objective objective) {
    return Provisioner.plan(table, objective, Map.of()).chosen().orElseThrow().nodes();
  }

  @Test
  void outsideOfWhatWasMeasuredIsFlagged() {
    ServiceEstimate more = table().at("zipf", "small", 600, 5);
    assertThat(more.extrapolated()).containsExactly("more clients than the measured 512");
    assertThat(more.responseTimeMs().value()).isCloseTo(51.4 + 88.0 / 256 * 26.4, within(1e-9));
    ServiceEstimate fewer = table().at("zipf", "small", 1, 5);
    assertThat(fewer.extrapolated()).containsExactly("fewer clients than the measured 128");
    assertThat(fewer.responseTimeMs().value()).isPositive();
  }

  @Test
  void intervalsComeFromRowsThatAreLeftOut() {
    // A straight line: leaving its middle out costs nothing. Then one with a bend.
    var straight = new ArrayList<Cell>();
    var bent = new ArrayList<Cell>();
    for (int clients : CLIENTS) {
      straight.add(new Cell("w", "t", clients, 2, 0.1 * clients, 5, Double.NaN, Double.NaN, 1));
      bent.add(
          new Cell("w", "t", clients, 2, 1e-3 * clients * clients, 5, Double.NaN, Double.NaN, 1));
    }
    ServiceEstimate sure = new ProvisioningTable(straight).at("w", "t", 384, 2);
    assertThat(sure.responseTimeMs().low()).isCloseTo(38.4, within(1e-9));
    assertThat(sure.responseTimeMs().high()).isCloseTo(38.4, within(1e-9));
    ServiceEstimate unsure = new ProvisioningTable(bent).at("w", "t", 384, 2);
    assertThat(unsure.responseTimeMs().low()).isLessThan(147.5);
    assertThat(unsure.responseTimeMs().high()).isGreaterThan(147.5);
    ServiceEstimate row = new ProvisioningTable(bent).at("w", "t", 256, 2);
    assertThat(row.responseTimeMs().low()).isEqualTo(row.responseTimeMs().value());
    assertThat(row.responseTimeMs().high()).isEqualTo(row.responseTimeMs().value());
    assertThat(row.p95Ms().low()).as("not measured").isNaN();

    var two = new ProvisioningTable(straight.subList(0, 2));
    assertThat(two.at("w", "t", 200, 2).responseTimeMs().low()).isNaN();
    assertThat(two.at("w", "t", 200, 2).responseTimeMs().value()).isCloseTo(20, within(1e-9));
  }

  @Test
  void badTablesAndQuestionsAreRefused() {
    Cell cell = new Cell("w", "t", 128, 2, 10, 5, Double.NaN, Double.NaN, 1);
    assertThatThrownBy(() -> new ProvisioningTable(List.of(cell, cell)))
        .hasMessage("two rows for w on 2 nodes of type t with 128 clients");
    assertThatThrownBy(() -> new ProvisioningTable(List.of())).hasMessageContaining("needs rows");
    assertThatThrownBy(() -> new Cell("w", "t", 0, 2, 10, 5, Double.NaN, Double.NaN, 1))
        .hasMessage("clients must be ≥ 1, not 0");
    assertThatThrownBy(() -> new Cell("w", "t", 1, 2, Double.NaN, 5, Double.NaN, Double.NaN, 1))
        .hasMessageContaining("responseTimeMs");
    assertThatThrownBy(() -> table().at("zipf", "small", 128, 9))
        .hasMessage("zipf was not measured on 9 nodes of type small");
    assertThatThrownBy(
            () -> Provisioner.plan(table(), new Objective("u", 1, 1, 1, 1, 1, 1), Map.of()))
        .hasMessage("workload u was not measured; measured: zipf");
    assertThatThrownBy(
            () -> new Objective("w", 1, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 1))
        .hasMessageContaining("needs a response time");
  }

  @Test
  void theThesisTableTellsHowManyClientsWait() {
    // Records of 1 KB. Any row gives its own clients, within the table's digits.
    assertThat(table().waiting("zipf", "small", 46.7, 8.2)).isCloseTo(384, within(12.0));
    assertThat(table().waiting("zipf", "small", 12.2, 5.1)).isCloseTo(64, within(3.0));
    assertThat(table().waiting("zipf", "large", 12.2, 5.1)).isNaN();
  }

  @Test
  void aPercentileOfReadsHoldsForAllWhereThatOfAllIsNotKnown() {
    double any = Double.NaN;
    Latency reads = new Latency(any, 40, any);
    Objective agreed = new Objective("zipf", 384, any, any, any, any, 7, reads, Latency.UNKNOWN);
    Latency all = new Latency(20, any, any);
    assertThat(agreed.ofAll(all, new Latency(25, 50, 60), Latency.UNKNOWN).p95Ms()).isEqualTo(40);
    assertThat(agreed.ofAll(all, Latency.NONE, Latency.UNKNOWN).p95Ms()).isNaN();
  }

  @Test
  void fewerClientsArePromisedAsMuchLess() {
    Objective agreed = objective(40, 9.6, 7);
    assertThat(agreed.forClients(96).throughputMBps()).isEqualTo(2.4);
    assertThat(agreed.forClients(768).throughputMBps()).isEqualTo(9.6);
    assertThat(objective(40, Double.NaN, 7).throughputOf(96)).isNaN();
  }

  /** Two clients' rows lie on a line, or the one in the middle is far from it. */
  private static Optional<NodesNeeded> needed(double middle, int clients, double limit) {
    var cells = new ArrayList<Cell>();
    double any = Double.NaN;
    for (int nodes = 1; nodes <= 8; nodes++) {
      cells.add(new Cell("zipf", "small", 100, nodes, 100.0 / nodes, 10, any, any, 1));
      cells.add(new Cell("zipf", "small", 200, nodes, middle / nodes, 10, any, any, 1));
      cells.add(new Cell("zipf", "small", 300, nodes, 300.0 / nodes, 10, any, any, 1));
    }
    Objective objective = new Objective("zipf", clients, limit, any, any, any, 8);
    return Provisioner.needed(new ProvisioningTable(cells), objective, "small");
  }

  @Test
  void theIntervalOfTheNumberOfNodesFollowsFromTheTablesErrors() {
    assertThat(needed(200, 150, 31)).contains(new NodesNeeded(5, 5, 5));
    // A fifth off, so that 175 ms may be 175 ± 69.
    assertThat(needed(250, 150, 54)).contains(new NodesNeeded(4, 2, 5));
    assertThat(needed(250, 250, 41)).contains(new NodesNeeded(7, 5, NodesNeeded.UNKNOWN));
    // What was measured is not doubted for what lies between.
    assertThat(needed(250, 100, 31)).contains(new NodesNeeded(4, 4, 4));
    assertThat(needed(250, 300, 45)).contains(new NodesNeeded(7, 7, 7));
    // Outside of the measured range it may be any number.
    assertThat(needed(200, 310, 45)).contains(new NodesNeeded(7, 7, NodesNeeded.UNKNOWN));
    assertThat(needed(200, 300, 10)).isEmpty();
  }

  @Test
  void theSurerNumberHasTheNarrowerInterval() {
    NodesNeeded known = new NodesNeeded(4, 3, 5);
    NodesNeeded vague = new NodesNeeded(4, 1, NodesNeeded.UNKNOWN);
    assertThat(known.isSurerThan(vague)).isTrue();
    assertThat(vague.isSurerThan(known)).isFalse();
    assertThat(known.isSurerThan(known)).isFalse();
    NodesNeeded open = new NodesNeeded(4, 3, NodesNeeded.UNKNOWN);
    assertThat(open.isSurerThan(vague)).as("both may be any number").isFalse();
    assertThat(vague.isSurerThan(open)).isFalse();
    assertThat(known.plus(known)).isEqualTo(new NodesNeeded(8, 6, 10));
    assertThat(known.plus(vague).most()).isEqualTo(NodesNeeded.UNKNOWN);
    assertThatThrownBy(() -> new NodesNeeded(4, 5, 6))
        .hasMessage("4 nodes must be between 5 and 6");
  }
}

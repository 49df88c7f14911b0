package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.observe.Service.Percentiles;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An agreement of 40 ms on a ring that keeps two copies; n nodes answer c clients in c / n ms. */
class SloPolicyTest {
  static final Settings SETTINGS = settings(20, 20);

  private static Settings settings(int checks, int maxNodes) {
    return Settings.defaults()
        .with(SloSettings.builder().sla("sla.yaml").tables(List.of("t.csv")).checks(checks).build())
        .with(GuardSettings.builder().maxNodes(maxNodes).build())
        .with(UsageSettings.builder().margin(0.1).build())
        .with(Policies.SLO);
  }

  static ProvisioningTable table() {
    List<Cell> cells = new ArrayList<>();
    for (int nodes = 2; nodes <= 8; nodes++) {
      for (int clients : new int[] {20, 100, 300}) {
        cells.add(
            new Cell(
                "zipf",
                "small",
                clients,
                nodes,
                clients / (double) nodes,
                10,
                Double.NaN,
                Double.NaN,
                1));
      }
    }
    return new ProvisioningTable(cells);
  }

  static Check check(int clients, double ms, long cacheUsed) {
    return new Check(clients, ms, Percentiles.UNKNOWN, 10, cacheUsed, 1_000);
  }

  static List<Check> checks(int number, int clients, double ms) {
    return java.util.Collections.nCopies(number, check(clients, ms, 990));
  }

  static Decision decide(int nodes, List<Check> checks) {
    return decide(nodes, checks, SETTINGS, objective(40, Double.NaN, Double.NaN));
  }

  static Objective objective(double ms, double p99, double rate) {
    return new Objective("zipf", 100, ms, Double.NaN, p99, rate, 7);
  }

  static Decision decide(int nodes, List<Check> checks, Settings settings, Objective objective) {
    Service service = new Service("shop", objective, table(), "small", checks);
    return decide(nodes, settings, service);
  }

  static Decision decide(int nodes, Settings settings, Service... services) {
    Observation.Usable seen = ring(nodes).withServices(List.of(services));
    return new SloPolicy().decide(seen, PolicyState.INITIAL, settings);
  }

  private static Observation.Usable ring(int number) {
    List<NodeState> nodes = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    for (int i = 0; i < number; i++) {
      NodeId id = new NodeId("n" + i + ":9042");
      NodeUsage usage = new NodeUsage(0.5, 0, 0, 0);
      nodes.add(
          new NodeState(id, 1, true, false, Optional.empty(), false, usage, NodeGauges.UNKNOWN));
      used.put(id, 0.5);
    }
    ClusterSnapshot snapshot = Rings.snapshot(Instant.EPOCH, nodes, List.of());
    return new Observation.Usable(snapshot, Map.of(), used, used, List.of());
  }

  static long added(Decision decision) {
    return ((Decision.Act) decision)
        .plan().actions().stream().filter(a -> a.action().kind().equals("add-node")).count();
  }

  static String held(Decision decision) {
    return ((Decision.Hold) decision).reason();
  }

  @Test
  void aBrokenAgreementTakesAsManyNodesAsTheTableSays() {
    // 100 clients are answered in 40 ms by 3 nodes (33 ms), 200 by 5 (40 ms).
    Decision more = decide(2, checks(20, 200, 100));

    assertThat(added(more)).isEqualTo(3);
    assertThat(((Decision.Act) more).plan().summary())
        .contains("shop: mean response time 100.0 ms > 40.0")
        .contains("200 clients");
    assertThat(((Decision.Act) more).plan().policy()).isEqualTo("slo");
  }

  @Test
  void whereTheTableSaysThatThereAreEnoughOneMoreIsTaken() {
    assertThat(added(decide(3, checks(20, 100, 55)))).isEqualTo(1);
  }

  @Test
  void itDecidesWithinTwoPeriodsOfTheLastCheckThatItNeeds() {
    List<Check> few = checks(19, 100, 55);
    assertThat(held(decide(3, few))).startsWith("19 of 20 checks");
    List<Check> enough = new ArrayList<>(few);
    enough.add(check(100, 55, 990));
    assertThat(added(decide(3, enough))).isEqualTo(1);
  }

  @Test
  void cachesThatFillAreWaitedFor() {
    List<Check> filling = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      filling.add(check(100, 90, 100 + 20 * i));
    }
    assertThat(held(decide(3, filling))).isEqualTo("caches are still filling");
    // One that has all that it will get never becomes full.
    assertThat(added(decide(3, java.util.Collections.nCopies(20, check(100, 90, 300)))))
        .isEqualTo(1);
  }

  @Test
  void neverMoreNodesThanTheGuardOrTheAgreementAllow() {
    Decision agreement = decide(7, checks(20, 300, 90));
    assertThat(held(agreement)).contains("7 nodes are the most allowed");
    assertThat(((Decision.Hold) agreement).setting()).isEqualTo("maxNodes of the agreement");
    Decision guard =
        decide(3, checks(20, 300, 90), settings(20, 3), objective(40, Double.NaN, Double.NaN));
    assertThat(((Decision.Hold) guard).setting()).isEqualTo("guard.maxNodes");
  }

  @Test
  void aNodeIsGivenBackWhereFewerLeaveSomethingToSpare() {
    // 100 clients: 4 nodes 25 ms, 3 nodes 33 ms, which is below nine tenths of 40.
    Decision less = decide(4, checks(20, 100, 25));
    assertThat(((Decision.Act) less).plan().actions())
        .singleElement()
        .satisfies(a -> assertThat(a.action().kind()).isEqualTo("remove-node"));
    // 110 clients: 3 nodes 36.7 ms, which keeps 40, but leaves less than a tenth.
    assertThat(held(decide(4, checks(20, 110, 27.5))))
        .contains("3 nodes would not meet it: ")
        .contains("36.7 ms > 36.0");
  }

  @Test
  void whatNoTableTellsIsNotTried() {
    assertThat(held(decide(3, checks(20, 10, 3)))).contains("outside the measured range: ");
    assertThat(held(decide(2, checks(20, 20, 10)))).contains("2 nodes are the fewest allowed");
    // Who has measured 8 nodes has not tried 4.
    List<Cell> large = new ArrayList<>();
    for (int clients : new int[] {20, 100, 300}) {
      double any = Double.NaN;
      large.add(new Cell("zipf", "small", clients, 8, clients / 8.0, 10, any, any, 1));
    }
    Service beyond =
        new Service(
            "shop",
            objective(40, Double.NaN, Double.NaN),
            new ProvisioningTable(large),
            "small",
            checks(20, 100, 20));
    assertThat(held(decide(5, SETTINGS, beyond)))
        .contains("no table tells that shop needs no more than 4 nodes")
        .contains("none has measurements for 4 nodes or fewer");
  }

  @Test
  void whatIsEnoughIsEnoughForMoreNodesThanWereMeasured() {
    // 3 of the table's nodes are enough, and so are 11, which it has no row for.
    Decision less =
        decide(12, checks(20, 100, 8), settings(20, 20), objective(40, Double.NaN, Double.NaN));
    assertThat(((Decision.Act) less).plan().summary()).endsWith("; it needs 3 nodes");
    assertThat(((Decision.Act) less).plan().actions())
        .singleElement()
        .satisfies(a -> assertThat(a.action().kind()).isEqualTo("remove-node"));
  }

  /** Three nodes give 100 clients that never pause the agreed 1.2 MB/s, with 33 ms each. */
  private static Decision byThroughput(int clients, double ms, double rate) {
    List<Cell> cells = new ArrayList<>();
    for (int nodes = 2; nodes <= 8; nodes++) {
      for (int asking : new int[] {20, 100, 300}) {
        double answered = asking / (double) nodes;
        double any = Double.NaN;
        cells.add(new Cell("zipf", "small", asking, nodes, answered, 0.4 * nodes, any, any, 1));
      }
    }
    Objective promised = new Objective("zipf", 100, Double.NaN, Double.NaN, Double.NaN, 1.2, 7);
    Check check = new Check(clients, ms, Percentiles.UNKNOWN, rate, 990, 1_000);
    Service service =
        new Service(
            "shop",
            promised,
            new ProvisioningTable(cells),
            "small",
            java.util.Collections.nCopies(20, check));
    return decide(3, SETTINGS, service);
  }

  @Test
  void demandThatFallsIsNoBrokenPromise() {
    // They are answered as fast as three nodes can, and pause in between.
    assertThat(held(byThroughput(100, 30, 0.4)))
        .contains("kept: 100 clients (30.0 at a time), 30.0 ms, 0.4 MB/s")
        .contains("2 nodes would not meet it: throughput 0.8 MB/s < 1.3");
    // Half of the clients are promised half, and two nodes give it.
    assertThat(((Decision.Act) byThroughput(50, 30, 50 * 0.4 / 30)).plan().actions())
        .singleElement()
        .satisfies(a -> assertThat(a.action().kind()).isEqualTo("remove-node"));
  }

  @Test
  void aThroughputThatFallsWithTheAnswersIsABrokenPromise() {
    Decision slow = byThroughput(100, 50, 0.8);
    assertThat(added(slow)).isEqualTo(1);
    assertThat(((Decision.Act) slow).plan().summary()).contains("throughput 0.8 MB/s < 1.2");
    // Clients that pause, too: 60 at a time are promised 0.72.
    Decision pausing = byThroughput(100, 60, 0.4);
    assertThat(((Decision.Act) pausing).plan().summary()).contains("throughput 0.4 MB/s < 0.7");
    // Half of the clients, of which each waits twice as long as was agreed.
    assertThat(added(byThroughput(50, 67, 50 * 0.4 / 67))).isEqualTo(1);
  }

  /** Reads take twice as long as all operations, and writes half as long. */
  private static Decision apart(int nodes, Latency readsAtMost, Latency writesAtMost) {
    double ms = 100.0 / nodes;
    Latency reads = new Latency(2 * ms, 3 * ms, 4 * ms);
    return apart(nodes, ms, readsAtMost, writesAtMost, reads, new Latency(ms / 2, ms, ms));
  }

  private static Decision apart(
      int nodes,
      double ms,
      Latency readsAtMost,
      Latency writesAtMost,
      Latency reads,
      Latency writes) {
    double any = Double.NaN;
    Objective promised =
        new Objective("zipf", 100, any, any, any, any, 7, readsAtMost, writesAtMost);
    Check check = new Check(100, ms, Percentiles.UNKNOWN, 10, 990, 1_000, reads, writes);
    return decide(nodes, java.util.Collections.nCopies(20, check), SETTINGS, promised);
  }

  private static Latency mean(double ms) {
    return new Latency(ms, Double.NaN, Double.NaN);
  }

  @Test
  void readsAndWritesHaveObjectivesOfTheirOwn() {
    // All operations must take 20.5 ms for reads to take 41, as with 5 nodes.
    Decision slowReads = apart(3, mean(41), Latency.UNKNOWN);
    assertThat(((Decision.Act) slowReads).plan().summary())
        .contains("mean response time of reads 66.7 ms > 41.0");
    assertThat(added(slowReads)).isEqualTo(2);
    assertThat(((Decision.Act) apart(3, Latency.UNKNOWN, mean(10))).plan().summary())
        .contains("mean response time of writes 16.7 ms > 10.0");

    assertThat(((Decision.Act) apart(4, mean(80), mean(30))).plan().actions())
        .singleElement()
        .satisfies(a -> assertThat(a.action().kind()).isEqualTo("remove-node"));
    assertThat(held(apart(4, mean(80), mean(14))))
        .contains("3 nodes would not meet it: response time 33.3 ms > 25.2");
  }

  @Test
  void kindsThatAreNotToldAreNotKnownAndThoseThatNobodyAskedForAreKept() {
    Latency p99 = new Latency(Double.NaN, Double.NaN, 90);
    Decision untold = apart(3, 33, Latency.UNKNOWN, p99, Latency.UNKNOWN, Latency.UNKNOWN);
    assertThat(held(untold))
        .contains("not measured: p99 of writes, which not all clients report")
        .doesNotContain("kept");
    Decision unasked = apart(3, 33, Latency.UNKNOWN, p99, mean(33), Latency.NONE);
    assertThat(held(unasked))
        .contains("shop's agreement is kept")
        .contains("there were no writes, which have a limit of their own, so no node is given");
  }

  @Test
  void withoutAnAgreementOrATableThereIsNothingToKeep() {
    assertThat(held(new SloPolicy().decide(ring(3), PolicyState.INITIAL, SETTINGS)))
        .isEqualTo("no agreement was given");
    assertThatThrownBy(() -> Settings.defaults().with(Policies.SLO))
        .hasMessage("slo.sla is missing; policy: slo needs an agreement and measured tables");
  }

  @Test
  void itTakesAsManyNodesAsSloPlanChooses() {
    int chosen = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Cell> cells = new ArrayList<>();
      for (int nodes = 2; nodes <= 8; nodes++) {
        for (int clients : new int[] {20, 100, 300}) {
          double ms = clients * (0.5 + random.nextDouble()) / nodes;
          cells.add(new Cell("zipf", "small", clients, nodes, ms, 10 * nodes, 2 * ms, 3 * ms, 1));
        }
      }
      ProvisioningTable table = new ProvisioningTable(cells);
      int clients = 20 + random.nextInt(280);
      double limit = 10 + random.nextInt(90);
      Objective promised =
          new Objective("zipf", 1, limit, 2.1 * limit, Double.NaN, 10 + random.nextInt(50), 8);
      Service service =
          new Service("shop", promised, table, "small", checks(20, clients, 2 * limit));

      Decision decision = decide(1, SETTINGS, service);
      Optional<Integer> planned =
          Provisioner.plan(table, promised.forClients(clients), Map.of())
              .chosen()
              .map(Provisioner.Choice::nodes);

      // Where no number of nodes that was measured is enough, it goes on by one.
      assertThat(1 + added(decision)).as("seed %d", seed).isEqualTo(planned.orElse(2).longValue());
      chosen += planned.filter(nodes -> nodes > 2).isPresent() ? 1 : 0;
    }
    assertThat(chosen).as("tables from which something is chosen").isGreaterThan(100);
  }
}

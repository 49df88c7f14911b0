package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.guard.Blackout;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.controller.settings.Trigger;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GuardAndObserveTest {
  private static final Instant NOW = RandomCluster.NOW;
  private static final Settings DEFAULTS = Settings.defaults();

  private static Plan plan(double gain, Action... actions) {
    List<PlannedAction> list = new ArrayList<>();
    for (Action a : actions) {
      list.add(new PlannedAction(list.size() + 1, a, "r", "e", "c", "u"));
    }
    return new Plan("p", "test", NOW, "met", "s", gain, list);
  }

  private static String refusal(Guard.Verdict verdict) {
    assertThat(verdict).isInstanceOf(Guard.Verdict.Refuse.class);
    return ((Guard.Verdict.Refuse) verdict).setting();
  }

  @Test
  void aHealthyClusterPasses() {
    RandomCluster c = new RandomCluster(1, 4, 8);
    assertThat(check(plan(0.5), c.snapshot, Optional.empty(), DEFAULTS, NOW))
        .isInstanceOf(Guard.Verdict.Pass.class);
  }

  @Test
  void cooldownGainAndBlackoutNameTheirSettings() {
    RandomCluster c = new RandomCluster(1, 4, 8);
    assertThat(
            refusal(check(plan(0.5), c.snapshot, Optional.of(NOW.minusSeconds(60)), DEFAULTS, NOW)))
        .isEqualTo("guard.cooldown");
    assertThat(refusal(check(plan(0.01), c.snapshot, Optional.empty(), DEFAULTS, NOW)))
        .isEqualTo("guard.minGain");
    Settings night =
        Settings.defaults().with(GuardSettings.builder().blackouts(List.of("11:30-12:30")).build());
    assertThat(refusal(check(plan(0.5), c.snapshot, Optional.empty(), night, NOW)))
        .isEqualTo("guard.blackouts");
  }

  /** Who orders a split of an idle partition wants it before the load comes. */
  @Test
  void whatAPersonOrdersNeedNotGainAnythingButKeepsToTheCooldown() {
    RandomCluster c = new RandomCluster(1, 4, 8);
    Optional<NodeCapacity> spare = Optional.of(NodeCapacity.of(1));
    assertThat(Guard.checkOrdered(plan(0), c.snapshot, Optional.empty(), spare, DEFAULTS, NOW))
        .isInstanceOf(Guard.Verdict.Pass.class);
    Optional<Instant> ended = Optional.of(NOW.minusSeconds(60));
    assertThat(refusal(Guard.checkOrdered(plan(0), c.snapshot, ended, spare, DEFAULTS, NOW)))
        .isEqualTo("guard.cooldown");
  }

  @Test
  void whatBlocksTheClusterIsToldInTheEnginesOwnWords() {
    ClusterSnapshot fine = new RandomCluster(1, 4, 8).snapshot;
    ClusterSnapshot blocked =
        new ClusterSnapshot(
            fine.takenAt(),
            fine.clusterId(),
            "cassandra",
            fine.ownership(),
            fine.version(),
            fine.replication(),
            fine.nodes(),
            fine.partitions(),
            0,
            List.of("only 1 of 4 nodes of the ring are up"),
            fine.balancer(),
            fine.gaps());
    assertThat(check(plan(0.5), blocked, Optional.empty(), DEFAULTS, NOW))
        .isEqualTo(new Guard.Verdict.Refuse("only 1 of 4 nodes of the ring are up", ""));
    assertThat(Guard.unsafe(blocked, DEFAULTS, NOW, Set.of())).isPresent();
  }

  @Test
  void manyBadNodesAtOnceStopEverything() {
    RandomCluster c = new RandomCluster(1, 4, 0);
    List<NodeState> nodes = new ArrayList<>(c.snapshot.nodes());
    for (int i = 0; i < 2; i++) {
      NodeState n = nodes.get(i);
      nodes.set(
          i, new NodeState(n.id(), 1, false, false, n.profile(), false, n.usage(), n.gauges()));
    }
    assertThat(
            refusal(
                check(
                    plan(0.5),
                    RandomCluster.snapshot(nodes, List.of()),
                    Optional.empty(),
                    DEFAULTS,
                    NOW)))
        .isEqualTo("guard.badNodesMax");
  }

  @Test
  void staleDataAndTooManyNodesAreRefused() {
    RandomCluster c = new RandomCluster(1, 4, 8);
    assertThat(
            refusal(check(plan(0.5), c.snapshot, Optional.empty(), DEFAULTS, NOW.plusSeconds(61))))
        .isEqualTo("observe.period");
    Settings four = Settings.defaults().with(GuardSettings.builder().maxNodes(4).build());
    assertThat(
            refusal(
                check(
                    plan(0.5, new Action.AddNode(1, Profile.READ)),
                    c.snapshot,
                    Optional.empty(),
                    four,
                    NOW)))
        .isEqualTo("guard.maxNodes");
  }

  @Test
  void blackoutsSpanMidnight() {
    Blackout night = Blackout.parse("22:00-06:00");
    assertThat(night.covers(Instant.parse("2026-01-01T23:00:00Z"))).isTrue();
    assertThat(night.covers(Instant.parse("2026-01-01T05:59:00Z"))).isTrue();
    assertThat(night.covers(Instant.parse("2026-01-01T06:00:00Z"))).isFalse();
    assertThatThrownBy(() -> Blackout.parse("22-6"))
        .hasMessage("guard.blackouts must be HH:MM-HH:MM in UTC, not '22-6'");
  }

  private static ClusterSnapshot at(
      ClusterSnapshot base, int seconds, long reads, long incarnation, double usage) {
    NodeState n = base.nodes().get(0);
    NodeState node =
        new NodeState(
            n.id(),
            incarnation,
            true,
            false,
            n.profile(),
            true,
            new NodeUsage(usage, 0, 0, 0),
            n.gauges());
    PartitionState p = base.partitions().get(0);
    PartitionState partition =
        new PartitionState(
            p.id(),
            Optional.of(n.id()),
            new PartitionCounters(reads, 0, 0, 0),
            1,
            1,
            32768,
            p.range());
    return new ClusterSnapshot(
        NOW.plusSeconds(seconds),
        "test",
        "hbase",
        Ownership.ASSIGNED,
        "2.6.4",
        1,
        List.of(node),
        List.of(partition),
        0,
        List.of(),
        base.balancer(),
        List.of());
  }

  @Test
  void countersThatGoDownStartANewSeries() {
    ClusterSnapshot base = new RandomCluster(1, 1, 1).snapshot;
    ObserveSettings settings = DEFAULTS.observe();
    var id = base.partitions().get(0).id();
    History h =
        History.EMPTY
            .append(at(base, 0, 1000, 1, 0.5), settings)
            .append(at(base, 10, 1100, 1, 0.5), settings);
    assertThat(h.rates().get(id).pointReads()).isEqualTo(10);
    History restarted = h.append(at(base, 20, 50, 2, 0.5), settings);
    assertThat(restarted.rates().get(id).pointReads()).isEqualTo(10);
    History later = restarted.append(at(base, 30, 250, 2, 0.5), settings);
    // α = 0.5: halfway between the old 10/s and the new 20/s.
    assertThat(later.rates().get(id).pointReads()).isEqualTo(15);
  }

  @Test
  void badDataGiveNoDecisionButAReason() {
    ClusterSnapshot base = new RandomCluster(1, 1, 1).snapshot;
    ObserveSettings two =
        ObserveSettings.builder().period(Duration.ofSeconds(30)).samples(2).build();
    assertThat(Observation.of(History.EMPTY, NOW, two)).isInstanceOf(Observation.Unusable.class);
    History nan =
        History.EMPTY
            .append(at(base, 0, 1, 1, 0.5), two)
            .append(at(base, 10, 2, 1, Double.NaN), two);
    assertThat(Observation.of(nan, NOW.plusSeconds(10), two))
        .isInstanceOfSatisfying(
            Observation.Unusable.class, u -> assertThat(u.reason()).contains("usage"));
    History good =
        History.EMPTY.append(at(base, 0, 1, 1, 0.5), two).append(at(base, 10, 2, 1, 0.5), two);
    assertThat(Observation.of(good, NOW.plusSeconds(10), two))
        .isInstanceOf(Observation.Usable.class);
    assertThat(Observation.of(good, NOW.plusSeconds(100), two))
        .isInstanceOfSatisfying(
            Observation.Unusable.class, u -> assertThat(u.setting()).isEqualTo("observe.period"));
  }

  @Test
  void partitionsAreClassifiedByShares() {
    AccessClass last = AccessClass.READ_WRITE;
    assertThat(Classifier.classify(new Rates(61, 0, 0, 39), last, 0.6)).isEqualTo(AccessClass.READ);
    assertThat(Classifier.classify(new Rates(60, 0, 0, 40), last, 0.6))
        .isEqualTo(AccessClass.READ_WRITE);
    assertThat(Classifier.classify(new Rates(10, 80, 4000, 5), last, 0.6))
        .isEqualTo(AccessClass.SCAN);
    assertThat(Classifier.classify(new Rates(5, 0, 0, 95), last, 0.6)).isEqualTo(AccessClass.WRITE);
    // Half reads, half read-modify-writes: two reads for each write, in the thesis a mixed tenant.
    assertThat(
            Classifier.classify(
                new Rates(2, 0, 0, 1), last, Settings.defaults().place().classShare()))
        .isEqualTo(AccessClass.READ_WRITE);
    assertThat(Classifier.classify(Rates.ZERO, AccessClass.SCAN, 0.6)).isEqualTo(AccessClass.SCAN);
  }

  @Test
  void aPartitionThatNobodyHasAskedForIsTakenForWhatItsTableIsUsedFor() {
    RandomCluster c = new RandomCluster(1, 3, 21);
    List<PartitionId> table =
        c.snapshot.partitions().stream()
            .map(PartitionState::id)
            .filter(id -> id.table().equals("t2"))
            .toList();
    assertThat(table).hasSize(3);
    c.rates.put(table.get(0), Rates.ZERO);
    c.rates.put(table.get(1), new Rates(0, 20, 400, 0));
    c.rates.put(table.get(2), new Rates(0, 10, 200, 1));
    assertThat(classOf(table.get(0), c, PolicyState.INITIAL)).isEqualTo(AccessClass.SCAN);

    PolicyState wasWritten =
        PolicyState.INITIAL.next(
            0, false, List.of(new PolicyState.Classified(table.get(0), AccessClass.WRITE)));
    assertThat(classOf(table.get(0), c, wasWritten)).isEqualTo(AccessClass.WRITE);

    table.forEach(id -> c.rates.put(id, Rates.ZERO));
    assertThat(classOf(table.get(1), c, PolicyState.INITIAL)).isEqualTo(AccessClass.READ_WRITE);
  }

  private static AccessClass classOf(PartitionId id, RandomCluster c, PolicyState state) {
    Partitions partitions = Classifier.classify(c.seen(), state, DEFAULTS);
    return partitions.accessClass(partitions.indexOf(id));
  }

  @Test
  void settingsOutOfOrderNameTheirKey() {
    assertThatThrownBy(() -> HealthSettings.builder().high(0.3).low(0.5).build())
        .hasMessage("health.low must be below health.high (0.3), not 0.5");
    assertThatThrownBy(() -> GuardSettings.builder().minNodes(5).maxNodes(4).build())
        .hasMessageStartingWith("guard.maxNodes");
  }

  @Test
  void everyDefaultIsWhatTheDocumentsSay() {
    assertThat(DEFAULTS.observe())
        .isEqualTo(
            ObserveSettings.builder()
                .period(Duration.ofSeconds(30))
                .samples(6)
                .alpha(0.5)
                .coverageMin(0.99)
                .build());
    assertThat(DEFAULTS.health())
        .isEqualTo(HealthSettings.builder().high(0.80).low(0.30).suboptimal(0.5).build());
    assertThat(DEFAULTS.place())
        .isEqualTo(
            PlaceSettings.builder()
                .classShare(0.7)
                .weighByLoad(false)
                .way(Action.ApplyMode.ONLINE)
                .tolerance(0.10)
                .localityWrite(0.70)
                .localityOther(0.90)
                .blockSizes(true)
                .whenHealthy(false)
                .tokens(PlaceSettings.Tokens.REQUESTS)
                .balancer(PlaceSettings.Balance.REQUESTS)
                .build());
    assertThat(DEFAULTS.tiramola())
        .isEqualTo(
            new TiramolaSettings(
                List.of(
                    Trigger.above(Trigger.Metric.CPU, 0.40, Trigger.Nodes.ANY),
                    Trigger.above(Trigger.Metric.LOAD5, 0.40, Trigger.Nodes.ANY)),
                List.of(
                    Trigger.below(Trigger.Metric.CPU, 0.15, Trigger.Nodes.ALL),
                    Trigger.below(Trigger.Metric.LOAD5, 0.15, Trigger.Nodes.ALL))));
    assertThat(DEFAULTS.guard())
        .isEqualTo(
            GuardSettings.builder()
                .maxConcurrentMoves(2)
                .maxRestarting(1)
                .minNodes(1)
                .maxNodes(20)
                .maxMoves(500)
                .maxSplits(50)
                .maxMerges(50)
                .maxCompactions(500)
                .maxBlockSizeChanges(20)
                .maxMovedGiB(1024)
                .maxDiskUsed(0.80)
                .planLimit(Duration.ofHours(6))
                .minMiBPerSecond(5)
                .cooldown(Duration.ofMinutes(10))
                .minGain(0.05)
                .badNodesMax(0.30)
                .actionLimit(Duration.ofMinutes(10))
                .blackouts(List.of())
                .build());
  }

  private static Guard.Verdict check(
      Plan plan,
      ClusterSnapshot snapshot,
      Optional<Instant> lastPlanEnded,
      Settings settings,
      Instant now) {
    return Guard.check(
        plan, snapshot, lastPlanEnded, Optional.of(NodeCapacity.of(10)), settings, now);
  }

  @Test
  void whatNothingHereCanDoIsRefusedBeforeItIsBegun() {
    RandomCluster c = new RandomCluster(1, 4, 8);
    NodeState node = c.snapshot.nodes().get(0);
    Action add = new Action.AddNode(1, Profile.READ);
    Action restart =
        new Action.Reconfigure(
            node.id(), node.profile().orElseThrow(), Profile.READ, Action.ApplyMode.RESTART);
    for (Action action : List.of(add, new Action.RemoveNode(node.id()), restart)) {
      Guard.Verdict none =
          Guard.check(
              plan(0.5, action), c.snapshot, Optional.empty(), Optional.empty(), DEFAULTS, NOW);
      assertThat(((Guard.Verdict.Refuse) none).reason()).contains("but no node provider can");
    }
    Guard.Verdict tooMany =
        Guard.check(
            plan(0.5, add, new Action.AddNode(2, Profile.READ)),
            c.snapshot,
            Optional.empty(),
            Optional.of(NodeCapacity.of(1)),
            DEFAULTS,
            NOW);
    assertThat(((Guard.Verdict.Refuse) tooMany).reason())
        .contains("adds 2 nodes, but only 1 is available");
  }
}

package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.MetPolicy;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Replacement;
import io.trimtab.controller.policy.SettingsReconciler;
import io.trimtab.controller.policy.TiramolaPolicy;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.RingSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Where tokens decide who has which data, nodes come and go and nothing else happens. */
class TokensTest {
  private static final Settings DEFAULTS = Settings.defaults();

  private static Observation.Usable seen(double... usage) {
    return seen(Optional.empty(), new Rates(100, 0, 0, 10), usage);
  }

  private static Observation.Usable seen(Optional<Profile> profile, Rates asked, double... usage) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> tables = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < usage.length; i++) {
      NodeId id = new NodeId("n" + i + ":9042");
      NodeUsage now = new NodeUsage(usage[i], 0, 0, 0);
      nodes.add(
          new NodeState(id, 1, true, false, profile, profile.isPresent(), now, NodeGauges.UNKNOWN));
      used.put(id, usage[i]);
      PartitionId table = new PartitionId("k.t", id.name());
      tables.add(
          new PartitionState(
              table, Optional.of(id), PartitionCounters.ZERO, 1, 1, 16384, KeyRange.ALL));
      rates.put(table, asked);
    }
    ClusterSnapshot snapshot =
        new ClusterSnapshot(
            Instant.EPOCH,
            "ring",
            "cassandra",
            Ownership.TOKENS,
            "5.0.9",
            2,
            nodes,
            tables,
            0,
            List.of(),
            BalancerState.PAUSED,
            List.of());
    return new Observation.Usable(snapshot, rates, used, used, List.of());
  }

  private static List<String> steps(Policy policy, Observation.Usable seen) {
    return steps(policy, seen, DEFAULTS);
  }

  private static List<String> steps(Policy policy, Observation.Usable seen, Settings settings) {
    Decision decision = policy.decide(seen, PolicyState.INITIAL, settings);
    if (decision instanceof Decision.Act act) {
      Guard.Verdict verdict =
          Guard.check(
              act.plan(),
              seen.snapshot(),
              Optional.empty(),
              OptionalInt.of(3),
              DEFAULTS,
              Instant.EPOCH);
      assertThat(verdict).isInstanceOf(Guard.Verdict.Pass.class);
      return act.plan().actions().stream()
          .map(PlannedAction::action)
          .map(TokensTest::said)
          .toList();
    }
    return List.of(((Decision.Hold) decision).reason());
  }

  private static String said(Action action) {
    Optional<String> words =
        action.as(Action.AddNode.class).map(Action.AddNode::profile).map(TokensTest::added);
    return words
        .or(
            () ->
                action
                    .as(Action.Reconfigure.class)
                    .map(
                        c ->
                            "reconfigure %s %s %s"
                                .formatted(
                                    c.node(),
                                    c.to().name(),
                                    c.way().toString().toLowerCase(Locale.ROOT))))
        .or(() -> action.as(Action.Cleanup.class).map(c -> "cleanup " + c.node()))
        .orElseGet(() -> "remove-node " + ((Action.RemoveNode) action).node());
  }

  private static String added(Profile profile) {
    return profile.equals(Profile.HOMOGENEOUS) ? "add-node" : "add-node " + profile.name();
  }

  @Test
  void aBusyRingGetsANodeAndTheOldOnesTidyUpAfterwards() {
    List<String> wanted =
        List.of("add-node", "cleanup n0:9042", "cleanup n1:9042", "cleanup n2:9042");

    assertThat(steps(new MetPolicy(), seen(0.95, 0.95, 0.9))).isEqualTo(wanted);
    assertThat(steps(new TiramolaPolicy(), seen(0.95, 0.95, 0.9))).isEqualTo(wanted);
  }

  @Test
  void theLeastUsedNodeOfAnIdleRingLeaves() {
    assertThat(steps(new MetPolicy(), seen(0.02, 0.01, 0.02)))
        .containsExactly("remove-node n1:9042");
    assertThat(steps(new TiramolaPolicy(), seen(0.02, 0.01, 0.02)))
        .containsExactly("remove-node n1:9042");
  }

  @Test
  void thereAreNeverFewerNodesThanCopies() {
    assertThat(steps(new MetPolicy(), seen(0.01, 0.01)))
        .singleElement()
        .asString()
        .contains("2 nodes are the fewest allowed: the data have 2 copies");
  }

  /** A setting is named only where it is what stands in the way. */
  @Test
  void theFewestNodesNameTheLimitThatHolds() {
    for (Policy policy : List.of(Policies.MET, Policies.TIRAMOLA)) {
      Decision.Hold copies =
          (Decision.Hold) policy.decide(seen(0.01, 0.01), PolicyState.INITIAL, DEFAULTS);
      assertThat(copies.setting()).isEmpty();
      Settings three = DEFAULTS.with(GuardSettings.builder().minNodes(3).build());
      Decision.Hold guard =
          (Decision.Hold) policy.decide(seen(0.01, 0.01, 0.01), PolicyState.INITIAL, three);
      assertThat(guard.reason()).endsWith("3 nodes are the fewest allowed: guard.minNodes is 3");
      assertThat(guard.setting()).isEqualTo("guard.minNodes");
    }
  }

  private static final Profile SMALL = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
  private static final Rates READS = new Rates(100, 0, 0, 10);

  @Test
  void aBusyRingIsConfiguredForWhatItIsAskedForBeforeItGrows() {
    assertThat(steps(new MetPolicy(), seen(Optional.of(SMALL), READS, 0.95, 0.5)))
        .containsExactly("reconfigure n0:9042 READ online", "reconfigure n1:9042 READ online");
    assertThat(
            steps(new MetPolicy(), seen(Optional.of(SMALL), new Rates(10, 0, 0, 100), 0.95, 0.95)))
        .containsExactly("reconfigure n0:9042 WRITE online", "reconfigure n1:9042 WRITE online");
    // No cache of rows answers a scan.
    assertThat(
            steps(new MetPolicy(), seen(Optional.of(Profile.READ), new Rates(1, 90, 900, 2), 0.95)))
        .containsExactly("reconfigure n0:9042 SCAN online");
    // Its memtables are still as before, which only a restart changes.
    Profile online = new Profile("CUSTOM", 0.547, 0.20, 32 << 10);
    assertThat(steps(new MetPolicy(), seen(Optional.of(online), READS, 0.95, 0.95)))
        .containsExactly("add-node READ", "cleanup n0:9042", "cleanup n1:9042");
  }

  @Test
  void nodesRestartForAProfileOnlyWhereTwoCopiesAreLeft() {
    Settings restart = place(Action.ApplyMode.RESTART, false);
    Observation.Usable two = seen(Optional.of(SMALL), READS, 0.95, 0.95, 0.95);
    assertThat(steps(new MetPolicy(), two, restart)).contains("add-node").hasSize(4);
    ClusterSnapshot s = two.snapshot();
    ClusterSnapshot copied =
        new ClusterSnapshot(
            s.takenAt(),
            s.clusterId(),
            s.engine(),
            s.ownership(),
            s.version(),
            3,
            s.nodes(),
            s.partitions(),
            0,
            List.of(),
            s.balancer(),
            s.gaps());
    Observation.Usable three =
        new Observation.Usable(copied, two.rates(), two.usage(), two.usage(), List.of());
    assertThat(steps(new MetPolicy(), three, restart))
        .hasSize(3)
        .allMatch(step -> step.endsWith("READ restart"));
  }

  private static Settings place(Action.ApplyMode way, boolean whenHealthy) {
    return Settings.defaults()
        .with(PlaceSettings.builder().way(way).whenHealthy(whenHealthy).build());
  }

  @Test
  void aHealthyRingIsConfiguredOnlyWhereThatIsWanted() {
    Observation.Usable healthy = seen(Optional.of(SMALL), READS, 0.5, 0.5);
    assertThat(steps(new MetPolicy(), healthy).get(0)).contains("the cluster is healthy");
    assertThat(steps(new MetPolicy(), healthy, place(Action.ApplyMode.ONLINE, true)))
        .containsExactly("reconfigure n0:9042 READ online", "reconfigure n1:9042 READ online");
    // Nobody asks for anything, or the cache is off: nothing is known to be better.
    assertThat(
            steps(
                    new MetPolicy(),
                    seen(Optional.of(SMALL), Rates.ZERO, 0.5, 0.5),
                    place(Action.ApplyMode.ONLINE, true))
                .get(0))
        .contains("the cluster is healthy");
    assertThat(steps(new MetPolicy(), seen(0.5, 0.5), place(Action.ApplyMode.ONLINE, true)).get(0))
        .contains("the cluster is healthy");
  }

  @Test
  void whatTheOperatorHasSetForAllNodesIsKept() {
    Observation.Usable ring = seen(0.5, 0.5, 0.5);
    ClusterSnapshot s = ring.snapshot();
    // One as wanted, one that is not, one that does not tell.
    List<NodeState> nodes = new ArrayList<>(s.nodes());
    nodes.set(0, withSettings(nodes.get(0), Map.of(NodeSetting.COMPACTION_THROUGHPUT, 16)));
    nodes.set(1, withSettings(nodes.get(1), Map.of(NodeSetting.COMPACTION_THROUGHPUT, 64)));
    Observation.Usable configured =
        new Observation.Usable(
            new ClusterSnapshot(
                s.takenAt(),
                s.clusterId(),
                s.engine(),
                s.ownership(),
                s.version(),
                s.replication(),
                nodes,
                s.partitions(),
                0,
                List.of(),
                s.balancer(),
                s.gaps()),
            ring.rates(),
            ring.usage(),
            ring.usage(),
            List.of());

    Decision decision =
        SettingsReconciler.decide(configured, PolicyState.INITIAL, kept(null, 16)).orElseThrow();

    Plan plan = ((Decision.Act) decision).plan();
    assertThat(plan.actions())
        .singleElement()
        .extracting(PlannedAction::action)
        .isEqualTo(
            new Action.SetNode(new NodeId("n1:9042"), NodeSetting.COMPACTION_THROUGHPUT, 64, 16));
    assertThat(plan.policy()).isEqualTo("upkeep");
    assertThat(SettingsReconciler.decide(configured, PolicyState.INITIAL, kept(100, null)))
        .isEmpty();
    assertThat(SettingsReconciler.decide(configured, PolicyState.INITIAL, DEFAULTS)).isEmpty();
    assertThatThrownBy(() -> kept(-1, null)).hasMessageContaining("ring.keyCacheMiB must be in");
    assertThatThrownBy(() -> kept(null, 0))
        .hasMessageContaining("ring.compactionMiBPerSecond must be in [1, 10000], not 0");
  }

  private static NodeState withSettings(NodeState n, Map<NodeSetting, Integer> settings) {
    return new NodeState(
        n.id(), 1, true, false, n.profile(), false, n.usage(), n.gauges(), settings);
  }

  private static Settings kept(Integer keyCache, Integer compaction) {
    return Settings.defaults().with(new RingSettings(keyCache, compaction));
  }

  private static final NodeId DEAD = new NodeId("n1:9042");

  /** The second node is dead, and with it what it told. */
  private static Observation.Usable withADeadNode(int copies, int dead) {
    Observation.Usable all = seen(0.5, 0.5, 0.5, 0.5);
    ClusterSnapshot s = all.snapshot();
    List<NodeState> nodes = new ArrayList<>(s.nodes());
    for (int i = 1; i <= dead; i++) {
      nodes.set(
          i,
          new NodeState(
              nodes.get(i).id(),
              -1,
              false,
              false,
              Optional.empty(),
              false,
              NodeUsage.UNKNOWN,
              NodeGauges.UNKNOWN));
    }
    ClusterSnapshot without =
        new ClusterSnapshot(
            s.takenAt(),
            s.clusterId(),
            s.engine(),
            s.ownership(),
            s.version(),
            copies,
            nodes,
            s.partitions(),
            0,
            List.of(),
            s.balancer(),
            s.gaps());
    return new Observation.Usable(without, all.rates(), all.usage(), all.usage(), List.of());
  }

  private static Decision replaced(int copies, int dead, Duration after, Duration since) {
    Settings settings =
        Settings.defaults().with(HealthSettings.builder().replaceAfter(after).build());
    return Replacement.decide(
            withADeadNode(copies, dead), Map.of(DEAD, since), PolicyState.INITIAL, settings)
        .orElseThrow();
  }

  private static String held(Decision decision) {
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("health.replaceAfter");
    return ((Decision.Hold) decision).reason();
  }

  @Test
  void aNodeThatStaysDeadIsReplacedWhereThatIsWanted() {
    Duration half = Duration.ofMinutes(30);
    assertThat(held(replaced(3, 1, null, half))).contains("n1:9042 is dead; until it is back");
    assertThat(held(replaced(3, 1, half, Duration.ofSeconds(40))))
        .contains("has been dead for 40 s")
        .contains("replaced after 1800 s");
    assertThat(held(replaced(1, 1, half, half))).contains("no other node has a copy");
    assertThat(held(replaced(3, 2, half, half))).contains("2 nodes are dead");

    Decision.Act act = (Decision.Act) replaced(3, 1, half, half);
    assertThat(act.plan().actions())
        .singleElement()
        .satisfies(
            a ->
                assertThat(a.action())
                    .isEqualTo(new Action.ReplaceNode(1, DEAD, Profile.HOMOGENEOUS)));
    ClusterSnapshot before = withADeadNode(3, 1).snapshot();
    assertThat(
            Guard.check(
                act.plan(), before, Optional.empty(), OptionalInt.of(1), DEFAULTS, Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(
            Guard.check(
                act.plan(), before, Optional.empty(), OptionalInt.of(0), DEFAULTS, Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Refuse.class);
    // The same cluster is too sick for any other plan where that is the limit.
    Settings strict = Settings.defaults().with(GuardSettings.builder().badNodesMax(0.0).build());
    Decision.Act other =
        (Decision.Act) new MetPolicy().decide(seen(0.95, 0.9), PolicyState.INITIAL, DEFAULTS);
    assertThat(
            Guard.check(
                act.plan(), before, Optional.empty(), OptionalInt.of(1), strict, Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(
            Guard.check(
                other.plan(), before, Optional.empty(), OptionalInt.of(1), strict, Instant.EPOCH))
        .isInstanceOfSatisfying(
            Guard.Verdict.Refuse.class,
            refused -> assertThat(refused.setting()).isEqualTo("guard.badNodesMax"));
    ClusterSnapshot after = PlanApplier.apply(act.plan(), before);
    assertThat(after.nodes()).hasSize(4).allMatch(NodeState::alive);
    assertThat(after.node(DEAD)).isEmpty();
  }

  @Test
  void aWholeRingNeedsNoReplacement() {
    assertThat(Replacement.decide(seen(0.5, 0.5), Map.of(), PolicyState.INITIAL, DEFAULTS))
        .isEmpty();
  }

  @Test
  void aHealthyRingIsLeftAloneWithoutAnInitialReconfiguration() {
    assertThat(steps(new MetPolicy(), seen(0.5, 0.5, 0.5)))
        .singleElement()
        .asString()
        .contains("the cluster is healthy");
  }
}

package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.MetPolicy;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.TiramolaPolicy;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tables that an operator excludes are left alone: by policies, and in any case by the guard. */
class ExcludedTablesTest {
  private static final int SEEDS = 300;
  private static final RowKey KEY = RowKey.of(new byte[] {1});
  private static final NodeId NODE = new NodeId("x:1");

  private final RandomCluster cluster = new RandomCluster(1, 4, 28);
  private final PartitionState first = cluster.snapshot.partitions().get(0);
  private final NodeId at = first.node().orElseThrow();

  private static Settings settings(TableSettings tables, int maxNodes, Action.ApplyMode way) {
    return Settings.defaults()
        .with(tables)
        .with(GuardSettings.builder().maxNodes(maxNodes).maxMoves(1_000).minGain(0.0).build())
        .with(PlaceSettings.builder().way(way).build());
  }

  private Guard.Verdict check(Action action, TableSettings tables) {
    Plan plan =
        new Plan(
            "p",
            "test",
            RandomCluster.NOW,
            "met",
            "s",
            1,
            List.of(new PlannedAction(1, action, "r", "e", "c", "u")));
    return Guard.checkUrgent(
        plan,
        cluster.snapshot.with(Copies.alike(2)),
        Optional.of(NodeCapacity.of(9)),
        settings(tables, 20, Action.ApplyMode.ONLINE),
        RandomCluster.NOW);
  }

  @Test
  void theGuardRefusesWhateverTouchesAnExcludedTable() {
    PartitionId id = first.id();
    PartitionId other = new PartitionId("other", "o");
    Profile profile = Profile.HOMOGENEOUS;
    for (Action action :
        List.of(
            new Action.Move(id, at, NODE),
            new Action.Split(id, KEY, 0.5, at, NODE),
            new Action.Merge(id, other, KeyRange.ALL, KEY),
            new Action.Merge(other, id, KeyRange.ALL, KEY),
            new Action.Compact(id, Action.Compact.ALWAYS),
            new Action.SetBlockSize(id.table(), 1, 2),
            new Action.Reconfigure(at, profile, profile, Action.ApplyMode.RESTART),
            new Action.RemoveNode(at))) {
      String reason = "the plan would move or change table " + id.table() + ", which is excluded";
      assertThat(check(action, new TableSettings(null, List.of(id.table()))))
          .as(action.kind())
          .isEqualTo(new Guard.Verdict.Refuse(reason, "tables.deny"));
      assertThat(check(action, new TableSettings(List.of("oth*"), null)))
          .as(action.kind())
          .isInstanceOfSatisfying(
              Guard.Verdict.Refuse.class,
              refused -> assertThat(refused.setting()).isEqualTo("tables.allow"));
      assertThat(check(action, new TableSettings(null, List.of("another"))))
          .as(action.kind())
          .isInstanceOf(Guard.Verdict.Pass.class);
    }
    assertThat(
            check(
                new Action.Reconfigure(at, profile, profile, Action.ApplyMode.ONLINE),
                new TableSettings(List.of(), null)))
        .as("nodes are not tables")
        .isInstanceOf(Guard.Verdict.Pass.class);
  }

  /** The tables that a plan is about, by what the guard asks of it. */
  private static boolean excluded(Plan plan, Observation.Usable seen, Settings settings) {
    return Guard.forbids(plan.actions(), seen.snapshot(), Map.of(), settings).isPresent();
  }

  private static Optional<Plan> plan(Policy policy, Observation.Usable seen, Settings settings) {
    return policy.decide(seen, PolicyState.INITIAL, settings) instanceof Decision.Act act
        ? Optional.of(act.plan())
        : Optional.empty();
  }

  @Test
  void policiesPlaceTheOtherTablesAroundTheExcludedOnes() {
    TableSettings some = new TableSettings(null, List.of("t1", "t4"));
    for (Policy policy : List.of(new Met1Policy(), new MetPolicy(), new TiramolaPolicy())) {
      for (Action.ApplyMode way : Action.ApplyMode.values()) {
        int plans = 0;
        int wouldTouch = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
          Observation.Usable seen = new RandomCluster(seed).seen();
          for (int maxNodes : List.of(1, 40)) {
            Settings settings = settings(some, maxNodes, way);
            Settings all = settings.with(new TableSettings(null, null));
            Optional<Plan> plan = plan(policy, seen, settings);
            if (plan.isPresent()) {
              plans++;
              assertThat(excluded(plan.get(), seen, settings))
                  .as("%s, %s, seed %d", policy.name(), way, seed)
                  .isFalse();
            }
            Optional<Plan> free = plan(policy, seen, all);
            wouldTouch += free.isPresent() && excluded(free.get(), seen, settings) ? 1 : 0;
          }
        }
        assertThat(plans).as(policy.name()).isGreaterThan(SEEDS / 4);
        assertThat(wouldTouch).as(policy.name()).isGreaterThan(SEEDS / 4);
      }
    }
  }

  @Test
  void theGuardRefusesWhatTheEngineSaysMustStay() {
    PartitionId id = first.id();
    ClusterSnapshot fixed = cluster.snapshot.withFixed(Map.of(id.table(), "it has replicas"));
    for (Action action :
        List.of(
            new Action.Move(id, at, NODE),
            new Action.Split(id, KEY, 0.5, at, NODE),
            new Action.SetBlockSize(id.table(), 1, 2),
            new Action.RemoveNode(at))) {
      List<PlannedAction> batch = List.of(new PlannedAction(1, action, "r", "e", "c", "u"));
      assertThat(Guard.forbids(batch, fixed, Map.of(), Settings.defaults()))
          .as(action.kind())
          .contains(
              new Guard.Verdict.Refuse(
                  "the plan would move or change table %s, which stays as it is: it has replicas"
                      .formatted(id.table()),
                  ""));
      assertThat(Guard.forbids(batch, cluster.snapshot, Map.of(), Settings.defaults())).isEmpty();
    }
  }

  @Test
  void ofATableThatMustStayNoSettingIsTold() {
    String table = first.id().table();
    TableSettings none = new TableSettings(List.of(), null);
    assertThat(none.keeps(cluster.snapshot, table))
        .contains(new TableSettings.Kept("is excluded", "tables.allow"));
    assertThat(none.keeps(cluster.snapshot.withFixed(Map.of(table, "it has replicas")), table))
        .contains(new TableSettings.Kept("stays as it is: it has replicas", ""));
    assertThat(new TableSettings(null, null).keeps(cluster.snapshot, table)).isEmpty();
  }

  /** HBase's tables with several replicas of each region. */
  @Test
  void policiesPlaceTheOtherTablesAroundThoseThatMustStay() {
    Map<String, String> some = Map.of("t1", "it has replicas", "t4", "it has replicas");
    Settings settings = settings(new TableSettings(null, null), 40, Action.ApplyMode.ONLINE);
    for (Policy policy : List.of(new Met1Policy(), new MetPolicy(), new TiramolaPolicy())) {
      int plans = 0;
      int wouldTouch = 0;
      for (long seed = 0; seed < SEEDS; seed++) {
        RandomCluster c = new RandomCluster(seed);
        Observation.Usable seen = c.seen(c.snapshot.withFixed(some));
        Optional<Plan> plan = plan(policy, seen, settings);
        if (plan.isPresent()) {
          plans++;
          assertThat(excluded(plan.get(), seen, settings))
              .as("%s, seed %d", policy.name(), seed)
              .isFalse();
        }
        Optional<Plan> free = plan(policy, c.seen(), settings);
        wouldTouch += free.isPresent() && excluded(free.get(), seen, settings) ? 1 : 0;
      }
      assertThat(plans).as(policy.name()).isGreaterThan(SEEDS / 8);
      assertThat(wouldTouch).as(policy.name()).isGreaterThan(SEEDS / 8);
    }
  }

  @Test
  void theNodeThatLeavesHoldsNoExcludedTable() {
    TableSettings some = new TableSettings(null, List.of("t1"));
    Settings settings = settings(some, 40, Action.ApplyMode.ONLINE);
    int removed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Observation.Usable busy = new RandomCluster(seed).seen();
      ClusterSnapshot rested = RandomCluster.rested(busy.snapshot());
      Map<NodeId, Double> idle = new HashMap<>();
      rested.nodes().forEach(node -> idle.put(node.id(), 0.01));
      Observation.Usable seen = new Observation.Usable(rested, busy.rates(), idle, idle, List.of());
      Set<NodeId> holders = new HashSet<>();
      seen.snapshot().partitions().stream()
          .filter(p -> p.id().table().equals("t1"))
          .forEach(p -> holders.add(p.node().orElseThrow()));
      Optional<Plan> plan = plan(new TiramolaPolicy(), seen, settings);
      if (plan.isPresent()) {
        removed++;
        boolean none = holders.size() == seen.snapshot().nodes().size();
        assertThat(excluded(plan.get(), seen, settings)).as("seed %d", seed).isEqualTo(none);
      }
    }
    assertThat(removed).isGreaterThan(SEEDS / 4);
  }

  @Test
  void aPlaceThatIsReachedIsKept() {
    TableSettings some = new TableSettings(null, List.of("t2", "t3"));
    Settings settings = settings(some, 1, Action.ApplyMode.ONLINE);
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomCluster c = new RandomCluster(seed);
      Decision first = new Met1Policy().decide(c.seen(), PolicyState.INITIAL, settings);
      if (first instanceof Decision.Act act) {
        Observation.Usable after = c.seen(PlanApplier.apply(act.plan(), c.snapshot));
        PolicyState again = new PolicyState(1, true, first.next().classes(), List.of());
        assertThat(new Met1Policy().decide(after, again, settings))
            .as("seed %d", seed)
            .isInstanceOf(Decision.Hold.class);
      }
    }
  }
}

package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.NodeModel;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

public class AutopilotPolicyTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);
  private static final int SAMPLES = 6;

  /** What a controller has seen after six samples. */
  public static Observation.Usable seen(ClusterSpec spec) throws Exception {
    InMemoryCluster cluster = new InMemoryCluster(spec);
    cluster.engine().startCounting();
    History history = History.EMPTY;
    for (int i = 0; i < SAMPLES; i++) {
      cluster.clock().advance(Duration.ofSeconds(30));
      history = history.append(cluster.engine().snapshot(), SETTINGS.observe());
    }
    Observation seen = Observation.of(history, cluster.clock().instant(), SETTINGS.observe());
    return ((Observation.Usable) seen)
        .with(cluster.engine().splitHints())
        .with(cluster.engine().histograms(), NodeModel.usage());
  }

  private static Decision decide(ClusterSpec spec, Settings settings) throws Exception {
    return Policies.AUTOPILOT.decide(seen(spec), PolicyState.INITIAL, settings);
  }

  private static Plan plan(ClusterSpec spec) throws Exception {
    Decision decision = decide(spec, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan();
  }

  /**
   * Four nodes, of which one has the two hottest of eight partitions and is used to nine tenths;
   * the others to three and four tenths.
   */
  public static ClusterSpec oneHotNode() {
    TableSpec table =
        TableSpec.of("t", 8, 64 << 20, Access.reads(25_000)).with(KeyDistribution.zipf(29, 8, 0.7));
    return ClusterSpec.assigned(1, 4, table);
  }

  @Test
  void aHotNodeIsRelievedByFewMoves() throws Exception {
    Decision.Act act = (Decision.Act) decide(oneHotNode(), SETTINGS);

    assertThat(act.plan().actions()).hasSizeLessThanOrEqualTo(3);
    assertThat(chosen(act).most()).isLessThan(0.7);
    assertThat(chosen(act).over()).isZero();
    assertThat(act.weighed()).hasSizeGreaterThan(2);
  }

  private static Alternative chosen(Decision.Act act) {
    return act.weighed().stream()
        .filter(a -> a.verdict().equals("chosen"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theUsageOfEveryNodeIsPredictedForTheLoadOfNow() throws Exception {
    Observation.Usable seen = seen(oneHotNode());
    Decision.Act act =
        (Decision.Act) Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);

    UsagePrediction predicted = act.predicted().orElseThrow();
    assertThat(predicted.from()).isEqualTo(UsagePrediction.Origin.BUILT);
    assertThat(predicted.usage().keySet())
        .containsExactlyInAnyOrderElementsOf(
            PlanApplier.apply(act.plan(), seen.snapshot()).nodes().stream()
                .map(NodeState::id)
                .toList());
    // Nothing more is foreseen.
    assertThat(predicted.most()).isCloseTo(chosen(act).most(), within(1e-6));
    // What nodes use now has only gone elsewhere.
    double now = seen.usage().values().stream().mapToDouble(u -> u).sum();
    assertThat(predicted.usage().values().stream().mapToDouble(u -> u).sum())
        .isCloseTo(now, within(0.1 * now));
  }

  @Test
  void whatIsForeseenDecidesAndIsNotPredictedForNow() throws Exception {
    Observation.Usable seen = seen(oneHotNode());
    double now = seen.usage().values().stream().mapToDouble(u -> u).sum();
    Decision.Act act =
        (Decision.Act)
            Policies.AUTOPILOT.decide(
                seen.with(ForeseenTest.foreseen(1.2)), PolicyState.INITIAL, SETTINGS);

    UsagePrediction predicted = act.predicted().orElseThrow();
    assertThat(chosen(act).most()).isGreaterThan(1.1 * predicted.most());
    assertThat(predicted.usage().values().stream().mapToDouble(u -> u).sum())
        .isCloseTo(now, within(0.1 * now));
  }

  @Test
  void whereNoModelIsGivenAndNoneWasLearnedRequestsPredict() throws Exception {
    Observation.Usable seen = seen(oneHotNode());
    Observation.Usable without =
        new Observation.Usable(
            seen.snapshot(), seen.rates(), seen.usage(), seen.cpu(), seen.hints());
    Decision.Act act =
        (Decision.Act) Policies.AUTOPILOT.decide(without, PolicyState.INITIAL, SETTINGS);

    assertThat(act.predicted().map(UsagePrediction::from))
        .contains(UsagePrediction.Origin.REQUESTS);
  }

  @Test
  void halvesOfASplitPartitionCountWhereTheyGo() throws Exception {
    TableSpec hot = TableSpec.of("t", 1, 64 << 20, Access.reads(14_000));
    Observation.Usable seen = seen(ClusterSpec.assigned(1, 4, hot));
    Decision.Act act =
        (Decision.Act) Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);

    assertThat(act.plan().actions(Action.Split.class)).isNotEmpty();
    UsagePrediction predicted = act.predicted().orElseThrow();
    assertThat(predicted.most()).isCloseTo(chosen(act).most(), within(1e-6));
    assertThat(predicted.usage().values()).filteredOn(u -> u > 0.1).hasSizeGreaterThan(1);
  }

  @Test
  void aPartitionThatIsTooMuchForANodeIsSplit() throws Exception {
    TableSpec hot = TableSpec.of("t", 1, 64 << 20, Access.reads(14_000));
    Plan plan = plan(ClusterSpec.assigned(1, 4, hot));

    assertThat(plan.actions(Action.Split.class)).isNotEmpty();
    assertThat(plan.actions(Action.AddNode.class)).isEmpty();
  }

  @Test
  void nodesAreAddedWhereNothingElseSuffices() throws Exception {
    TableSpec even = TableSpec.of("t", 24, 64 << 20, Access.reads(34_000));
    Plan plan = plan(ClusterSpec.assigned(1, 3, even));

    assertThat(plan.actions(Action.AddNode.class)).isNotEmpty();
  }

  @Test
  void nodesThatAreNotNeededAreGivenBackAtOnce() throws Exception {
    TableSpec little = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    Plan plan = plan(ClusterSpec.assigned(1, 6, little));

    assertThat(plan.actions(Action.RemoveNode.class)).hasSizeGreaterThan(1);
  }

  @Test
  void whatDoesNotPayBackIsNotDone() throws Exception {
    // Partitions of 20 GiB take minutes to rewrite.
    TableSpec large =
        TableSpec.of("t", 8, 160L << 30, Access.writes(18_000))
            .with(KeyDistribution.zipf(29, 8, 0.7));
    // Without the plug-in a profile needs a restart.
    ClusterSpec spec = ClusterSpec.assigned(1, 4, large).withOnline(false);
    Settings shortSighted =
        SETTINGS.with(new ChoiceSettings(Duration.ofMinutes(1), 1.0, null, null, null, null));
    Decision decision = decide(spec, shortSighted);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("choice.horizon");
    assertThat(decide(spec, SETTINGS)).as("over an hour").isInstanceOf(Decision.Act.class);
  }

  @Test
  void whatIsWellIsLeftAlone() throws Exception {
    TableSpec even = TableSpec.of("t", 12, 64 << 20, Access.reads(15_000));
    Decision decision = decide(ClusterSpec.assigned(1, 2, even), SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
  }

  @Test
  void whatIsRefusedGivesWayToTheNextBest() throws Exception {
    Policy.Veto noMoves =
        act ->
            act.plan().actions(Action.Move.class).isEmpty()
                ? Optional.empty()
                : Optional.of(new Policy.Refused("no moves today", ""));
    Decision.Act act =
        (Decision.Act)
            Policies.AUTOPILOT
                .heeding(noMoves)
                .decide(seen(oneHotNode()), PolicyState.INITIAL, SETTINGS);

    assertThat(act.plan().actions(Action.Move.class)).isEmpty();
    assertThat(act.weighed()).extracting(Alternative::verdict).contains("chosen");
    assertThat(act.weighed()).extracting(Alternative::verdict).contains("refused: no moves today");
  }

  @Test
  void whereAllIsRefusedTheBestIsProposed() throws Exception {
    Decision.Act free = (Decision.Act) decide(oneHotNode(), SETTINGS);
    Decision.Act act =
        (Decision.Act)
            Policies.AUTOPILOT
                .heeding(any -> Optional.of(new Policy.Refused("not now", "")))
                .decide(seen(oneHotNode()), PolicyState.INITIAL, SETTINGS);

    assertThat(act.plan().actions()).isEqualTo(free.plan().actions());
    assertThat(act.weighed()).extracting(Alternative::verdict).doesNotContain("chosen");
  }

  /** To make a plan of many partitions takes seconds. */
  @Test
  void whereNoPlanMayBeginNoOthersAreMade() throws Exception {
    Observation.Usable seen = seen(oneHotNode());
    List<Decision.Act> asked = new ArrayList<>();
    for (Policy.Reach reach : Policy.Reach.values()) {
      asked.clear();
      Policy.Veto veto =
          act -> {
            asked.add(act);
            return Optional.of(new Policy.Refused("it rests", "guard.cooldown", reach));
          };
      Decision.Act act =
          (Decision.Act)
              Policies.AUTOPILOT.heeding(veto).decide(seen, PolicyState.INITIAL, SETTINGS);

      assertThat(asked.size() == 1)
          .as("%s plans, %s", asked.size(), reach)
          .isEqualTo(reach != Policy.Reach.ONE);
      assertThat(act.plan().actions()).isEqualTo(asked.get(0).plan().actions());
      assertThat(act.weighed())
          .filteredOn(alternative -> alternative.gain() > 0)
          .hasSizeGreaterThan(1)
          .extracting(Alternative::verdict)
          .containsOnly("refused: it rests");
    }
  }

  @Test
  void saturatedNodesAreCountedApartFromNodesToAdd() throws Exception {
    TableSpec much = TableSpec.of("t", 24, 64 << 20, Access.reads(100_000));
    Decision.Act act = (Decision.Act) decide(ClusterSpec.assigned(1, 4, much), SETTINGS);

    List<PolicyState.Full> full = act.next().full();
    assertThat(full).isNotEmpty().extracting(PolicyState.Full::plans).containsOnly(1);
    NodeId node = full.get(0).node();
    assertThat(act.next().fullFor(node)).isEqualTo(1);
    assertThat(act.next().after(Set.of(node)).fullFor(node)).isEqualTo(2);
    assertThat(act.next().after(Set.of()).fullFor(node)).isEqualTo(1);
    assertThat(act.next().relieved(any -> true).full()).isEmpty();
    assertThat(act.next().step()).isEqualTo(PolicyState.INITIAL.step());
  }

  @Test
  void noMoreIsMovedThanOnePlanMay() throws Exception {
    TableSpec hot =
        TableSpec.of("t", 24, 64 << 20, Access.reads(30_000))
            .with(KeyDistribution.zipf(29, 24, 0.9));
    ClusterSpec spec = ClusterSpec.assigned(1, 4, hot);
    Settings whole = SETTINGS.with(SplitSettings.builder().enabled(false).build());
    Settings many = whole.with(GuardSettings.builder().maxNodes(4).build());
    Settings two = whole.with(GuardSettings.builder().maxNodes(4).maxMoves(2).build());
    Decision.Act free = (Decision.Act) decide(spec, many);
    Observation.Usable seen = seen(spec);
    Policy.Veto guard =
        act ->
            Guard.check(
                        act.plan(),
                        seen.snapshot(),
                        Optional.empty(),
                        Optional.of(NodeCapacity.of(0)),
                        two,
                        seen.snapshot().takenAt())
                    instanceof Guard.Verdict.Refuse refused
                ? Optional.of(new Policy.Refused(refused.reason(), refused.setting()))
                : Optional.empty();
    Decision.Act act =
        (Decision.Act) Policies.AUTOPILOT.heeding(guard).decide(seen, PolicyState.INITIAL, two);

    assertThat(free.plan().actions(Action.Move.class)).hasSizeGreaterThan(2);
    assertThat(act.plan().actions(Action.Move.class)).hasSizeBetween(1, 2);
  }
}

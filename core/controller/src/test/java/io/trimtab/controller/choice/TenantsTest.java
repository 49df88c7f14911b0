package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.tenants.TableChange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No table pays for what others gain. */
class TenantsTest {
  private final ByHand cluster = new ByHand();
  private final NodeId full = cluster.node("full", Profile.READ, 0.96);
  private final NodeId one = cluster.node("one", Profile.READ, 0.5);
  private final NodeId other = cluster.node("other", Profile.READ, 0.5);

  /** Two tables share the full node; wherever one of them goes, it takes from the third. */
  private Observation.Usable seen() {
    cluster.reads(full, "c", 500);
    cluster.reads(full, "j", 460);
    cluster.reads(one, "a", 500);
    cluster.reads(other, "a", 500);
    return cluster.seen();
  }

  private static Settings settings(double aversion) {
    return Settings.defaults()
        .with(Policies.AUTOPILOT)
        .with(GuardSettings.builder().maxNodes(3).build())
        .with(new ChoiceSettings(null, null, null, null, null, aversion));
  }

  private static Decision decide(Observation.Usable seen, double aversion) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings(aversion));
  }

  private static boolean losesMuch(TableChange change) {
    return change.then() < 0.95 * change.now();
  }

  @Test
  void aPlanThatHelpsSomeAndCostsAnotherIsNotChosen() {
    Observation.Usable seen = seen();
    Decision decision = decide(seen, 2);
    List<Alternative> chosen =
        decision.weighed().stream().filter(a -> a.verdict().equals("chosen")).toList();

    assertThat(chosen).allSatisfy(a -> assertThat(a.tables()).noneMatch(TenantsTest::losesMuch));
    assertThat(decision.weighed())
        .filteredOn(a -> a.tables().stream().anyMatch(TenantsTest::losesMuch))
        .isNotEmpty()
        .allSatisfy(a -> assertThat(a.gain()).isNegative());
  }

  /** So that the test above shows something. */
  @Test
  void whereALossCountsNoMoreThanAGainItIsChosen() {
    Decision decision = decide(seen(), 1);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(decision.weighed())
        .filteredOn(a -> a.verdict().equals("chosen"))
        .singleElement()
        .satisfies(
            a ->
                assertThat(a.tables())
                    .filteredOn(TenantsTest::losesMuch)
                    .extracting(TableChange::table)
                    .containsExactly("a"));
  }

  @Test
  void whatComesToATablesNodeGoesBackWhereItCostsThatTableMuch() {
    Observation.Usable seen = seen();
    ClusterLoad load = ByHand.load(seen, settings(2));
    Layout now = Layout.now(load);
    Evaluator evaluator = new Evaluator(load, now, 0.7);
    Layout moved = now.copy();
    PartitionId j =
        seen.snapshot().partitions().stream()
            .map(p -> p.id())
            .filter(id -> id.table().equals("j"))
            .findFirst()
            .orElseThrow();
    moved.move(ByHand.index(load, j), ByHand.index(moved, one));
    double before = evaluator.cost(moved).sum();
    assertThat(evaluator.loser(moved)).isPresent();

    List<Generator.Candidate> amended =
        new Spared(now, evaluator).of(List.of(new Generator.Candidate("move", moved)));

    assertThat(amended).hasSize(1);
    assertThat(amended.get(0).title()).isEqualTo("move, sparing a");
    assertThat(evaluator.loser(amended.get(0).layout())).isEmpty();
    assertThat(evaluator.cost(amended.get(0).layout()).sum()).isLessThan(before);
  }

  @Test
  void whereNoTableLosesNothingIsAmended() {
    ClusterLoad load = ByHand.load(seen(), settings(2));
    Layout now = Layout.now(load);
    Evaluator evaluator = new Evaluator(load, now, 0.7);

    assertThat(new Spared(now, evaluator).of(List.of(new Generator.Candidate("stay", now))))
        .isEmpty();
  }

  /** The usage of three nodes, 0.99, 0.5 and 0.5, is above a target of 0.6 wherever it is. */
  @Test
  void whatIsTooMuchForAllNodesIsSpreadOverThem() {
    for (int i = 0; i < 8; i++) {
      cluster.reads(full, "h", 100);
    }
    cluster.reads(full, "b", 160);
    cluster.reads(one, "a", 500);
    cluster.reads(other, "a", 500);
    ClusterLoad load = ByHand.load(cluster.seen(), settings(2));
    Layout now = Layout.now(load);
    Evaluator evaluator = new Evaluator(load, now, 0.6);

    List<Generator.Candidate> found = new SmallSteps().propose(now, evaluator);

    assertThat(found)
        .anySatisfy(
            candidate ->
                assertThat(evaluator.cost(candidate.layout()).most()).isBetween(0.66, 0.73));
  }
}

package io.trimtab.runtime.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.ColdNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The only partition moves, and is asked for 1,000 reads a second, of which its new node finds
 * hardly any in its cache at first: it is used to three quarters then, and to a twelfth when its
 * cache has filled, after some three minutes.
 */
@Timeout(60)
class MeasuredWarmTest {
  private static final double WARM = 0.08;

  private final ColdCluster all =
      new ColdCluster(
          ClusterSpec.assigned(
              1,
              2,
              ColdCluster.table(
                  "moves", 300L << 20, 8 << 10, LoadScript.constant(Access.reads(1_000)))));

  private final NodeId first = all.node(0);
  private final NodeId second = all.node(1);

  /** When the partition goes back, in seconds since the first plan. */
  private double backAfter = Double.POSITIVE_INFINITY;

  private final Settings settings = ColdCluster.SETTINGS.with(new Moving());

  /** Takes the partition to the second node, and maybe back. */
  private final class Moving implements Policy {
    @Override
    public String name() {
      return "moving";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings known) {
      PartitionState partition = seen.snapshot().partitions().get(0);
      NodeId from = partition.node().orElseThrow();
      NodeId to = all.seconds() >= all.after + backAfter ? first : second;
      if (from.equals(to)) {
        return new Decision.Hold("it is there", "", state);
      }
      Plan plan =
          new Plan(
              "moving-" + all.plans.size(),
              seen.snapshot().clusterId(),
              seen.snapshot().takenAt(),
              name(),
              "it belongs there",
              1,
              List.of(
                  new PlannedAction(1, new Action.Move(partition.id(), from, to), "", "", "", "")));
      return new Decision.Act(plan, state)
          .predicting(
              new UsagePrediction(
                  UsagePrediction.Origin.LEARNED, new TreeMap<>(Map.of(to, WARM, from, 0.0))));
    }
  }

  private void runFor(Duration sinceTheFirstPlan) throws Exception {
    all.run(settings, true, () -> all.seconds() >= all.after + sinceTheFirstPlan.toSeconds());
  }

  private List<PredictionResult> ledger() {
    return PredictionLedger.of(all.home.recorded());
  }

  /** After the prediction, in seconds. */
  private double measuredAfter() {
    List<Entry> entries = all.home.recorded();
    Entry predicted =
        entries.stream().filter(Entry.Predicted.class::isInstance).findFirst().orElseThrow();
    Entry measured =
        entries.stream().filter(Entry.Measured.class::isInstance).findFirst().orElseThrow();
    return Duration.between(predicted.at(), measured.at()).toMillis() / 1e3;
  }

  @Test
  void aPredictionIsComparedWhenCachesHaveFilled() throws Exception {
    runFor(ColdNodes.LONGEST.plusSeconds(30));

    assertThat(ledger()).hasSize(1);
    PredictionResult line = ledger().get(0);
    assertThat(line.measured()).isCloseTo(WARM, within(0.04));
    assertThat(line.nodes().measured().get(second.name())).isCloseTo(WARM, within(0.04));
    assertThat(line.nodes().measured().get(first.name())).isLessThan(0.02);
    assertThat(measuredAfter()).isBetween(60.0, ColdNodes.LONGEST.toSeconds() - 5.0);
  }

  @Test
  void whereNothingIsToldOfCachesItIsComparedWhenTheyShouldHave() throws Exception {
    all.seen = ColdCluster::untold;

    runFor(ColdNodes.LONGEST.plusSeconds(30));

    assertThat(ledger().get(0).measured()).isCloseTo(WARM, within(0.04));
    assertThat(measuredAfter())
        .isBetween((double) ColdNodes.LONGEST.toSeconds(), ColdNodes.LONGEST.toSeconds() + 15.0);
  }

  @Test
  void theNextControllerMeasuresWhatTheOneBeforeHasPredicted() throws Exception {
    runFor(Duration.ofSeconds(25));
    assertThat(ledger()).hasSize(1);
    assertThat(ledger().get(0).known()).isFalse();

    runFor(ColdNodes.LONGEST.plusSeconds(30));

    assertThat(all.plans).hasSize(1);
    assertThat(ledger()).hasSize(1);
    assertThat(ledger().get(0).measured()).isCloseTo(WARM, within(0.04));
  }

  @Test
  void whatTheNextPlanOvertakesIsNotMeasuredAndSaysSo() throws Exception {
    backAfter = 30;

    runFor(ColdNodes.LONGEST.plusSeconds(90));

    assertThat(all.plans).hasSize(2);
    List<PredictionResult> lines = ledger();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).known()).isFalse();
    assertThat(lines.get(0).overtaken()).isTrue();
    assertThat(lines.get(1).overtaken()).isFalse();
    assertThat(lines.get(1).measured()).isCloseTo(WARM, within(0.04));
  }
}

package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.NodeModel;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.oracle.PlanRunner;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By a model that is wrong by a fifth nothing is chosen that is worse than to stay. */
class RobustChoiceTest {
  private static final int SAMPLES = 6;

  /** A node's usage is told with 2 % of noise. */
  private static final double NOISE = 0.02;

  /** Plans are for the nodes that there are. */
  private static Settings settings(ClusterSpec spec) {
    return Settings.defaults()
        .with(Policies.AUTOPILOT)
        .with(GuardSettings.builder().maxNodes(spec.nodes()).build());
  }

  private static List<ClusterSpec> specs() {
    TableSpec many =
        TableSpec.of("t", 24, 64 << 20, Access.reads(30_000))
            .with(KeyDistribution.zipf(29, 24, 0.9));
    TableSpec reads =
        TableSpec.of("r", 12, 800L << 20, Access.reads(4_000))
            .with(KeyDistribution.zipf(29, 12, 0.8));
    TableSpec writes = TableSpec.of("w", 6, 64 << 20, Access.writes(9_000));
    TableSpec idle = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    return List.of(
        AutopilotPolicyTest.oneHotNode(),
        ClusterSpec.assigned(1, 4, many),
        ClusterSpec.assigned(2, 4, reads, writes),
        ClusterSpec.assigned(1, 6, idle));
  }

  /** A model of nodes that do so much of the true work, as a factor. */
  private static UsageModel wrong(double factor) {
    UsageModel model = NodeModel.usage();
    return new UsageModel(
        model.schema(),
        model.engine(),
        model.fingerprint(),
        model.idle(),
        model.reads().stream()
            .map(
                point ->
                    new UsageModel.ReadPoint(
                        point.hitRatio(),
                        point.level(),
                        factor * point.opsPerSecond(),
                        point.runs()))
            .toList(),
        model.updates().stream()
            .map(
                point ->
                    new UsageModel.UpdatePoint(
                        point.level(), factor * point.opsPerSecond(), point.runs()))
            .toList(),
        model.scans(),
        model.compaction());
  }

  private static Observation.Usable observed(InMemoryCluster cluster, Settings settings)
      throws Exception {
    History history = History.EMPTY;
    for (int i = 0; i < SAMPLES; i++) {
      cluster.clock().advance(Duration.ofSeconds(30));
      history = history.append(cluster.engine().snapshot(), settings.observe());
    }
    return (Observation.Usable)
        Observation.of(history, cluster.clock().instant(), settings.observe());
  }

  /** What nodes are used beyond the target, of all nodes together. */
  private static double beyond(InMemoryCluster cluster, Settings settings) throws Exception {
    cluster.clock().advance(Duration.ofMinutes(20));
    double target = settings.usage().target();
    return observed(cluster, settings).usage().values().stream()
        .mapToDouble(usage -> Math.max(0, usage - target))
        .sum();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.8, 1, 1.2})
  void noChoiceIsWorseThanToStay(double factor) throws Exception {
    int plans = 0;
    for (ClusterSpec spec : specs()) {
      Settings settings = settings(spec);
      InMemoryCluster staying = new InMemoryCluster(spec);
      InMemoryCluster changed = new InMemoryCluster(spec);
      changed.engine().startCounting();
      Observation.Usable seen = observed(changed, settings);
      Decision decision =
          Policies.AUTOPILOT.decide(
              seen.with(changed.engine().splitHints())
                  .with(changed.engine().histograms(), wrong(factor)),
              PolicyState.INITIAL,
              settings);
      if (decision instanceof Decision.Act act) {
        PlanRunner runner = new PlanRunner(changed.engine(), changed.provider());
        assertThat(runner.violations(act.plan(), seen.snapshot())).as("%s", spec).isEmpty();
        plans++;
      }
      observed(staying, settings);

      assertThat(beyond(changed, settings))
          .as("%s with %s", decision, spec)
          .isLessThanOrEqualTo(beyond(staying, settings) + spec.nodes() * NOISE);
    }
    assertThat(plans).isGreaterThan(1);
  }
}

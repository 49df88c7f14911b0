package io.trimtab.runtime.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.formats.ModelFile;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.NodeModel;
import io.trimtab.testkit.load.TableSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a loop makes of minutes in which nodes use more than they will. */
@Timeout(120)
class ColdMovesTest {
  /** When the load rises; by then caches are full. */
  private static final double RISE = 1_800;

  private static final double READ = 80e-6;

  @TempDir Path folder;

  private static LoadScript rising(double before, double then) {
    return seconds -> Access.reads(seconds < RISE ? before : then);
  }

  /**
   * One of two nodes gets too much, and gives a partition whose cache takes a minute and a half to
   * fill to the other, which is used to its end meanwhile. What it has besides must not leave it
   * for that.
   */
  @Test
  void nothingLeavesANodeThatIsUsedTooMuchBecauseItsCacheIsCold() throws Exception {
    ColdCluster all =
        new ColdCluster(
            ClusterSpec.assigned(
                1,
                2,
                ColdCluster.table("stays", 64L << 20, 64 << 10, rising(1_000, 5_600)),
                ColdCluster.table("other", 64L << 20, 64 << 10, rising(1_000, 1_000)),
                ColdCluster.table("moves", 300L << 20, 2 << 10, rising(1_000, 5_000))));
    NodeId second = all.node(1);
    Path model = folder.resolve("model.json");
    ModelFile.write(model, NodeModel.usage());
    Settings settings =
        ColdCluster.SETTINGS
            .with(new TableSettings(null, List.of("stays")))
            .with(UsageSettings.builder().model(model.toString()).build())
            .with(Policies.AUTOPILOT);

    double[] most = new double[1];
    all.atLook =
        () -> {
          double used = all.cluster.truth().node(second).orElseThrow().usage().server();
          most[0] = all.seconds() > all.after ? Math.max(most[0], used) : 0;
        };
    all.run(settings, true, () -> all.seconds() >= Math.min(all.after, 2 * RISE) + 480);

    assertThat(all.plans).as("plans; held: %s", all.held).isNotEmpty();
    assertThat(all.plans.get(0).summary()).contains("predicted from the built model");
    assertThat(most[0]).as("usage of the second node").isGreaterThan(settings.health().high());
    assertThat(all.held)
        .anyMatch(why -> why.contains("while caches fill is not counted on " + second.name()));
    assertThat(all.cluster.faults().calls(Verb.MOVE)).as("%s", all.plans).isEqualTo(1);
    assertThat(all.cluster.truth().node(second).orElseThrow().usage().server())
        .as("when its cache is full")
        .isLessThan(0.6);
  }

  /** A node restarts, and its compiler takes most of it for five minutes. */
  @Test
  void aCompilerIsNotTakenForWhatRequestsCost() throws Exception {
    LoadScript load =
        LoadScript.steps(Access.reads(4_000), Duration.ofMinutes(20), 1, 2, 0.5, 3, 1.5);
    ColdCluster all =
        new ColdCluster(
            ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 16 << 20, Access.NONE).with(load)));
    NodeId node = all.node(0);
    long before = all.cluster.truth().node(node).orElseThrow().incarnation();
    double[] restarted = {Double.POSITIVE_INFINITY};
    all.seen =
        seen ->
            seen.node(node).filter(n -> n.incarnation() != before).isPresent()
                    && all.seconds() <= restarted[0] + 300
                ? compiling(seen, node)
                : seen;
    all.atLook =
        () -> {
          if (all.seconds() >= 1_530 && restarted[0] == Double.POSITIVE_INFINITY) {
            restarted[0] = all.seconds();
            all.cluster.kill(node);
            all.cluster.start(node);
          }
        };

    Settings settings =
        Settings.defaults().with(ObserveSettings.builder().build()).with(Policies.AUTOPILOT);
    all.run(settings, false, () -> all.seconds() >= 2_400);

    assertThat(restarted[0]).isLessThan(1_600);
    assertThat(all.home.loadRecord().costs().orElseThrow().together().costs()[0])
        .isCloseTo(READ, within(0.1 * READ));
  }

  private static ClusterSnapshot compiling(ClusterSnapshot seen, NodeId node) {
    return seen.with(
        seen.nodes().stream().map(n -> n.id().equals(node) ? compiling(n) : n).toList(),
        seen.partitions(),
        seen.gaps());
  }

  private static NodeState compiling(NodeState node) {
    NodeUsage u = node.usage();
    double user = Math.min(0.98, u.cpuUser() + 0.8);
    return node.with(new NodeUsage(user, 0, u.ioWait(), u.load5(), u.waitSource()), node.gauges());
  }
}

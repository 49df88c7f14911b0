package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exactly the plan that was saved is carried out, or none. */
class SavedPlanTest {
  @TempDir private Path folder;
  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 3, TableSpec.of("t", 3, 1 << 20, Access.reads(10))));
  private Path file;
  private SavedPlan saved;

  @BeforeEach
  void save() throws Exception {
    file = folder.resolve("plan.json");
    ClusterSnapshot seen = cluster.engine().snapshot();
    PartitionState p = seen.partitions().get(0);
    NodeId from = p.node().orElseThrow();
    NodeId to = seen.partitions().get(1).node().orElseThrow();
    Plan plan =
        new Plan(
            "p-1",
            seen.clusterId(),
            seen.takenAt(),
            "autopilot",
            "because",
            0.5,
            List.of(new PlannedAction(1, new Action.Move(p.id(), from, to), "r", "e", "c", "u")));
    saved = SavedPlan.of("1.0", seen, plan);
  }

  private void refused(SavedPlan plan, String version, String why) throws Exception {
    ClusterSnapshot now = cluster.engine().snapshot();
    assertThatThrownBy(() -> plan.check(file, now, version))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(why);
  }

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    saved.write(file);

    assertThat(SavedPlan.read(file)).isEqualTo(saved);
    SavedPlan.read(file).check(file, cluster.engine().snapshot(), "1.0");
  }

  @Test
  void aPlanOfAnotherClusterOrVersionIsRefused() throws Exception {
    Plan p = saved.plan();
    Plan other =
        new Plan("p", "other", p.snapshotAt(), p.policy(), p.summary(), p.gain(), p.actions());
    SavedPlan elsewhere = new SavedPlan("1.0", saved.nodes(), other);
    refused(elsewhere, "1.0", "is for cluster other, this is " + saved.plan().clusterId());
    refused(elsewhere, "1.0", "; name that cluster, or make it anew here");
    refused(saved, "2.0", "made by version 1.0, this is 2.0; make it anew");
  }

  @Test
  void anOldPlanIsRefused() throws Exception {
    cluster.clock().advance(Duration.ofHours(26));

    refused(saved, "1.0", "26 hours old, at most 24 are allowed; make it anew");
  }

  @Test
  void otherNodesAreRefused() throws Exception {
    cluster.kill(cluster.engine().snapshot().nodes().get(2).id());

    refused(saved, "1.0", "make the plan anew");
  }

  @Test
  void aPartitionThatIsElsewhereIsRefused() throws Exception {
    Action.Move move = saved.plan().actions(Action.Move.class).get(0);
    NodeId third =
        cluster.engine().snapshot().nodes().stream()
            .map(n -> n.id())
            .filter(n -> !n.equals(move.from()) && !n.equals(move.to()))
            .findFirst()
            .orElseThrow();
    cluster.engine().move(move.partition(), third, Duration.ofMinutes(1));

    refused(saved, "1.0", "the cluster has changed since " + saved.plan().snapshotAt() + ": ");
    refused(saved, "1.0", "; make the plan anew");
  }

  @Test
  void aFileThatIsNoPlanIsToldInOneLine() throws Exception {
    String empty = "{\"version\": \"1\", \"nodes\": [], \"plan\": {}}";
    String unnamed = empty.replace("{}", "{\"actions\": []}");
    for (String text :
        List.of("", "{", "null", "{}", "[1]", "{\"version\": \"1\"}", empty, unnamed)) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> SavedPlan.read(file))
          .as(text)
          .isInstanceOf(UserError.class)
          .hasMessageStartingWith(file + ":")
          .hasMessageContaining(": not a plan that trimtab plan --save wrote")
          .hasMessageNotContaining("\n");
    }
    assertThatThrownBy(() -> SavedPlan.read(folder.resolve("none.json")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("none.json: no such file");
  }
}

package io.trimtab.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the first release, as it wrote them on a real cluster, are read for good. */
final class RecordedFilesTest {
  static Path recorded(String name) throws URISyntaxException {
    return Path.of(RecordedFilesTest.class.getResource("/recorded/" + name).toURI());
  }

  @Test
  void aSnapshotFileIsReadAndWrittenAgainAlike(@TempDir Path folder) throws Exception {
    Observation.Usable seen = ObservationFile.read(recorded("snapshot.json"));
    assertThat(seen.snapshot().clusterId()).isEqualTo("c4f5de80-f497-43a7-b286-f126cc9c1a1d");
    assertThat(seen.snapshot().liveNodes()).hasSize(2);
    assertThat(seen.snapshot().partitions()).hasSize(6);
    assertThat(seen.usage()).hasSize(2);
    assertThat(seen.snapshot().nodes())
        .as("it is older than the figures of disks")
        .allSatisfy(node -> assertThat(node.gauges().disk()).isEqualTo(DiskSpace.UNKNOWN));
    assertThat(seen.snapshot().nodes())
        .as("it is older than the source of I/O wait")
        .allSatisfy(node -> assertThat(node.usage().waitSource()).isEqualTo(WaitSource.UNKNOWN));
    assertThat(seen.snapshot().nodes())
        .as("it is older than nodes' limits")
        .allSatisfy(node -> assertThat(node.usage().limits()).isEqualTo(NodeLimits.UNKNOWN));
    assertThat(seen.rates()).isNotEmpty();
    assertThat(seen.snapshot().partitions())
        .as("it has the calls of scans under the name of scans")
        .extracting(p -> p.counters().orElseThrow().scanCalls())
        .contains(3L);
    Path again = folder.resolve("again.json");
    ObservationFile.write(again, seen);
    assertThat(ObservationFile.read(again)).isEqualTo(seen);
  }

  @Test
  void tablesThatStayAndCachesBesideTheHeapAreKept() throws Exception {
    ClusterSnapshot older = ObservationFile.read(recorded("snapshot.json")).snapshot();
    assertThat(older.fixedTables()).as("it is older than these").isEmpty();
    assertThat(older.nodes()).noneMatch(node -> node.gauges().cacheBesideHeap());
    List<NodeState> nodes =
        older.nodes().stream().map(n -> n.with(n.usage(), n.gauges().besideHeap())).toList();
    ClusterSnapshot newer =
        older
            .with(nodes, older.partitions(), older.gaps())
            .withFixed(Map.of("t", "it has 2 replicas"));

    String text = JsonMappers.MAPPER.writeValueAsString(newer);

    ClusterSnapshot again = JsonMappers.MAPPER.readValue(text, ClusterSnapshot.class);
    assertThat(again).isEqualTo(newer);
    assertThat(again.fixedTables()).containsEntry("t", "it has 2 replicas");
    assertThat(again.nodes()).allMatch(node -> node.gauges().cacheBesideHeap());
  }

  /** As the first release writes scans' costs: without that of a further call. */
  @Test
  void aModelWithTheScansOfTheFirstReleaseIsRead(@TempDir Path folder) throws Exception {
    String text =
        Files.readString(recorded("model.json"))
            .replace(
                "\"scans\" : null",
                "\"scans\" : {\"row\" : 1E-5, \"column\" : 2E-6, \"blockHit\" : 3E-5,"
                    + " \"blockMiss\" : 6E-3, \"residual\" : 0.01}");
    UsageModel model = ModelFile.read(Files.writeString(folder.resolve("model.json"), text));
    assertThat(model.scans())
        .isEqualTo(new UsageModel.ScanCosts(1e-5, 2e-6, 3e-5, 6e-3, null, 0.01));
    Path again = folder.resolve("again.json");
    ModelFile.write(again, model);
    assertThat(ModelFile.read(again)).isEqualTo(model);
  }

  @Test
  void aModelIsRead() throws URISyntaxException, IOException {
    UsageModel model = ModelFile.read(recorded("model.json"));
    assertThat(model.engine()).isEqualTo("hbase");
    assertThat(model.reads()).hasSizeGreaterThan(10);
    assertThat(model.fingerprint()).containsKey("cpu");
    assertThat(model.waitSource()).as("it is older than the source of I/O wait").isEmpty();
    assertThat(model.reads().get(0).runs()).allMatch(run -> run.waitSource().isEmpty());
    assertThat(Files.size(recorded("model.json"))).isPositive();
  }
}

package io.trimtab.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.ReplicaView;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObservationFileTest {
  @TempDir Path folder;

  private static Observation.Usable seen() throws Exception {
    ClusterSnapshot snapshot =
        ObservationFile.read(RecordedFilesTest.recorded("snapshot.json")).snapshot();
    PartitionId first = snapshot.partitions().get(0).id();
    return new Observation.Usable(
            snapshot,
            Map.of(first, new Rates(1, 2, 30, 0.25)),
            Map.of(new NodeId("n0:1"), 0.5),
            Map.of(new NodeId("n0:1"), 0.25),
            List.of(
                new SplitHint(
                    first,
                    SplitHint.Verdict.WAIT,
                    RowKey.of(new byte[] {0, -1}),
                    Double.NaN,
                    1,
                    7,
                    "too few")))
        .withBlocks(
            List.of(
                new BlockHistogram(
                    first, List.of(new BlockHistogram.Bin(2, 7.5)), 33_000, 1, 4, 10, 20, 3)));
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws Exception {
    Path file = folder.resolve("new/seen.json");
    ObservationFile.write(file, seen());
    assertThat(ObservationFile.read(file)).isEqualTo(seen());
    try (var left = Files.list(file.getParent())) {
      assertThat(left).containsExactly(file);
    }
  }

  /** Files of programs that had no blockers. */
  @Test
  void coordinatorsViewsAreKeptAndMayBeMissing() throws Exception {
    Path file = folder.resolve("seen.json");
    ClusterSnapshot plain = seen().snapshot();
    NodeId first = plain.nodes().get(0).id();
    ReplicaView known =
        new ReplicaView(
            first,
            OptionalDouble.of(1.5),
            OptionalLong.of(0),
            OptionalDouble.of(Double.NaN),
            OptionalDouble.of(6),
            OptionalDouble.empty(),
            OptionalLong.of(10),
            OptionalLong.of(4));
    CoordinatorView view = new CoordinatorView("trimtab", true, List.of(known));
    List<NodeState> nodes = new ArrayList<>(plain.nodes());
    nodes.set(0, nodes.get(0).with(view));
    Observation.Usable seen =
        new Observation.Usable(
            plain.with(nodes, plain.partitions(), List.of()),
            seen().rates(),
            seen().usage(),
            seen().cpu(),
            seen().hints());
    ObservationFile.write(file, seen);
    assertThat(ObservationFile.read(file)).isEqualTo(seen);

    ObjectMapper json = new ObjectMapper();
    ObjectNode tree = (ObjectNode) json.readTree(file.toFile());
    ObjectNode stored = (ObjectNode) tree.at("/snapshot/nodes/0/view/replicas/0");
    assertThat(stored.get("candidate").asLong()).isEqualTo(10);
    stored.remove(List.of("candidate", "serviceMs"));
    tree.at("/snapshot/nodes").forEach(node -> assertThat(node.has("view")).isTrue());
    ((ObjectNode) tree.at("/snapshot/nodes/1")).remove("view");
    Files.writeString(file, json.writeValueAsString(tree));
    List<NodeState> read = ObservationFile.read(file).snapshot().nodes();
    ReplicaView its = read.get(0).view().orElseThrow().of(first).orElseThrow();
    assertThat(its.candidate()).isEmpty();
    assertThat(its.serviceMs()).isEmpty();
    assertThat(its.first()).hasValue(4);
    assertThat(read.get(1).view()).isEmpty();
  }

  @Test
  void whatNodesAreBusyWithIsKeptAndMayBeMissing() throws Exception {
    Path file = folder.resolve("seen.json");
    ClusterSnapshot plain = seen().snapshot();
    List<NodeState> nodes = new ArrayList<>(plain.nodes());
    nodes.set(0, nodes.get(0).busyWith(List.of("repair")));
    ClusterSnapshot busy = plain.with(nodes, plain.partitions(), plain.gaps());
    ObservationFile.write(
        file,
        new Observation.Usable(busy, seen().rates(), seen().usage(), seen().cpu(), seen().hints()));
    assertThat(ObservationFile.read(file).snapshot()).isEqualTo(busy);

    ObjectMapper json = new ObjectMapper();
    ObjectNode tree = (ObjectNode) json.readTree(file.toFile());
    ((ObjectNode) tree.at("/snapshot/nodes/0")).remove("maintenance");
    Files.writeString(file, json.writeValueAsString(tree));
    assertThat(ObservationFile.read(file).snapshot()).isEqualTo(plain);
  }

  @Test
  void anOlderFileOfAnUnhealthyClusterHasABlocker() throws Exception {
    Path file = folder.resolve("seen.json");
    ObservationFile.write(file, seen());
    String today = Files.readString(file);
    assertThat(today).contains("\"blockers\" : [ ]").doesNotContain("coordinatorHealthy");

    Files.writeString(file, today.replace("\"blockers\" : [ ]", "\"coordinatorHealthy\" : true"));
    assertThat(ObservationFile.read(file)).isEqualTo(seen());

    Files.writeString(file, today.replace("\"blockers\" : [ ]", "\"coordinatorHealthy\" : false"));
    assertThat(ObservationFile.read(file).snapshot().blockers())
        .containsExactly(SnapshotJson.NOT_HEALTHY);
  }

  @Test
  void blockersAreKept() throws Exception {
    Path file = folder.resolve("seen.json");
    ObservationFile.write(file, seen());
    Files.writeString(
        file, Files.readString(file).replace("\"blockers\" : [ ]", "\"blockers\" : [ \"why\" ]"));
    assertThat(ObservationFile.read(file).snapshot().blockers()).containsExactly("why");
  }

  /** Everything that is not in the files of earlier versions. */
  @Test
  void copiesPlacesAndAbsentCountersAreKept() throws Exception {
    Path file = folder.resolve("seen.json");
    ClusterSnapshot plain = seen().snapshot();
    List<NodeState> nodes = plain.nodes().stream().map(n -> n.in("dc1", "rack1")).toList();
    List<PartitionState> partitions = new ArrayList<>(plain.partitions());
    PartitionState first = partitions.get(0);
    partitions.set(
        0,
        new PartitionState(
            first.id(),
            first.node(),
            Optional.empty(),
            first.sizeBytes(),
            first.locality(),
            first.blockSizeBytes(),
            first.range()));
    ClusterSnapshot rich =
        plain
            .with(nodes, partitions, List.of("a gap"))
            .with(new Copies(1, 3, new TreeMap<>(Map.of("dc1", new Copies.Range(1, 3)))))
            .at(plain.takenAt(), OptionalLong.of(17));
    Observation.Usable seen =
        new Observation.Usable(rich, seen().rates(), seen().usage(), seen().cpu(), seen().hints());
    ObservationFile.write(file, seen);
    assertThat(ObservationFile.read(file)).isEqualTo(seen);
  }

  @Test
  void anOlderFileHasAsManyCopiesOfEverything() throws Exception {
    Path file = folder.resolve("seen.json");
    ObservationFile.write(file, seen());
    ObjectMapper json = new ObjectMapper();
    ObjectNode tree = (ObjectNode) json.readTree(file.toFile());
    ObjectNode snapshot = (ObjectNode) tree.get("snapshot");
    assertThat(snapshot.remove("copies")).isNotNull();
    assertThat(snapshot.remove("readAtNs")).isNotNull();
    snapshot.get("nodes").forEach(n -> ((ObjectNode) n).remove(List.of("dataCentre", "rack")));
    Files.writeString(file, json.writeValueAsString(tree));
    assertThat(ObservationFile.read(file)).isEqualTo(seen());
  }

  /** Version 0.1.0 wrote calls as scans, and no calls and cells of histograms. */
  @Test
  void anOlderFilesScansAreCalls() throws Exception {
    Path file = folder.resolve("seen.json");
    ObservationFile.write(file, seen());
    ObjectMapper json = new ObjectMapper();
    ObjectNode tree = (ObjectNode) json.readTree(file.toFile());
    ObjectNode rates = (ObjectNode) tree.at("/requests/0/perSecond");
    rates.set("scans", rates.remove("scanCalls"));
    ((ObjectNode) tree.at("/blocks/0")).remove(List.of("scanCalls", "scanCells"));
    Files.writeString(file, json.writeValueAsString(tree));

    Observation.Usable older = ObservationFile.read(file);

    assertThat(older.rates()).isEqualTo(seen().rates());
    assertThat(older.rates().values()).allMatch(r -> r.scanCalls() == 2);
    assertThat(older.blocks()).singleElement().matches(BlockHistogram::lacksScanCalls);
    assertThat(seen().blocks()).singleElement().matches(b -> !b.lacksScanCalls());
  }

  @Test
  void anotherFileIsRefusedByNameAndLine() throws Exception {
    Path file = folder.resolve("seen.json");
    assertThatThrownBy(() -> ObservationFile.read(file))
        .isInstanceOf(UserError.class)
        .hasMessage(file + ": no such file");
    assertRefused("{\n\"schema\" :", file + ":2: not an observation: ");
    assertRefused("null", file + ": not an observation");
    assertRefused("{}", file + ": schema 0 is not known; this program reads schema 1");
    assertRefused("{\"schema\": 1}", file + ": snapshot, requests or used is missing");
    ObservationFile.write(file, seen());
    assertRefused(
        Files.readString(file).replace("\"name\" : \"n0:1\"", "\"name\" : \"\""),
        "a node's name is empty");
  }

  private void assertRefused(String text, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("seen.json"), text);
    assertThatThrownBy(() -> ObservationFile.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(message);
  }
}

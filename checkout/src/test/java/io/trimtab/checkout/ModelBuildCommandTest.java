package io.trimtab.checkout;

import static io.trimtab.cli.Run.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.lab.cluster.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ModelBuildCommandTest {
  @TempDir private Path folder;

  @Test
  void aModelIsNotBuiltFromNonsense() throws IOException {
    String out = folder.resolve("m.json").toString();
    assertThat(refused("model", "build", "--engine", "hbase", "--out", out, "--hit-ratios", "0.01"))
        .contains("--hit-ratios must be in [0.1, 1], not 0.01");
    assertThat(refused("model", "build", "--engine", "hbase", "--out", out, "--usage-levels", "1"))
        .contains("--usage-levels must be in (0, 1), not 1.0");
    assertThat(
            refused(
                "model",
                "build",
                "--engine",
                "hbase",
                "--out",
                folder.resolve("no/m.json").toString()))
        .contains("no such folder");
    Files.writeString(folder.resolve("m.json.partial"), "{}");
    assertThat(refused("model", "build", "--engine", "hbase", "--out", out))
        .contains("m.json.partial: left by an interrupted build; continue with --resume");
    Files.writeString(folder.resolve("m.json.partial"), "not JSON");
    assertThat(refused("model", "build", "--engine", "hbase", "--out", out, "--resume"))
        .contains("m.json.partial: not the file of an interrupted build");
  }

  private String node(String... options) {
    List<String> words = new ArrayList<>(List.of("model", "build", "--out"));
    words.add(folder.resolve("no/m.json").toString());
    words.addAll(List.of(options));
    return refused(words.toArray(String[]::new));
  }

  @Test
  void aNodeThatCanNotBeMeasuredIsOneLine() {
    assertThat(node("--engine", "hbase", "--heap", "64m"))
        .contains("--heap must be at least 128m, not 64m");
    assertThat(node("--engine", "cassandra", "--heap", "200m"))
        .contains("--heap must be at least 256m, not 200m");
    assertThat(node("--engine", "hbase", "--heap", "400"))
        .contains("--heap", "a size needs a unit");
    assertThat(node("--engine", "hbase", "--cores", "0"))
        .contains("--cores must be in [0.1, 64], not 0.0");
    assertThat(node("--engine", "hbase", "--cores", "NaN"))
        .contains("--cores must be in [0.1, 64], not NaN");
    assertThat(node("--engine", "hbase", "--read-iops", "-1"))
        .contains("--read-iops must be in [0, 1000000], not -1");
    assertThat(node("--engine", "hbase", "--cache", "80%"))
        .contains("--cache must be in [5%, 70%], not 80%");
    assertThat(node("--engine", "hbase", "--cache", "much"))
        .contains("--cache much: must be a share, as 55% or 0.55");
    assertThat(node("--engine", "hbase", "--memory", "400m"))
        .contains("--memory must be more than 400m, what heap and cache take, not 400m");
    assertThat(node("--engine", "cassandra", "--memory", "400m"))
        .contains("--memory must be more than 496m, what heap and cache take, not 400m");
  }

  @Test
  void aNodeThatThisMachineCanNotHaveIsOneLine() {
    assertThat(node("--engine", "hbase", "--cores", "64", "--nodes", "16"))
        .contains("--cores 64.0: this machine has ", " cores for 16 nodes");
    assertThat(node("--engine", "hbase", "--memory", "900t"))
        .contains("--memory: a limit of 900 TiB is too much, this machine has ", " for 1 node");
  }

  @Test
  void anotherVersionIsNotMeasured() {
    assertThat(node("--engine", "hbase", "--engine-version", "1.2.3"))
        .contains("--engine-version 1.2.3: hbase " + Database.HBASE.version())
        .contains("would be measured");
    assertThat(node("--engine", "cassandra", "--engine-version", "4.1.0"))
        .contains("--engine-version 4.1.0: cassandra 5.0.");
  }

  /** It gets as far as the folder, which there is not. */
  @Test
  void aNodeThatCanBeMeasuredIsAccepted() {
    assertThat(
            node(
                "--engine",
                "cassandra",
                "--heap",
                "256m",
                "--cores",
                "0.5",
                "--read-iops",
                "0",
                "--cache",
                "40%",
                "--memory",
                "700m",
                "--engine-version",
                Database.CASSANDRA.version()))
        .contains("no such folder");
  }

  /** Nothing is contacted: each is refused before. */
  @Test
  void whatHasNoMeaningForANodeOfALiveClusterIsOneLine() {
    String out = folder.resolve("m.json").toString();
    assertThat(refused("model", "build", "--node", "n:1", "--zookeeper", "zk", "--heap", "1g"))
        .contains("--heap: a node of a live cluster is measured as it is");
    assertThat(refused("model", "build", "--node", "n:1", "--zookeeper", "zk", "--engine", "hbase"))
        .contains("--engine: a node of a live cluster is measured as it is");
    assertThat(refused("model", "build", "--node", "n:1", "--zookeeper", "zk", "--nodes", "2"))
        .contains("--nodes: a node of a live cluster is measured as it is");
    assertThat(refused("model", "build", "--node", "n:1", "--zookeeper", "zk", "--act"))
        .contains("--out is missing");
    assertThat(refused("model", "build", "--node", "n:1", "--put-back", "--zookeeper", "zk"))
        .contains("--put-back measures nothing");
    assertThat(refused("model", "build", "--engine", "hbase", "--out", out, "--act"))
        .contains("--node is missing");
    assertThat(refused("model", "build", "--engine", "hbase", "--out", out, "--zookeeper", "zk"))
        .contains("--node is missing");
  }

  @Test
  void whatIsNeededToMeasureIsAskedFor() {
    assertThat(refused("model", "build", "--out", folder.resolve("m.json").toString()))
        .contains("--engine is missing: hbase or cassandra");
    assertThat(refused("model", "build", "--engine", "hbase")).contains("--out is missing");
  }

  @Test
  void aNodeOfARingIsRefusedWithTheReason() {
    assertThat(refused("model", "build", "--node", "n:9042", "--cassandra", "127.0.0.1"))
        .contains("a node of a ring always owns its part of the data")
        .contains("measure an isolated node of the same kind");
  }
}

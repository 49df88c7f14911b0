package io.trimtab.cli.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.architecture.Sources;
import io.trimtab.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a recorded load: three partitions of table a that are read 2,460 times a second each, and
 * three of b that are written 450 times. A small node serves one of either below the target.
 */
final class WhatIfCommandTest {
  private static final Path SEEN =
      Sources.root().resolve("formats/src/test/resources/recorded/snapshot.json");

  @TempDir private Path folder;

  /** A model of a node that serves so many times as much as a small one. */
  private String model(String name, double power) throws IOException {
    String text =
        """
        {"schema": 1, "engine": "hbase", "fingerprint": {"cacheBytes": "171573248"}, "idle": 0.02,
         "reads": [
           {"hitRatio": 1.0, "level": 0.2, "opsPerSecond": %s, "runs": []},
           {"hitRatio": 1.0, "level": 0.8, "opsPerSecond": %s, "runs": []},
           {"hitRatio": 0.5, "level": 0.2, "opsPerSecond": %s, "runs": []},
           {"hitRatio": 0.5, "level": 0.8, "opsPerSecond": %s, "runs": []}],
         "updates": [{"level": 0.6, "opsPerSecond": %s, "runs": []}],
         "scans": null, "compaction": null}
        """
            .formatted(900 * power, 3900 * power, 45 * power, 195 * power, 600 * power);
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static Run whatIf(String... more) {
    List<String> words = new ArrayList<>(List.of("whatif", "--snapshot", SEEN.toString()));
    words.addAll(List.of(more));
    return Run.of(words.toArray(String[]::new));
  }

  private static String told(String... more) {
    Run run = whatIf(more);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  private static String refused(String... more) {
    return whatIf(more).refusal();
  }

  @Test
  void theCheapestHardwareIsChosen() throws IOException {
    String small = model("small.json", 1);
    String big = model("big.json", 4);
    String[] both = {
      "--model", big, "--model", small, "--price", big + "=0.75", "--price", small + "=0.20"
    };

    List<String> lines = told(both).lines().toList();
    assertThat(lines.get(0)).matches("model +nodes +most used +price per hour");
    assertThat(lines.get(1)).matches(".*small.json +6 +5\\d\\.\\d% +1\\.20");
    assertThat(lines.get(2)).matches(".*big.json +2 +\\d\\d\\.\\d% +1\\.50");
    assertThat(lines.get(3)).isEqualTo("target: the most used node at most at 70%");
    assertThat(lines.get(4))
        .isEqualTo("chosen, as the cheapest: " + small + ", 6 nodes for 1.20 per hour");
    assertThat(lines).hasSize(5);

    List<String> json = new ArrayList<>(List.of(both));
    json.add("--json");
    assertThat(told(json.toArray(String[]::new)))
        .contains("\"chosen\" : \"" + small + "\"", "\"nodes\" : 6", "\"nodes\" : 2")
        .containsPattern("\"pricePerHour\" : 1\\.(2|1999|2000)")
        .doesNotContain("\"why\"");
  }

  /** Where every node has its share there is nothing to pack. */
  @Test
  void hardwareIsComparedForARing() throws IOException {
    Path ring = folder.resolve("ring.json");
    Files.writeString(
        ring,
        Files.readString(SEEN)
            .replace("\"engine\" : \"hbase\"", "\"engine\" : \"cassandra\"")
            .replace("\"ownership\" : \"ASSIGNED\"", "\"ownership\" : \"TOKENS\""));
    String small = ofRing(model("small.json", 1));
    String big = ofRing(model("big.json", 4));
    Run run = Run.of("whatif", "--snapshot", ring.toString(), "--model", small, "--model", big);

    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(1)).matches(".*big.json +2 +\\d\\d\\.\\d%");
    assertThat(lines.get(2)).matches(".*small.json +[3-9] +[456]\\d\\.\\d%");
    assertThat(run.out()).contains("chosen, as the fewest nodes: " + big + ", 2 nodes");
    assertThat(refused("--model", small, "--model", big))
        .contains("the load is of hbase, " + small + " is a model of cassandra");
  }

  private static String ofRing(String model) throws IOException {
    Path file = Path.of(model);
    Files.writeString(file, Files.readString(file).replace("\"hbase\"", "\"cassandra\""));
    return model;
  }

  @Test
  void withoutPricesTheFewestNodesAreChosen() throws IOException {
    String small = model("small.json", 1);
    String big = model("big.json", 4);
    String text = told("--model", small, "--model", big);

    assertThat(text.lines().toList().get(1)).matches(".*big.json +2 +\\d\\d\\.\\d%");
    assertThat(text)
        .doesNotContain("price per hour")
        .contains("chosen, as the fewest nodes: " + big + ", 2 nodes; --price compares by price");
  }

  @Test
  void whyHardwareDoesNotHoldTheLoadIsTold() throws IOException {
    String small = model("small.json", 1);
    String big = model("big.json", 4);
    assertThat(told("--model", small, "--model", big, "--scale-load", "a=2"))
        .containsPattern(
            "small.json: does not hold the load: partition a/\\w+ alone would use 10\\d\\.\\d % of")
        .contains("chosen, as the fewest nodes: " + big);

    Path four = Files.writeString(folder.resolve("four.yaml"), "guard: {maxNodes: 4}\n");
    assertThat(told("--model", small, "--model", big, "--config", four.toString(), "--json"))
        .contains("\"nodes\" : null", "even of 4 nodes (guard.maxNodes) the most used would be at")
        .contains("\"chosen\" : \"" + big + "\"");

    Path low = Files.writeString(folder.resolve("low.yaml"), "usage: {target: 0.1}\n");
    assertThat(told("--model", small, "--model", big, "--config", low.toString()))
        .contains("target: the most used node at most at 10%")
        .contains("none would be chosen: no model's nodes hold the load");
  }

  @Test
  void modelsOfAnotherKindOfWaitAreAWarning() throws IOException {
    String small = model("small.json", 1);
    String text = Files.readString(Path.of(model("big.json", 4)));
    String big = folder.resolve("big.json").toString();
    Files.writeString(
        Path.of(big), text.replace("\"171573248\"", "\"171573248\", \"ioWait\": \"MACHINE\""));
    assertThat(told("--model", small, "--model", big))
        .contains("warning: the models' I/O wait is not the same: " + small + " from a source")
        .contains(big + " from the I/O wait of the entire machine");
  }

  @Test
  void modelsOfAnotherVersionOrOfAnotherWaitThanTheNodesAreAWarning() throws IOException {
    String small = with(model("small.json", 1), "\"engineVersion\": \"2.5.8\"");
    String big = with(model("big.json", 4), "\"engineVersion\": \"2.6.4-hadoop3\"");
    assertThat(told("--model", small, "--model", big))
        .contains("warning: " + small + " is of nodes with engine version 2.5.8; ")
        .contains(" has 2.6.4-hadoop3")
        .doesNotContain("warning: " + big);

    String one = with(model("one.json", 1), "\"ioWait\": \"READS_BY_LIMIT\"");
    String four = with(model("four.json", 4), "\"ioWait\": \"READS_BY_LIMIT\"");
    assertThat(told("--model", one, "--model", four))
        .contains("warning: " + one + ": the model's I/O wait is from reads ÷ read limit")
        .contains("warning: " + four + ": the model's I/O wait is from reads ÷ read limit");
    assertThat(told("--model", one, "--model", four, "--json"))
        .contains("\"warning\" : \"" + one + ": the model's I/O wait is from reads");
  }

  private static String with(String model, String more) throws IOException {
    Path file = Path.of(model);
    String cache = "\"cacheBytes\": \"171573248\"";
    Files.writeString(file, Files.readString(file).replace(cache, cache + ", " + more));
    return model;
  }

  @Test
  void aComparisonThatMakesNoSenseIsOneLine() throws IOException {
    String small = model("small.json", 1);
    String big = model("big.json", 4);
    assertThat(refused("--model", small, "--model", small)).contains("small.json: given twice");
    assertThat(refused("--model", small, "--price", small + "=1"))
        .contains("--price compares models of several nodes: give --model more than once");
    assertThat(refused("--model", small, "--model", big, "--price", small + "=1"))
        .contains("--price " + big + ": missing; give all models a price, or none");
    assertThat(refused("--model", small, "--model", big, "--price", "else.json=1"))
        .contains("--price else.json: no --model has this name");
    assertThat(refused("--model", small, "--model", big, "--price", small + "=-1"))
        .contains("must be in [0, 1e6], not -1.0");
    assertThat(refused("--model", small, "--model", big, "--add-nodes", "1"))
        .contains("--add-nodes changes the present nodes: give one --model with it");
    assertThat(refused("--model", small, "--model", big, "--scale-load", "u=2"))
        .contains("snapshot.json: there is no table u");
    assertThat(refused("--model", small, "--model", "gone.json"))
        .contains("gone.json: no such file");
    String plain = Files.writeString(folder.resolve("p.json"), UsageCommandTest.MODEL).toString();
    assertThat(refused("--model", small, "--model", plain))
        .contains("p.json: fingerprint.cacheBytes must be the size of a node's cache in bytes");
    String ring = folder.resolve("ring.json").toString();
    Files.writeString(
        Path.of(ring), Files.readString(Path.of(big)).replace("\"hbase\"", "\"cassandra\""));
    assertThat(refused("--model", small, "--model", ring))
        .contains("the load is of hbase, " + ring + " is a model of cassandra");
  }

  @Test
  void oneModelIsComparedWithTheNodes() throws IOException {
    Path seen = folder.resolve("seen.json");
    Files.writeString(
        seen,
        Files.readString(SEEN)
            .replace(
                "\"load5\" : 2.04",
                "\"load5\" : 2.04, \"limits\" : {\"cores\" : 8.0, \"readsPerSecond\" : 0.0}"));
    String model =
        Files.writeString(folder.resolve("model.json"), UsageCommandTest.MODEL).toString();

    Run run = Run.of("whatif", "--snapshot", seen.toString(), "--model", model);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "warning: "
                + model
                + " is of nodes with 0.35 cores; 127.77.195.11:27958 has 8"
                + "; build it anew on such a node: trimtab model build");
    assertThat(told("--model", model)).doesNotContain("warning");
  }
}

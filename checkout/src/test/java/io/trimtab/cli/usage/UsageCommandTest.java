package io.trimtab.cli.usage;

import static io.trimtab.cli.Run.refused;
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

public final class UsageCommandTest {
  public static final String MODEL =
      """
      {"schema": 1, "engine": "hbase", "fingerprint": {"cores": "0.35"}, "idle": 0.02,
       "reads": [
         {"hitRatio": 1.0, "level": 0.2, "opsPerSecond": 900, "runs": []},
         {"hitRatio": 1.0, "level": 0.8, "opsPerSecond": 3900, "runs": []},
         {"hitRatio": 0.5, "level": 0.2, "opsPerSecond": 45, "runs": []},
         {"hitRatio": 0.5, "level": 0.8, "opsPerSecond": 195, "runs": []}],
       "updates": [{"level": 0.6, "opsPerSecond": 600, "runs": []}],
       "scans": null, "compaction": {"perByte": 1e-8, "rewrites": 2}}
      """;

  @TempDir private Path folder;

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("model.json"), text).toString();
  }

  @Test
  void aLoadIsPredictedWithItsParts() throws IOException {
    String model = file(MODEL);
    Run run =
        Run.of(
            "usage",
            "predict",
            "--model",
            model,
            "--hit-ratio",
            "0.5",
            "--reads",
            "120",
            "--updates",
            "300",
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    // 0.2 + 75 / 150 of 0.6 for reads; updates 0.29; compactions 300 × 1,000 × 2 × 1e-8.
    assertThat(run.out())
        .containsPattern("\"usage\" : 0.79[56]")
        .containsPattern("\"reads\" : 0.4(8|7999)")
        .containsPattern("\"updates\" : 0.2(9|8999)")
        .containsPattern("\"compaction\" : 0.006")
        .contains("\"extrapolated\" : false");
    assertThat(
            Run.of("usage", "predict", "--model", model, "--hit-ratio", "0.3", "--reads", "10")
                .out())
        .contains("extrapolated: hit ratio below the measured 50 %")
        .contains("I/O wait from a source that was not recorded");
  }

  @Test
  void whatUsageIsComputedFromIsTold() throws IOException {
    String measured = file(MODEL.replace("\"0.35\"", "\"0.35\", \"ioWait\": \"DELAY_ACCOUNTING\""));
    String source = "the block-I/O delay of the node's tasks";
    List<String> load = List.of("--model", measured, "--hit-ratio", "1", "--reads", "10");
    for (String command : List.of("predict", "headroom")) {
      List<String> words = new ArrayList<>(List.of("usage", command));
      words.addAll(load);
      Run run = Run.of(words.toArray(String[]::new));
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains(source);
    }
  }

  /** A snapshot of before the source was recorded, and a model that was measured since. */
  @Test
  void aModelOfAnotherKindOfWaitIsNotUsedSilently() throws IOException {
    String seen =
        Sources.root().resolve("formats/src/test/resources/recorded/snapshot.json").toString();
    String measured = file(MODEL.replace("\"0.35\"", "\"0.35\", \"ioWait\": \"DELAY_ACCOUNTING\""));
    Run run = Run.of("whatif", "--model", measured, "--snapshot", seen);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("usage is CPU + I/O wait, I/O wait from the block-I/O delay of the node's tasks")
        .contains(
            "warning: the model's I/O wait is from the block-I/O delay of the node's tasks, that of"
                + " these nodes from a source that was not recorded");
    assertThat(Run.of("whatif", "--model", measured, "--snapshot", seen, "--json").out())
        .contains("\"warning\" : \"the model's I/O wait");
  }

  /** 5 scans of 10 calls, 100 rows in 4 blocks: 5 · (1e-4 · 99 + 3 · 1e-4 + 9 calls). */
  @Test
  void whatAScanAsksForIsGivenPerScan() throws IOException {
    String costs =
        "\"scans\": {\"row\": 1e-4, \"column\": 0, \"blockHit\": 1e-4, \"blockMiss\": 0,"
            + " \"call\": 2e-3, \"residual\": 0}";
    String[] args = {
      "usage",
      "predict",
      "--model",
      file(MODEL.replace("\"scans\": null", costs)),
      "--hit-ratio",
      "1",
      "--scans",
      "5",
      "--scan-length",
      "100",
      "--blocks-per-scan",
      "4",
      "--calls-per-scan",
      "10",
      "--json"
    };
    // Beside them, 5 cached reads of 0.0002.
    assertThat(Run.of(args).out())
        .containsPattern("\"scans\" : 0\\.14[12]")
        .contains("\"extrapolated\" : false");

    String older = costs.replace(" \"call\": 2e-3,", "");
    args[3] = file(MODEL.replace("\"scans\": null", older));
    assertThat(Run.of(args).out())
        .containsPattern("\"scans\" : 0\\.06[01]")
        .contains("further calls of a scan, which the model has not measured");
    args[13] = "0.5";
    assertThat(refused(args)).contains("calls per scan must be ≥ 1, not 0.5");
  }

  @Test
  void theHeadroomIsTold() throws IOException {
    Run run =
        Run.of(
            "usage",
            "headroom",
            "--model",
            file(MODEL),
            "--hit-ratio",
            "1",
            "--reads",
            "10",
            "--usage",
            "0.5",
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("\"times\" : 2(40|39.99)");
  }

  @Test
  void wrongInputIsOneLine() throws IOException {
    String model = file(MODEL);
    assertThat(refused("usage", "predict", "--model", model, "--hit-ratio", "1.5", "--reads", "1"))
        .contains("the hit ratio must be in [0, 1], not 1.5");
    assertThat(refused("usage", "predict", "--model", model, "--hit-ratio", "NaN"))
        .contains("the hit ratio must be in [0, 1], not NaN");
    assertThat(refused("usage", "predict", "--model", model, "--hit-ratio", "1", "--scans", "1"))
        .contains("model.json: the model has no scans; build it with them");
    assertThat(refused("usage", "headroom", "--model", model, "--hit-ratio", "1"))
        .contains("no load: give --reads, --scans or --updates");
    assertThat(refused("usage", "predict", "--model", "gone.json", "--hit-ratio", "1"))
        .contains("gone.json: no such file");
    assertThat(
            refused(
                "usage",
                "predict",
                "--hit-ratio",
                "1",
                "--model",
                file(MODEL.replace("\"schema\": 1", "\"schema\": 7"))))
        .contains("model.json: schema 7 is not known");
    assertThat(refused("usage", "predict", "--hit-ratio", "1", "--model", file(MODEL + "}{,")))
        .contains("model.json");
    assertThat(refused("usage", "predict", "--hit-ratio", "1", "--model", file("{\"a\":")))
        .contains("model.json:1: not a usage model");
  }

  @Test
  void aChangeThatCanNotBeIsOneLine() throws IOException {
    String model = file(MODEL);
    assertThat(refused("whatif", "--model", model, "--cache", "150%"))
        .contains("--cache 150%: must be between 0 and 100%");
    assertThat(refused("whatif", "--model", model, "--cache", "half"))
        .contains("--cache half: must be a share, as 55% or 0.55");
    assertThat(refused("whatif", "--model", model, "--scale-load", "t=-1"))
        .contains("--scale-load t: must be in [0, 1e6]");
    assertThat(refused("whatif", "--model", model, "--move", "t=node"))
        .contains("--move t: a region must be given as table/name");
    assertThat(refused("whatif", "--model", model, "--add-nodes", "-1"))
        .contains("--add-nodes must be in [0, 1000], not -1");
    assertThat(refused("whatif", "--model", "gone.json")).contains("gone.json: no such file");
    assertThat(refused("whatif", "--model", model, "--snapshot", "seen.json"))
        .contains("seen.json: no such file");
  }
}

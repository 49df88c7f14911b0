package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ModelBuildCommandTest {
  @TempDir private Path folder;

  private static String refused(String... args) {
    Run run = Run.of(args);
    assertThat(run.code()).as(run.out()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines()).hasSize(1);
    return run.err();
  }

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
}

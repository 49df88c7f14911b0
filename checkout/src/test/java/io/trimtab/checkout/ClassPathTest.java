package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The launcher's class path, which is not that of tests. */
class ClassPathTest {
  /** The command that needs the most of it: the controller, and clusters in memory. */
  @Test
  void theSimulationRunsWithIt() throws Exception {
    String path = Files.readString(Path.of("target", "classpath")).strip();
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    Path.of("target", "classes").toAbsolutePath() + File.pathSeparator + path,
                    Main.class.getName(),
                    "fuzz",
                    "--seeds",
                    "3",
                    "--seed",
                    "1"))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said.strip()).endsWith("3 seeds, 0 violations");
  }
}

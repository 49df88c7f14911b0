package io.trimtab.experiments.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {
  @TempDir Path proc;

  private void thread(String id, String name, int user, int system) throws IOException {
    Path folder = Files.createDirectories(proc.resolve("9/task/" + id));
    Files.writeString(
        folder.resolve("stat"),
        id + " (" + name + ") S 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " 0 0 20 0 9 0 5\n");
  }

  /** The kernel has fifteen characters of a name, and brackets may be in it. */
  @Test
  void onlyCompilersCount() throws IOException {
    thread("11", "C2 CompilerThre", 150, 50);
    thread("12", "C1 CompilerThre", 30, 0);
    thread("13", "ReadStage (1)", 900, 900);
    thread("14", "VM Thread", 70, 7);
    Files.createDirectories(proc.resolve("9/task/15"));

    assertThat(CompilerThreads.cpuS(proc, 9)).isEqualTo(Map.of("11", 2.0, "12", 0.3));
  }

  @Test
  void aNewCompilerCountsWhollyAndOneThatHasEndedNot() {
    double between =
        CompilerThreads.between(Map.of("1", 2.0, "2", 5.0), Map.of("1", 2.5, "3", 0.25));

    assertThat(between).isCloseTo(0.75, within(1e-9));
  }
}

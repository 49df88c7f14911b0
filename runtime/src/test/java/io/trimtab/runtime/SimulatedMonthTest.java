package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A whole month took 28 s of CPU time when this was written, so that the comparison of two JVMs is
 * of its first days; the limit is for a machine that does other things too.
 */
@Timeout(240)
class SimulatedMonthTest {
  private static final long SEED = 7;
  private static final int DAYS = 5;

  /** The journal of a JVM of its own, where identity hashes and orders of sets are others. */
  private static Process fork(long seed) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SimulatedMonth.class.getName(),
            Long.toString(seed),
            Integer.toString(DAYS))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Test
  void theSameSeedHasTheSameJournalInTwoJvms() throws Exception {
    Process other = fork(SEED);
    try {
      SimulatedMonth.Month month = SimulatedMonth.run(SEED, Duration.ofDays(DAYS));

      assertThat(month.steps()).isGreaterThan(DAYS * 2_800);
      // A month in which nothing happens would prove nothing.
      assertThat(kinds(month.journal())).contains("plan-started", "node-added", "held");
      assertThat(started(month.journal())).isGreaterThan(3);
      String digest = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(digest.strip()).as("seed %d", SEED).isEqualTo(month.digest());
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void anotherSeedHasAnotherJournal() throws Exception {
    SimulatedMonth.Month one = SimulatedMonth.run(1, Duration.ofDays(1));
    SimulatedMonth.Month other = SimulatedMonth.run(2, Duration.ofDays(1));
    assertThat(one.digest()).isNotEqualTo(other.digest());
    assertThat(SimulatedMonth.run(1, Duration.ofDays(1)).digest()).isEqualTo(one.digest());
  }

  private static List<String> kinds(List<String> journal) {
    return journal.stream().map(line -> line.split("\"", 5)[3]).distinct().toList();
  }

  private static long started(List<String> journal) {
    return journal.stream().filter(line -> line.startsWith("{\"type\":\"plan-started\"")).count();
  }
}

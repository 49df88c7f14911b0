package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Takes some 10 s on a core of its own; the limit is for a machine that does other things too. */
@Timeout(240)
class SimulatedMonthTest {
  private static final long SEED = 7;

  /** The journal of a JVM of its own, where identity hashes and orders of sets are others. */
  private static Process fork(long seed) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SimulatedMonth.class.getName(),
            Long.toString(seed))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Test
  void aMonthHasTheSameJournalInTwoJvms() throws Exception {
    Process other = fork(SEED);
    try {
      SimulatedMonth.Month month = SimulatedMonth.run(SEED, SimulatedMonth.DAYS);

      assertThat(month.steps()).isGreaterThan(80_000);
      // A month in which nothing happens would prove nothing.
      assertThat(kinds(month.journal())).contains("plan-started", "node-added", "held");
      assertThat(started(month.journal())).isGreaterThan(10);
      String digest = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(digest.strip()).as("seed %d", SEED).isEqualTo(month.digest());
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void anotherSeedHasAnotherJournal() throws Exception {
    SimulatedMonth.Month one = SimulatedMonth.run(1, SimulatedMonth.DAYS.dividedBy(30));
    SimulatedMonth.Month other = SimulatedMonth.run(2, SimulatedMonth.DAYS.dividedBy(30));
    assertThat(one.digest()).isNotEqualTo(other.digest());
    assertThat(SimulatedMonth.run(1, SimulatedMonth.DAYS.dividedBy(30)).digest())
        .isEqualTo(one.digest());
  }

  private static List<String> kinds(List<String> journal) {
    return journal.stream().map(line -> line.split("\"", 5)[3]).distinct().toList();
  }

  private static long started(List<String> journal) {
    return journal.stream().filter(line -> line.startsWith("{\"type\":\"plan-started\"")).count();
  }
}

package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.runtime.SimulatedMonth.Kind;
import io.trimtab.runtime.SimulatedMonth.Month;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same seed has the same journal, byte for byte, in every JVM. Each kind of decision is run for
 * long enough that plans are carried out; {@link SimulatedWholeMonth} runs all of it. The limits
 * are for a machine that does other things too.
 */
class SimulatedMonthTest {
  static final long SEED = 7;

  /** Of an observation and the turn after it. */
  private static final double STEPS_A_DAY = 2_880;

  /** The journal of a JVM of its own, where identity hashes and orders of sets are others. */
  static Process fork(Kind kind, Duration length) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SimulatedMonth.class.getName(),
            kind.name(),
            Long.toString(SEED),
            length.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  static String digest(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @ParameterizedTest
  @CsvSource({"MET_1, P1D", "TIRAMOLA, PT6H", "USAGE, PT1H", "MET_1_RING, PT6H"})
  @Timeout(240)
  void theSameSeedHasTheSameJournalInTwoJvms(Kind kind, Duration length) throws Exception {
    Process other = fork(kind, length);
    try {
      Month month = SimulatedMonth.run(kind, SEED, length);

      assertThat((double) month.steps()).isGreaterThan(0.9 * STEPS_A_DAY * length.toHours() / 24);
      // Days in which nothing happens would prove nothing.
      assertThat(kinds(month.journal())).contains("plan-started", "held");
      assertThat(digest(other)).as("seed %d", SEED).isEqualTo(month.digest());
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  @Timeout(60)
  void anotherSeedHasAnotherJournal() throws Exception {
    Duration length = Duration.ofHours(6);
    assertThat(SimulatedMonth.run(Kind.MET_1, 1, length).digest())
        .isNotEqualTo(SimulatedMonth.run(Kind.MET_1, 2, length).digest());
  }

  static List<String> kinds(List<String> journal) {
    return journal.stream()
        .map(line -> line.replaceFirst(".*?\"type\":\"([^\"]+)\".*", "$1"))
        .distinct()
        .toList();
  }

  static long started(List<String> journal) {
    return journal.stream().filter(line -> line.startsWith("{\"type\":\"plan-started\"")).count();
  }
}

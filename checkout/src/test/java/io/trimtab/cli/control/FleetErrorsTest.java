package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.Terminal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a fleet when the program itself fails at one of its clusters. */
@Timeout(60)
class FleetErrorsTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();
  private FleetFile file;
  private Fleet fleet;

  @BeforeEach
  void written() throws IOException {
    file =
        FleetFile.read(
            Files.writeString(
                folder.resolve("fleet.yaml"),
                """
                clusters:
                  - {name: one, cassandra: "127.0.0.1:1"}
                  - {name: two, cassandra: "127.0.0.1:2"}
                """));
  }

  /** The first cluster fails so; the fleet is stopped once that was tried twice. */
  private void fails(Error how) throws InterruptedException {
    fleet =
        new Fleet(
            file,
            new Terminal(out, out, false, false, false),
            Duration.ofMillis(100),
            member -> {
              int tried =
                  tries.computeIfAbsent(member.name(), n -> new AtomicInteger()).incrementAndGet();
              if (member.name().equals("two")) {
                return member.choice().connect();
              }
              if (tried > 1) {
                fleet.stop();
              }
              throw how;
            });
    fleet.run(false, 0, false, false);
  }

  @Test
  void aClassThatIsMissingIsTriedAgain() throws InterruptedException {
    fails(new NoClassDefFoundError("org/apache/hadoop/Missing"));
    assertThat(tries.get("one")).hasValueGreaterThan(1);
    assertThat(out.toString())
        .contains("one: an error of the program: java.lang.NoClassDefFoundError", "trying again");
    assertThat(fleet.wentWrong()).isFalse();
  }

  /** Its supervisor starts another; a fleet with one cluster less would go unnoticed. */
  @Test
  void aFleetWithoutMemoryEndsAndSaysThatItWentWrong() throws InterruptedException {
    fails(new OutOfMemoryError("Java heap space"));
    assertThat(tries.get("one")).hasValue(1);
    assertThat(out.toString()).contains("the autopilot ends for all clusters");
    assertThat(fleet.wentWrong()).isTrue();
  }
}

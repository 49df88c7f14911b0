package io.trimtab.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CommandTest {
  /** More than a pipe takes. */
  private static final String LONG = "x".repeat(500_000);

  @TempDir private Path folder;

  private static List<String> shell(String line) {
    return List.of("sh", "-c", line);
  }

  @Test
  void aProgramReadsItsInputOrLeavesIt() throws EngineException {
    Duration limit = Duration.ofSeconds(30);
    assertThat(Command.run("cat", List.of("cat"), LONG, limit).out()).isEqualTo(LONG);
    assertThat(Command.run("true", shell("exit 3"), LONG, limit).code()).isEqualTo(3);
  }

  @Test
  void theTimeLimitHoldsAlsoIfNobodyReadsTheInput() {
    assertThatThrownBy(
            () -> Command.run("busy", shell("exec sleep 1000"), LONG, Duration.ofSeconds(1)))
        .isInstanceOf(EngineException.class)
        .hasMessage("busy: no answer within 1 s");
  }

  /** A shell ends at once when it is told to, but not what it has started. */
  @Test
  void whatAProgramHasStartedEndsWithItAfterTheTimeLimit() throws Exception {
    Path pid = folder.resolve("pid");
    assertThatThrownBy(
            () ->
                Command.run(
                    "parent",
                    shell("sleep 1000 & echo $! > " + pid + "; wait"),
                    "",
                    Duration.ofSeconds(2)))
        .hasMessageContaining("no answer within 2 s");
    long child = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(child).ifPresent(left -> left.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
  }
}

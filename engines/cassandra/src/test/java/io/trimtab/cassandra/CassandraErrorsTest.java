package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CassandraErrorsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final List<Boolean> asked = new ArrayList<>();

  @Test
  void itAsksAgainAndSaysThatItDoes() throws EngineException {
    String answer =
        CassandraErrors.ANSWERS.ask(
            "locking",
            LONG,
            SHORT,
            again -> {
              asked.add(again);
              if (asked.size() < 3) {
                throw new DriverTimeoutException("no answer");
              }
              return "yes";
            });

    assertThat(answer).isEqualTo("yes");
    assertThat(asked).containsExactly(false, true, true);
  }

  @Test
  void whatNeverComesIsTheLastError() {
    assertThatThrownBy(
            () ->
                CassandraErrors.ANSWERS.ask("locking", Duration.ofMillis(500), SHORT, this::fails))
        .isInstanceOf(DriverTimeoutException.class)
        .hasMessage("no answer");
    assertThat(asked).hasSizeGreaterThan(1);
  }

  private String fails(boolean again) {
    asked.add(again);
    throw new DriverTimeoutException("no answer");
  }

  @Test
  void otherErrorsAndInterruptsEndIt() {
    assertThatThrownBy(
            () ->
                CassandraErrors.ANSWERS.ask(
                    "locking",
                    LONG,
                    SHORT,
                    again -> {
                      asked.add(again);
                      throw new EngineException("another is in charge");
                    }))
        .hasMessage("another is in charge");
    assertThat(asked).hasSize(1);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> CassandraErrors.ANSWERS.ask("locking", LONG, SHORT, this::fails))
        .hasMessage("locking: interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}

package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
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

  /** As a node answers between showing a new table and opening it. */
  @Test
  void aTableThatANodeHasYetToOpenIsAskedForAgain() throws EngineException {
    Node node =
        CassandraEngineTest.fake(Node.class, asked -> asked.equals("hashCode") ? 1 : "node");
    ServerError unknown =
        new ServerError(node, "java.lang.IllegalArgumentException: Unknown CF c437d450");
    Deque<RuntimeException> answers =
        new ArrayDeque<>(
            List.of(
                unknown, AllNodesFailedException.fromErrors(List.of(Map.entry(node, unknown)))));

    String answer =
        CassandraErrors.NEW_TABLES.ask(
            "locking",
            LONG,
            SHORT,
            again -> {
              if (!answers.isEmpty()) {
                throw answers.remove();
              }
              return "yes";
            });

    assertThat(answer).isEqualTo("yes");
    assertThatThrownBy(
            () ->
                CassandraErrors.NEW_TABLES.ask(
                    "locking",
                    LONG,
                    SHORT,
                    again -> {
                      throw new ServerError(node, "out of memory");
                    }))
        .hasMessage("out of memory");
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

  /** As the driver has it of a node that does not take a client's certificate. */
  @Test
  void whyTlsHasFailedIsInTheLineOnce() {
    SSLException alert = new SSLHandshakeException("Received fatal alert: certificate_unknown");
    Exception decoding = new IllegalStateException(alert.toString(), alert);
    Exception closed = new ClosedConnectionException("Unexpected error on channel", decoding);
    RuntimeException failed = new IllegalArgumentException("step 1: (" + closed + ")", closed);
    Node node =
        CassandraEngineTest.fake(Node.class, asked -> asked.equals("hashCode") ? 1 : "node");

    assertThat(
            CassandraErrors.line(
                AllNodesFailedException.fromErrors(List.of(Map.entry(node, failed)))))
        .isEqualTo(failed.getMessage() + ": " + alert.getMessage());
    assertThat(CassandraErrors.line(decoding)).isEqualTo(decoding.getMessage());
  }
}

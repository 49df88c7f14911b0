package io.trimtab.sources.jolokia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.metrics.Reading;
import io.trimtab.sources.AnsweringServer;
import io.trimtab.sources.AnsweringServer.Answer;
import io.trimtab.sources.Configs;
import io.trimtab.sources.SourceConfig;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * An agent's answer, written by hand after the format's documentation, from a server of this
 * machine.
 */
class JolokiaSourceTest {
  private static final NodeId HERE = new NodeId("127.0.0.1:9042");
  private static final Instant AT = Instant.ofEpochSecond(1767268800);

  private static SourceConfig config(AnsweringServer server) {
    return Configs.source("type: jolokia", "port: " + server.port(), "timeout: 2s");
  }

  private static Map<NodeId, NodeReadings> read(AnsweringServer server, NodeId... nodes)
      throws IOException {
    try (JolokiaSource source = JolokiaSource.of(config(server), "cassandra")) {
      return source.read(List.of(nodes));
    }
  }

  @Test
  void whatTheAgentTellsIsReadAndTheJvmsIoWaitIsNotZero() throws IOException {
    try (AnsweringServer server =
        new AnsweringServer(question -> Answer.ok(AnsweringServer.sample("jolokia.json")))) {
      NodeReadings told = read(server, HERE).get(HERE);

      assertThat(told.of(Metric.CORES)).contains(new Reading(8, AT));
      assertThat(told.of(Metric.LOAD5)).as("a JVM knows that of one minute").isEmpty();
      assertThat(told.of(Metric.CPU_USER)).contains(new Reading(0.375, AT));
      assertThat(told.of(Metric.P99_MS)).contains(new Reading(12.5, AT));
      assertThat(told.of(Metric.CPU_IO_WAIT)).isEmpty();
      assertThat(server.asked())
          .singleElement()
          .asString()
          .contains("java.lang:type=OperatingSystem");
    }
  }

  @Test
  void ofNoRequestsThereIsNoPercentile() throws IOException {
    String idle = AnsweringServer.sample("jolokia.json").replace("12500.0", "0.0");
    try (AnsweringServer server = new AnsweringServer(question -> Answer.ok(idle))) {
      assertThat(read(server, HERE).get(HERE).values())
          .containsOnlyKeys(Metric.CORES, Metric.CPU_USER, Metric.CPU_SYSTEM);
    }
  }

  @Test
  void aNodeWithoutAnAgentTakesNothingFromTheOthers() throws IOException {
    try (AnsweringServer server =
        new AnsweringServer(question -> Answer.ok(AnsweringServer.sample("jolokia.json")))) {
      // Nobody listens there.
      Map<NodeId, NodeReadings> told = read(server, HERE, new NodeId("127.77.0.9:9042"));
      assertThat(told).containsOnlyKeys(HERE);
    }
  }

  @Test
  void ifNoNodeAnswersThatIsAnError() throws IOException {
    try (AnsweringServer server = new AnsweringServer(question -> new Answer(403, "{}"))) {
      assertThatThrownBy(() -> read(server, HERE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("metric source jolokia at http://127.0.0.1")
          .hasMessageContaining("HTTP status 403");
    }
  }

  @Test
  void ofAnotherDatabaseItIsRefused() throws IOException {
    try (AnsweringServer server = new AnsweringServer(question -> Answer.ok("[]"))) {
      assertThatThrownBy(() -> JolokiaSource.of(config(server), "hbase"))
          .isInstanceOf(UserError.class)
          .hasMessage("metric source jolokia: type jolokia is for Cassandra, not for hbase");
    }
  }
}

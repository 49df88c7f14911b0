package io.trimtab.sources.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.metrics.Reading;
import io.trimtab.sources.AnsweringServer;
import io.trimtab.sources.AnsweringServer.Answer;
import io.trimtab.sources.Configs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers as of a Prometheus with two node_exporters, written by hand after its documentation, from
 * a server of this machine.
 */
class PrometheusSourceTest {
  private static final NodeId ONE = new NodeId("node1.example.org:9042");
  private static final NodeId TWO = new NodeId("node2.example.org:9042");
  private static final NodeId UNKNOWN = new NodeId("node3.example.org:9042");
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Instant AT = Instant.ofEpochMilli(1767268800123L);

  private static Answer sample(String query) {
    String name =
        query.contains("\"user|nice\"")
            ? "user"
            : query.contains("\"system|irq|softirq\"")
                ? "system"
                : query.contains("\"iowait\"")
                    ? "iowait"
                    : query.contains("filesystem_size")
                        ? "size"
                        : query.contains("filesystem_avail") ? "free" : "nothing";
    return Answer.ok(AnsweringServer.sample("prometheus-" + name + ".json"));
  }

  private static Map<NodeId, NodeReadings> read(AnsweringServer server, String... more)
      throws IOException {
    try (MetricSource source = source(server, more)) {
      return source.read(List.of(ONE, TWO, UNKNOWN));
    }
  }

  private static MetricSource source(AnsweringServer server, String... more) {
    String[] lines = new String[more.length + 2];
    lines[0] = "type: prometheus";
    lines[1] = "url: " + server.url();
    System.arraycopy(more, 0, lines, 2, more.length);
    return PrometheusSource.of(Configs.source(lines), "cassandra", WINDOW);
  }

  @Test
  void whatExportersTellIsReadByHostAndTheRestIsNotZero() throws IOException {
    try (AnsweringServer server = new AnsweringServer(PrometheusSourceTest::sample)) {
      Map<NodeId, NodeReadings> told = read(server, "mounts: [/data]");

      assertThat(told).containsOnlyKeys(ONE, TWO);
      assertThat(told.get(ONE).of(Metric.CPU_USER)).contains(new Reading(0.4125, AT));
      assertThat(told.get(ONE).of(Metric.CPU_SYSTEM)).contains(new Reading(0.125, AT));
      assertThat(told.get(ONE).of(Metric.CPU_IO_WAIT)).contains(new Reading(0.25, AT));
      assertThat(told.get(ONE).of(Metric.DISK_SIZE)).contains(new Reading(100L << 30, AT));
      assertThat(told.get(ONE).of(Metric.DISK_FREE)).contains(new Reading(60L << 30, AT));
      assertThat(told.get(TWO).of(Metric.CPU_SYSTEM)).as("NaN").isEmpty();
      assertThat(told.get(TWO).of(Metric.CPU_IO_WAIT)).as("two series").isEmpty();
      assertThat(told.get(TWO).of(Metric.MEMORY_USED)).as("no series").isEmpty();
    }
  }

  /** One after another, those of a slow server would not be answered in time. */
  @Test
  void allMetricsAreAskedForAtATime() throws IOException {
    CountDownLatch three = new CountDownLatch(3);
    AnsweringServer waits =
        new AnsweringServer(
            query -> {
              three.countDown();
              try {
                return three.await(20, TimeUnit.SECONDS) ? sample(query) : new Answer(500, "{}");
              } catch (InterruptedException e) {
                return new Answer(500, "{}");
              }
            });
    try (waits) {
      assertThat(read(waits).get(ONE).of(Metric.CPU_USER)).contains(new Reading(0.4125, AT));
    }
  }

  @Test
  void aQueryThatFailsTakesNothingFromTheOthers() throws IOException {
    Answer refusal = new Answer(503, "{}");
    try (AnsweringServer server =
        new AnsweringServer(query -> query.contains("iowait") ? refusal : sample(query))) {
      NodeReadings told = read(server).get(ONE);
      assertThat(told.of(Metric.CPU_USER)).contains(new Reading(0.4125, AT));
      assertThat(told.of(Metric.CPU_IO_WAIT)).isEmpty();
    }
  }

  @Test
  void onlySeriesOfTheClusterAreAskedForOverTheWindowAndDisksOnlyByMountPoint() throws IOException {
    try (AnsweringServer server = new AnsweringServer(PrometheusSourceTest::sample)) {
      read(server, "labels: {cluster: \"bl\\\"ue\"}");

      assertThat(server.asked()).allMatch(query -> query.contains(",cluster=\"bl\\\"ue\""));
      assertThat(server.asked()).anyMatch(query -> query.contains("[60s]"));
      assertThat(server.asked()).noneMatch(query -> query.contains("node_filesystem"));
      assertThat(server.asked()).noneMatch(query -> query.contains("$"));
    }
    try (AnsweringServer server = new AnsweringServer(PrometheusSourceTest::sample)) {
      read(server, "mounts: [/data.1, /data2]");
      assertThat(server.asked())
          .anyMatch(query -> query.contains("mountpoint=~\"/data\\\\.1|/data2\""));
    }
  }

  @Test
  void anErrorIsToldInOneLineWithTheAddressAndWithoutTheToken(@TempDir Path folder)
      throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "s3cret-t0ken\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Answer refusal = new Answer(400, AnsweringServer.sample("prometheus-error.json"));
    try (AnsweringServer server = new AnsweringServer(query -> refusal)) {
      assertThatThrownBy(() -> read(server, "tokenFile: " + token))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("metric source prometheus at http://127.0.0.1:" + server.port())
          .hasMessageContaining("HTTP status 400: 1:5: parse error")
          .message()
          .doesNotContain("s3cret");
      assertThat(server.authorizations()).containsOnly("Bearer s3cret-t0ken");
    }
  }

  @Test
  void aTokenThatOthersMayReadIsRefusedBeforeAnythingIsAsked(@TempDir Path folder)
      throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "s3cret");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    try (AnsweringServer server = new AnsweringServer(PrometheusSourceTest::sample)) {
      assertThatThrownBy(() -> source(server, "tokenFile: " + token))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("chmod 600");
      assertThat(server.asked()).isEmpty();
    }
  }

  @Test
  void aTokenIsNotTakenElsewhere(@TempDir Path folder) throws IOException {
    Path user = Files.writeString(folder.resolve("user"), "reader:s3cret");
    Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rw-------"));
    try (AnsweringServer other = new AnsweringServer(PrometheusSourceTest::sample);
        AnsweringServer server = new AnsweringServer(query -> new Answer(302, other.url()))) {
      assertThatThrownBy(() -> read(server, "userFile: " + user)).hasMessageContaining("302");
      assertThat(server.authorizations()).containsOnly("Basic cmVhZGVyOnMzY3JldA==");
      assertThat(other.asked()).isEmpty();
    }
  }

  @Test
  void whatIsNoVectorIsRefused() throws IOException {
    String matrix = "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";
    try (AnsweringServer server = new AnsweringServer(query -> Answer.ok(matrix))) {
      assertThatThrownBy(() -> read(server)).hasMessageContaining("a matrix instead of a vector");
    }
    try (AnsweringServer server = new AnsweringServer(query -> Answer.ok("<html>"))) {
      assertThatThrownBy(() -> read(server))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the answer is not JSON (line 1, column ");
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    AnsweringServer server = new AnsweringServer(PrometheusSourceTest::sample);
    server.close();
    assertThatThrownBy(() -> read(server))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + server.port());
  }

  @Test
  void aUsersOwnQueriesAreAsked(@TempDir Path folder) throws IOException {
    Path mapping =
        Files.writeString(
            folder.resolve("own.yaml"),
            "node: instance\nmetrics:\n  cpu.ioWait: [other, my_iowait$labels]\n");
    AnsweringServer own =
        new AnsweringServer(
            query ->
                Answer.ok(
                    AnsweringServer.sample(
                        query.contains("my_iowait")
                            ? "prometheus-iowait.json"
                            : "prometheus-nothing.json")));
    try (own) {
      Map<NodeId, NodeReadings> told = read(own, "mapping: " + mapping);
      assertThat(own.asked()).hasSize(2);
      assertThat(told.get(ONE).values()).containsOnlyKeys(Metric.CPU_IO_WAIT);
    }
  }

  @Test
  void aMappingWithAnUnknownMetricIsRefusedByName(@TempDir Path folder) throws IOException {
    Path mapping = Files.writeString(folder.resolve("own.yaml"), "metrics:\n  cpu.wait: [x]\n");
    assertThatThrownBy(() -> PrometheusMapping.read(mapping))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("own.yaml")
        .hasMessageContaining("cpu.wait is no metric")
        .hasMessageContaining("cpu.ioWait");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cassandra", "hbase"})
  void theShippedQueriesTellEveryMetric(String database) {
    Map<Metric, List<String>> queries =
        PrometheusMapping.shipped(database).queries(Map.of(), List.of("*"), WINDOW);
    assertThat(queries).containsOnlyKeys(Metric.values());
    assertThat(queries.values()).allSatisfy(q -> assertThat(q).noneMatch(s -> s.contains("$")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cassandra", "hbase"})
  void whatTheShippedRulesOfTheExporterTellIsAskedFor(String database) throws IOException {
    List<String> asked =
        PrometheusMapping.shipped(database)
            .queries(Map.of(), List.of("*"), WINDOW)
            .values()
            .stream()
            .map(queries -> queries.get(0))
            .toList();
    String rules = "/io/trimtab/sources/jmx-exporter-" + database + ".yaml";
    try (InputStream in = PrometheusMapping.class.getResourceAsStream(rules)) {
      List<String> names =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> line.startsWith("    name: "))
              .map(line -> line.substring("    name: ".length()))
              .toList();
      assertThat(names).hasSize(2);
      assertThat(names)
          .allSatisfy(name -> assertThat(asked).anyMatch(query -> query.contains(name + "{")));
    }
  }

  /** Prometheus's {@code size} has what is kept for root, which no database may take. */
  @ParameterizedTest
  @ValueSource(strings = {"cassandra", "hbase"})
  void whatIsKeptForRootIsNoSpace(String database) {
    assertThat(
            PrometheusMapping.shipped(database)
                .queries(Map.of(), List.of("/"), WINDOW)
                .get(Metric.DISK_SIZE))
        .singleElement()
        .asString()
        .contains("node_filesystem_size", "- last_over_time(node_filesystem_free")
        .contains("+ last_over_time(node_filesystem_avail");
  }
}

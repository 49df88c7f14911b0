package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.FakeEngine;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients' reports over HTTP, and the checks that come of them. */
class ServiceWatchTest {
  private static final java.util.concurrent.Executor THREADS = SystemPorts.ports().listeners();

  private static final String REPORT =
      """
      {"tenant":"shop","client":"%s","clients":%d,"responseTimeMs":%s,"throughputMBps":2.5}\
      """;

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private ClusterSnapshot snapshot;

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  @BeforeEach
  void files() throws Exception {
    Files.writeString(
        folder.resolve("sla.yaml"),
        "name: shop\nworkload: zipf\nclients: 8\nobjective: {responseTime: 40ms}\n");
    Files.writeString(
        folder.resolve("t.csv"),
        "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps\nzipf,small,8,2,30,5\n");
    snapshot = new FakeEngine(2, 2).snapshot();
  }

  private SloSettings settings(String nodeType, String listen) {
    return SloSettings.builder()
        .sla(folder.resolve("sla.yaml").toString())
        .tables(List.of(folder.resolve("t.csv").toString()))
        .nodeType(nodeType)
        .checks(3)
        .listen(listen)
        .build();
  }

  private ServiceWatch open() {
    return ServiceWatch.open(settings(null, "127.0.0.1:0"), clock, THREADS);
  }

  private static HttpResponse<String> post(ServiceWatch watch, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + watch.port() + "/report"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void responseTimesAreAveragedAndThroughputsSummedOverClients() throws Exception {
    try (ServiceWatch watch = open()) {
      watch.check(snapshot);
      assertThat(watch.service().checks()).isEmpty();
      assertThat(post(watch, REPORT.formatted("a", 6, "10")).statusCode()).isEqualTo(204);
      assertThat(post(watch, REPORT.formatted("b", 2, "50")).statusCode()).isEqualTo(204);
      // The last word of a client counts.
      assertThat(post(watch, REPORT.formatted("b", 2, "30")).statusCode()).isEqualTo(204);
      watch.check(snapshot);

      Service.Check check = watch.service().checks().get(0);
      assertThat(check.clients()).isEqualTo(8);
      assertThat(check.responseTimeMs()).isEqualTo(15);
      assertThat(check.throughputMBps()).isEqualTo(5);
      assertThat(check.p95Ms()).isNaN();
      assertThat(check.p99Ms()).isNaN();
      assertThat(watch.service().nodeType()).isEqualTo("small");
      for (int i = 0; i < 5; i++) {
        watch.check(snapshot);
      }
      assertThat(watch.service().checks()).hasSize(3);
      watch.reset();
      assertThat(watch.service().checks()).isEmpty();
    }
  }

  @Test
  void whoHasNotReportedForAWhileIsGone() throws Exception {
    try (ServiceWatch watch = open()) {
      post(watch, REPORT.formatted("a", 6, "10"));
      now = now.plus(Duration.ofSeconds(60));
      post(watch, REPORT.formatted("b", 2, "50"));
      now = now.plus(Duration.ofSeconds(30));
      watch.check(snapshot);
      assertThat(watch.service().checks())
          .singleElement()
          .satisfies(check -> assertThat(check.clients()).isEqualTo(2));
    }
  }

  @Test
  void badReportsAreRefusedInOneLine() throws Exception {
    try (ServiceWatch watch = open()) {
      assertRefused(watch, "{", "not JSON");
      assertRefused(watch, "null", "not a report");
      assertRefused(watch, REPORT.formatted("a", 0, "10"), "clients must be at least 1");
      assertRefused(watch, REPORT.formatted("a", 1, "-1"), "responseTimeMs must be ≥ 0");
      assertRefused(watch, REPORT.formatted("a", 1, "1").replace("{", "{\"colour\":1,"), "colour");
      assertThat(post(watch, " ".repeat(20_000)).statusCode()).isEqualTo(413);
      HttpRequest get =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + watch.port() + "/report"))
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(get, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(405);
      // Another tenant's clients are welcome and are not this one's.
      post(watch, REPORT.formatted("a", 1, "1").replace("shop", "other"));
      watch.check(snapshot);
      assertThat(watch.service().checks()).isEmpty();
    }
  }

  private static void assertRefused(ServiceWatch watch, String body, String why)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = post(watch, body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(why).endsWith("\n");
    assertThat(answer.body().strip()).doesNotContain("\n");
  }

  @Test
  void badFilesAndAddressesAreRefusedBeforeAnythingIsWatched() throws Exception {
    assertThatThrownBy(() -> ServiceWatch.open(settings("large", "127.0.0.1:0"), clock, THREADS))
        .isInstanceOf(UserError.class)
        .hasMessage("slo.nodeType must be one of small, not large");
    assertThatThrownBy(() -> ServiceWatch.open(settings(null, "127.0.0.1:99999"), clock, THREADS))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("slo.listen: 127.0.0.1:99999 can't be used");
    try (ServiceWatch watch = open()) {
      String taken = "127.0.0.1:" + watch.port();
      assertThatThrownBy(() -> ServiceWatch.open(settings(null, taken), clock, THREADS))
          .isInstanceOf(UserError.class)
          .hasMessageContaining(taken);
    }
    Files.writeString(
        folder.resolve("sla.yaml"),
        "name: shop\nworkload: other\nclients: 8\nobjective: {responseTime: 40ms}\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(UserError.class)
        .hasMessageContaining("sla.yaml: workload other was not measured; measured: zipf");
  }
}

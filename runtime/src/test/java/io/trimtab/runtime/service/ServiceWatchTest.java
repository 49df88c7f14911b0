package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.models.capacity.Latency;
import io.trimtab.runtime.FakeEngine;
import io.trimtab.runtime.ports.MonotonicTime;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients' reports over HTTP, and the checks that come of them. */
class ServiceWatchTest {
  private static final Executor THREADS = SystemPorts.ports().listeners();

  private static final String REPORT =
      """
      {"tenant":"shop","client":"%s","clients":%d,"responseTimeMs":%s,"throughputMBps":2.5}\
      """;

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private ClusterSnapshot snapshot;

  private final MonotonicTime time = () -> TimeUnit.SECONDS.toNanos(now.getEpochSecond());

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
    return watch(settings(null, "127.0.0.1:0"), 20);
  }

  private ServiceWatch watch(SloSettings settings, int nodesMax) {
    return ServiceWatch.open(settings, nodesMax, time, THREADS);
  }

  private static Service service(ServiceWatch watch) {
    return watch.services().get(0);
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
      assertThat(service(watch).checks()).isEmpty();
      assertThat(post(watch, REPORT.formatted("a", 6, "10")).statusCode()).isEqualTo(204);
      assertThat(post(watch, REPORT.formatted("b", 2, "50")).statusCode()).isEqualTo(204);
      // The last word of a client counts.
      assertThat(post(watch, REPORT.formatted("b", 2, "30")).statusCode()).isEqualTo(204);
      watch.check(snapshot);

      Service.Check check = service(watch).checks().get(0);
      assertThat(check.clients()).isEqualTo(8);
      assertThat(check.responseTimeMs()).isEqualTo(15);
      assertThat(check.throughputMBps()).isEqualTo(5);
      assertThat(check.percentiles().p95Ms()).isNaN();
      assertThat(check.percentiles().p99Ms()).isNaN();
      assertThat(service(watch).nodeType()).isEqualTo("small");
      for (int i = 0; i < 5; i++) {
        watch.check(snapshot);
      }
      assertThat(service(watch).checks()).hasSize(3);
      watch.reset();
      assertThat(service(watch).checks()).isEmpty();
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
      assertThat(service(watch).checks())
          .singleElement()
          .satisfies(check -> assertThat(check.clients()).isEqualTo(2));
    }
  }

  @Test
  void badReportsAreRefusedInOneLine() throws Exception {
    try (ServiceWatch watch = open()) {
      assertRefused(watch, "{", "not JSON");
      assertRefused(watch, "null", "not a report");
      assertRefused(
          watch, REPORT.formatted("a", 0, "10"), "clients must be in [1, 1000000], not 0");
      assertRefused(
          watch,
          REPORT.formatted("a", 1, "-1"),
          "responseTimeMs must be in [0, 3600000], not -1.0");
      assertRefused(watch, REPORT.formatted("a", 1, "1").replace("{", "{\"colour\":1,"), "colour");
      assertThat(post(watch, " ".repeat(70_000)).statusCode()).isEqualTo(413);
      HttpRequest get =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + watch.port() + "/report"))
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(get, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(405);
      // More than fits an int, or than the sum of all senders may hold.
      assertRefused(watch, REPORT.formatted("a", 1, "1e7"), "responseTimeMs must be in");
      assertRefused(watch, REPORT.formatted("a", 1, "1e400"), "responseTimeMs must be in");
      for (String many : List.of("1000001", "3000000000", "-9223372036854775808")) {
        assertRefused(watch, REPORT.formatted("a", 7, "1").replace("7", many), many);
      }
      // Another tenant's clients are welcome and are not this one's.
      post(watch, REPORT.formatted("a", 1, "1").replace("shop", "other"));
      watch.check(snapshot);
      assertThat(service(watch).checks()).isEmpty();
    }
  }

  private static void assertRefused(ServiceWatch watch, String body, String why)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = post(watch, body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(why).endsWith("\n");
    assertThat(answer.body().strip()).doesNotContain("\n");
  }

  /** A mean of percentiles is lower than what the slower clients' requests took. */
  @Test
  void ofPercentilesThatAreNumbersTheGreatestCounts() throws Exception {
    String report = REPORT.replace("}", ",\"p95Ms\":%s,\"p99Ms\":%s}");
    try (ServiceWatch watch = open()) {
      post(watch, report.formatted("a", 900, "10", "20", "30"));
      post(watch, report.formatted("b", 1, "10", "60", "25"));
      watch.check(snapshot);

      assertThat(service(watch).checks().get(0).percentiles())
          .isEqualTo(new Service.Percentiles(60, 30, Service.Basis.GREATEST));

      post(watch, REPORT.formatted("c", 1, "10"));
      watch.check(snapshot);
      assertThat(service(watch).checks().get(1).percentiles().p95Ms()).isNaN();
    }
  }

  @Test
  void histogramsOfAllClientsAreMerged() throws Exception {
    Histogram fast = new Histogram(3);
    fast.recordValueWithCount(2_000, 990);
    Histogram slow = new Histogram(3);
    slow.recordValueWithCount(80_000, 10);
    String report = REPORT.replace("}", ",\"p99Ms\":500,\"latencies\":\"%s\"}");
    try (ServiceWatch watch = open()) {
      post(watch, report.formatted("a", 6, "10", LatenciesTest.base64(fast)));
      post(watch, report.formatted("b", 2, "50", LatenciesTest.base64(slow)));
      assertRefused(watch, report.formatted("c", 2, "50", "AAAA"), "latencies is not a compressed");
      watch.check(snapshot);

      Service.Percentiles percentiles = service(watch).checks().get(0).percentiles();
      assertThat(percentiles.basis()).isEqualTo(Service.Basis.ALL_REQUESTS);
      assertThat(percentiles.p99Ms()).isBetween(2.0, 2.01);
    }
  }

  private static String times(long micros, long count) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(micros, count);
    return LatenciesTest.base64(histogram);
  }

  @Test
  void readsAndWritesAreKnownApartIfEveryClientTellsThem() throws Exception {
    String nothing = LatenciesTest.base64(new Histogram(3));
    String report = REPORT.replace("}", ",\"readLatencies\":\"%s\",\"writeLatencies\":\"%s\"}");
    try (ServiceWatch watch = open()) {
      post(watch, report.formatted("a", 6, "10", times(2_000, 100), times(8_000, 10)));
      post(watch, report.formatted("b", 2, "10", times(4_000, 300), nothing));
      watch.check(snapshot);
      Service.Check check = service(watch).checks().get(0);
      assertThat(check.reads().meanMs()).isBetween(3.49, 3.51);
      assertThat(check.reads().p99Ms()).isBetween(4.0, 4.01);
      assertThat(check.writes().meanMs()).isBetween(7.99, 8.01);

      post(watch, report.formatted("a", 6, "10", times(2_000, 100), nothing));
      watch.check(snapshot);
      assertThat(service(watch).checks().get(1).writes())
          .as("nobody writes")
          .isEqualTo(Latency.NONE);

      post(watch, REPORT.formatted("c", 1, "10"));
      watch.check(snapshot);
      assertThat(service(watch).checks().get(2).reads()).isEqualTo(Latency.UNKNOWN);
    }
  }

  /** Two nodes give 8 clients 5 MB/s in 30 ms, and 16 in 60. */
  private void sixteenAreTooMany(String more) throws IOException {
    Files.writeString(folder.resolve("t.csv"), "zipf,small,16,2,60,5\n", StandardOpenOption.APPEND);
    Files.writeString(folder.resolve("sla.yaml"), more, StandardOpenOption.APPEND);
  }

  @Test
  void theAnswerSaysWhatMoreClientsThanAgreedMayAskFor() throws Exception {
    sixteenAreTooMany("");
    try (ServiceWatch watch = open()) {
      post(watch, REPORT.formatted("a", 4, "10"));
      assertThat(post(watch, REPORT.formatted("b", 12, "50")).statusCode())
          .as("before the cluster was seen")
          .isEqualTo(204);
      watch.check(snapshot);

      HttpResponse<String> share = post(watch, REPORT.formatted("b", 12, "50"));
      assertThat(share.statusCode()).isEqualTo(200);
      assertThat(share.headers().firstValue("Content-Type"))
          .hasValue("application/json; charset=utf-8");
      assertThat(share.body().strip()).isEqualTo("{\"admittedMBps\":3.750000}");
      assertThat(watch.clientsNow())
          .containsExactly(new AgreedClients.Seen("shop", 16, 8, Double.NaN, 5));

      assertThat(post(watch, REPORT.formatted("b", 4, "50")).statusCode())
          .as("as many as were agreed")
          .isEqualTo(204);
    }
  }

  /** Whoever held back would ask for all again after each plan, until all have reported again. */
  @Test
  void aPlanDoesNotMakeTheAutopilotForgetItsClients() throws Exception {
    sixteenAreTooMany("");
    try (ServiceWatch watch = open()) {
      post(watch, REPORT.formatted("a", 4, "10"));
      post(watch, REPORT.formatted("b", 12, "50"));
      watch.check(snapshot);
      watch.reset();

      assertThat(watch.clientsNow())
          .containsExactly(new AgreedClients.Seen("shop", 16, 8, Double.NaN, 5));
      watch.check(snapshot);
      assertThat(service(watch).checks()).as("reports of before the plan").isEmpty();
      assertThat(post(watch, REPORT.formatted("b", 12, "20")).body())
          .contains("\"admittedMBps\":3.750000");
      watch.check(snapshot);
      assertThat(service(watch).checks()).as("a has not reported since").isEmpty();
      post(watch, REPORT.formatted("a", 4, "20"));
      watch.check(snapshot);
      assertThat(service(watch).checks())
          .singleElement()
          .satisfies(check -> assertThat(check.responseTimeMs()).isEqualTo(20));
    }
  }

  /** Reads take twice as long as all operations: 160 ms for reads are 80 for all, 100 are 50. */
  @Test
  void limitsOfReadsAreComparedWithWhatTablesTellOfAllOperations() throws Exception {
    sixteenAreTooMany("");
    String report = REPORT.replace("}", ",\"readLatencies\":\"%s\"}");
    for (int limit : new int[] {160, 100}) {
      Files.writeString(
          folder.resolve("sla.yaml"),
          "name: shop\nworkload: zipf\nclients: 8\nobjective: {reads: {responseTime: %dms}}\n"
              .formatted(limit));
      try (ServiceWatch watch = open()) {
        post(watch, report.formatted("a", 16, "60", times(120_000, 100)));
        watch.check(snapshot);
        assertThat(watch.clientsNow().get(0).admittedMBps())
            .as("16 clients, 60 ms according to the table, at most %d ms for reads", limit)
            .isEqualTo(limit == 160 ? Double.POSITIVE_INFINITY : 5);
      }
    }
  }

  @Test
  void clientsThatArePaidForAreServedAsLongAsNodesMayBeAdded() throws Exception {
    sixteenAreTooMany("clientPrice: 0.5\n");
    try (ServiceWatch watch = open()) {
      watch.check(snapshot);
      assertThat(post(watch, REPORT.formatted("a", 16, "60")).statusCode()).isEqualTo(204);
      assertThat(watch.clientsNow())
          .containsExactly(new AgreedClients.Seen("shop", 16, 8, 0.5, Double.POSITIVE_INFINITY));
    }
    try (ServiceWatch watch = watch(settings(null, "127.0.0.1:0"), 2)) {
      watch.check(snapshot);
      assertThat(post(watch, REPORT.formatted("a", 16, "60")).body())
          .as("as many nodes as guard.maxNodes allows")
          .contains("\"admittedMBps\":5.0");
    }
    Files.writeString(folder.resolve("sla.yaml"), "maxNodes: 2\n", StandardOpenOption.APPEND);
    try (ServiceWatch watch = open()) {
      watch.check(snapshot);
      assertThat(post(watch, REPORT.formatted("a", 16, "60")).body())
          .contains("\"admittedMBps\":5.0");
    }
  }

  @Test
  void withoutTokensOnlyThisMachineMayReport() {
    assertThatThrownBy(() -> watch(settings(null, "0.0.0.0:0"), 20))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "slo.listen: other machines can reach 0.0.0.0:0:"
                + " set slo.tokens, or listen on 127.0.0.1");
    assertThatThrownBy(() -> watch(settings(null, "no.such.host.invalid:0"), 20))
        .hasMessage("slo.listen: no.such.host.invalid:0 can't be used: unknown host");
  }

  @Test
  void badFilesAndAddressesAreRefusedBeforeAnythingIsWatched() throws Exception {
    assertThatThrownBy(() -> watch(settings("large", "127.0.0.1:0"), 20))
        .isInstanceOf(UserError.class)
        .hasMessage("slo.nodeType must be one of small, not large");
    Path large = folder.resolve("large.csv");
    Files.writeString(
        large,
        "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps,dataSize\n"
            + "zipf,large,8,2,10,5,1g\n");
    SloSettings.Builder both =
        SloSettings.builder()
            .sla(folder.resolve("sla.yaml").toString())
            .tables(List.of(folder.resolve("t.csv").toString(), large.toString()))
            .listen("127.0.0.1:0");
    assertThatThrownBy(() -> watch(both.build(), 20))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "slo.nodeType is missing: it must tell which nodes the cluster has, one of large,"
                + " small");
    Files.writeString(folder.resolve("sla.yaml"), "dataSize: 2g\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> watch(both.nodeType("large").build(), 20))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "slo.nodeType: no table of large nodes covers %s: %s (large): dataSize 1g < 2g"
                .formatted(folder.resolve("sla.yaml"), large));
    assertThatThrownBy(() -> watch(settings(null, "127.0.0.1:99999"), 20))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("slo.listen: 127.0.0.1:99999 can't be used");
    try (ServiceWatch watch = open()) {
      String taken = "127.0.0.1:" + watch.port();
      assertThatThrownBy(() -> watch(settings(null, taken), 20))
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

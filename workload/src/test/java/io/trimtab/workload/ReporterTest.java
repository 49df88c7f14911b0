package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What tenants tell of themselves. */
class ReporterTest {
  private static final WorkloadSpec SPEC =
      WorkloadSpec.parse(
          "t.yaml",
          """
          tenants:
            - {name: shop, records: 10, fields: 2, fieldLength: 100, mix: {read: 1.0}, threads: 7}
          """);

  /** Where reports go. */
  private static final class Desk implements AutoCloseable {
    /** Authorization and body of each. */
    final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    /** To the next reports, in order; none and an empty one are 204. */
    final Queue<String> answers = new ConcurrentLinkedQueue<>();

    private final HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);

    Desk() throws IOException {
      server.createContext("/report", this::answer);
      server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      heard.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
      String answer = answers.poll();
      if (answer == null || answer.isEmpty()) {
        exchange.sendResponseHeaders(204, -1);
      } else {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
      exchange.close();
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/report");
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private static Sample second(int second, long operations, double meanMicros) {
    return new Sample(second, "shop", operations, 0, 0, 0, 0, meanMicros, 1, 2, 9_000, 4);
  }

  @Test
  void aReportHasWeightedMeansOfTheSeconds() throws Exception {
    try (Desk desk = new Desk()) {
      Reporter reporter = new Reporter(desk.address(), Duration.ofSeconds(3), SPEC);
      reporter.accept(List.of(second(0, 1_000, 8_000)));
      reporter.accept(List.of(second(1, 0, 0)));
      reporter.accept(List.of(second(2, 2_000, 16_000)));

      // 0.125 · 16 + 0.875 · 8 ms; 0.2, 0 and 0.4 MB/s alike.
      assertThat(desk.heard.poll(10, TimeUnit.SECONDS))
          .contains("\"tenant\":\"shop\"")
          .contains("\"clients\":7")
          .contains("\"responseTimeMs\":9.0000")
          .contains("\"p95Ms\":0.0020")
          .contains("\"p99Ms\":9.0000")
          .contains("\"throughputMBps\":0.203125");
      assertThat(desk.heard).isEmpty();
    }
  }

  @Test
  void loadThatStopsIsReportedAsNone() throws Exception {
    try (Desk desk = new Desk()) {
      Reporter reporter = new Reporter(desk.address(), Duration.ofSeconds(121), SPEC);
      reporter.accept(List.of(second(0, 1_000, 8_000)));
      for (int i = 1; i <= 120; i++) {
        reporter.accept(List.of(second(i, 0, 0)));
      }
      assertThat(desk.heard.poll(10, TimeUnit.SECONDS))
          .contains("\"throughputMBps\":0.000000")
          .contains("\"responseTimeMs\":8.0000");
    }
  }

  private static Histogram latencies(String report, String key) throws Exception {
    String base64 = report.replaceFirst(".*\"" + key + "\":\"([^\"]*)\".*", "$1");
    return Histogram.decodeFromCompressedByteBuffer(
        ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
  }

  private static double responseTimeMs(String report) {
    return Double.parseDouble(report.replaceFirst(".*\"responseTimeMs\":([^,]*),.*", "$1"));
  }

  /** Clients that are served in 8 ms for half a minute, and then not at all. */
  @Test
  void whoIsNotAnsweredWaitsAtLeastAsLongAsHeHasWaited() throws Exception {
    try (Desk desk = new Desk()) {
      Reporter reporter = new Reporter(desk.address(), Duration.ofSeconds(30), SPEC);
      for (int i = 0; i < 60; i++) {
        boolean served = i < 30;
        Histogram reads = new Histogram(3);
        reads.recordValueWithCount(8_000, served ? 1_000 : 0);
        reporter.latencies("shop", reads);
        reporter.kinds("shop", reads, new Histogram(3));
        reporter.waiting("shop", served ? 8_000 : (i - 29) * 1_000_000L, 0);
        reporter.accept(List.of(served ? second(i, 1_000, 8_000) : second(i, 0, 0)));
      }
      String good = desk.heard.poll(10, TimeUnit.SECONDS);
      String bad = desk.heard.poll(10, TimeUnit.SECONDS);

      assertThat(good).contains("\"responseTimeMs\":8.0000");
      assertThat(latencies(good, "latencies").getTotalCount()).isEqualTo(30_000);
      assertThat(responseTimeMs(bad)).as("of 30 s at last").isBetween(20_000.0, 30_000.0);
      for (String key : List.of("latencies", "readLatencies")) {
        Histogram waited = latencies(bad, key);
        assertThat(waited.getTotalCount()).as(key).isEqualTo(1);
        assertThat(waited.getMaxValue()).as(key).isBetween(30_000_000L, 30_100_000L);
      }
      assertThat(latencies(bad, "writeLatencies").getTotalCount())
          .as("nobody asks for any")
          .isZero();
    }
  }

  @Test
  void whoWaitsForLessThanUsualIsNotFasterForIt() throws Exception {
    try (Desk desk = new Desk()) {
      Reporter reporter = new Reporter(desk.address(), Duration.ofSeconds(2), SPEC);
      reporter.accept(List.of(second(0, 1, 3_000_000)));
      reporter.waiting("shop", 900_000, 0);
      reporter.accept(List.of(second(1, 0, 0)));

      assertThat(responseTimeMs(desk.heard.poll(10, TimeUnit.SECONDS))).isEqualTo(3_000);
    }
  }

  @Test
  void clientsThatWereNeverAnsweredReportAndSoDoThoseWhoseOperationsAllFail() throws Exception {
    try (Desk desk = new Desk()) {
      Reporter reporter = new Reporter(desk.address(), Duration.ofSeconds(1), SPEC);
      reporter.waiting("shop", 0, 900_000);
      reporter.accept(List.of(second(0, 0, 0)));
      assertThat(desk.heard.poll(10, TimeUnit.SECONDS))
          .contains("\"responseTimeMs\":900.0000", "\"throughputMBps\":0.000000");

      reporter.waiting("shop", 0, 0);
      reporter.accept(List.of(second(1, 0, 60_000_000)));
      // 0.125 · 60,000 + 0.875 · 900 ms
      assertThat(desk.heard.poll(10, TimeUnit.SECONDS))
          .contains("\"responseTimeMs\":8287.5000", "\"throughputMBps\":0.000000");
    }
  }

  /** Two hosts' containers number their processes alike: to the autopilot they were one sender. */
  @Test
  void twoSendersAreToldApart() throws Exception {
    try (Desk desk = new Desk()) {
      for (int i = 0; i < 2; i++) {
        new Reporter(desk.address(), Duration.ofSeconds(1), SPEC)
            .accept(List.of(second(0, 10, 10)));
      }
      String one = desk.heard.poll(10, TimeUnit.SECONDS);
      String other = desk.heard.poll(10, TimeUnit.SECONDS);
      assertThat(client(one)).startsWith("pid-").isNotEqualTo(client(other));
      assertThat(client(other)).startsWith("pid-");
    }
  }

  private static String client(String report) {
    return report.replaceFirst(".*\"client\":\"([^\"]*)\".*", "$1");
  }

  @Test
  void whatIsNotTakenIsCountedForTheEndOfTheRun() throws Exception {
    BlockingQueue<Double> answered = new LinkedBlockingQueue<>();
    URI address;
    Reporter reporter;
    try (Desk desk = new Desk()) {
      address = desk.address();
      reporter = new Reporter(address.resolve("/nowhere"), Duration.ofSeconds(1), SPEC);
      reporter.admits((tenant, perSecond) -> answered.add(perSecond));
      assertThat(reporter.untaken()).isEmpty();
      reporter.accept(List.of(second(0, 10, 10)));
      assertThat(answered.poll(10, TimeUnit.SECONDS)).isInfinite();
    }
    assertThat(reporter.untaken().orElseThrow())
        .startsWith("1 of 1 reports were not taken by " + address.resolve("/nowhere"))
        .contains("404");

    reporter.accept(List.of(second(1, 10, 10)));
    assertThat(answered.poll(30, TimeUnit.SECONDS)).isInfinite();
    assertThat(reporter.untaken().orElseThrow()).startsWith("2 of 2 reports were not taken");
  }

  /** An autopilot that is away must not disturb those whom it serves. */
  @Test
  void nobodyThereIsNoMatter() {
    Reporter reporter =
        new Reporter(URI.create("http://127.0.0.1:1/report"), Duration.ofSeconds(1), SPEC);
    reporter.accept(List.of(second(0, 10, 10)));
    reporter.accept(List.of(second(1, 10, 10)));
  }

  @Test
  void aReportHasTheResponseTimesSinceTheLastOneAndTheTenantsToken() throws Exception {
    try (Desk desk = new Desk()) {
      Reporter reporter =
          new Reporter(
              desk.address(), Duration.ofSeconds(2), SPEC, Map.of("shop", "secret", "x", "other"));
      for (int second = 0; second < 4; second++) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(1_000L * (second + 1), 10);
        reporter.latencies("shop", latencies);
        reporter.kinds("shop", latencies, new Histogram(3));
        reporter.accept(List.of(second(second, 10, 8_000)));
      }

      List<Histogram> sent = new ArrayList<>();
      for (int report = 0; report < 2; report++) {
        String request = desk.heard.poll(10, TimeUnit.SECONDS);
        assertThat(request).startsWith("Bearer secret {");
        String base64 = request.replaceFirst(".*\"latencies\":\"([^\"]*)\"}", "$1");
        assertThat(request).contains("\"readLatencies\":\"" + base64 + "\"");
        assertThat(request)
            .as("a histogram without values")
            .containsPattern("\"writeLatencies\":\"[^\"]+\"");
        sent.add(
            Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0));
      }
      assertThat(sent).allMatch(histogram -> histogram.getTotalCount() == 20);
      assertThat(sent)
          .extracting(Histogram::getMaxValue)
          .as("2 and 4 ms, to three digits")
          .allSatisfy(max -> assertThat(max).isBetween(2_000L, 4_003L))
          .doesNotHaveDuplicates();
    }
  }

  /** 200 bytes an operation, so that 0.002 MB/s are ten a second. */
  @Test
  void whatAnAnswerAdmitsIsHeardUntilAnotherAnswerOrNone() throws Exception {
    BlockingQueue<Double> admitted = new LinkedBlockingQueue<>();
    Desk desk = new Desk();
    Reporter reporter = new Reporter(desk.address(), Duration.ofSeconds(1), SPEC);
    reporter.admits((tenant, perSecond) -> admitted.add(tenant.equals("shop") ? perSecond : -1));
    List<Double> heard = new ArrayList<>();
    String ten = "{\"admittedMBps\":0.002000}";
    try (desk) {
      for (String answer : List.of("", ten, "{}", "{\"admittedMBps\":1}")) {
        desk.answers.add(answer);
        reporter.accept(List.of(second(heard.size(), 10, 10)));
        heard.add(admitted.poll(10, TimeUnit.SECONDS));
      }
    }
    double any = Double.POSITIVE_INFINITY;
    assertThat(heard).containsExactly(any, 10.0, any, 5_000.0);

    // The autopilot is away.
    reporter.accept(List.of(second(4, 10, 10)));
    assertThat(admitted.poll(30, TimeUnit.SECONDS)).isInfinite();
  }
}

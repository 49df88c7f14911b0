package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.observe.Service.Basis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Clients' histograms: merged, and bounded before they are believed. */
class LatenciesTest {

  static String base64(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  private static ClientReport report(int clients, Double p95Ms, String latencies) {
    return new ClientReport(
        "shop",
        "c" + clients,
        clients,
        10.0,
        p95Ms,
        p95Ms,
        1.0,
        latencies == null ? null : Latencies.of(latencies),
        null,
        null);
  }

  @Test
  void mergedHistogramsAreTheHistogramOfAllValues() {
    long seed = 20260101;
    Random random = new Random(seed);
    Histogram all = new Histogram(3);
    List<ClientReport> reports = new ArrayList<>();
    for (int client = 1; client <= 5; client++) {
      // Of different speed and number of requests, as weighted means of percentiles ignore.
      Histogram own = new Histogram(3);
      for (int i = 0; i < 1_000 * client * client; i++) {
        long micros = (long) (-Math.log(random.nextDouble()) * 2_000_000 / client);
        own.recordValue(micros);
        all.recordValue(micros);
      }
      reports.add(report(client, 1.0, base64(own)));
    }

    var percentiles = ReportSum.of(reports).percentiles();

    assertThat(percentiles.basis()).isEqualTo(Basis.ALL_REQUESTS);
    assertThat(percentiles.p95Ms())
        .as("seed " + seed)
        .isEqualTo(all.getValueAtPercentile(95) / 1e3);
    assertThat(percentiles.p99Ms())
        .as("seed " + seed)
        .isEqualTo(all.getValueAtPercentile(99) / 1e3);
  }

  @Test
  void withAClientThatOnlySendsNumbersTheGreatestCounts() {
    Histogram slow = new Histogram(3);
    slow.recordValueWithCount(50_000, 100);
    double slowMs = slow.getValueAtPercentile(95) / 1e3;

    var above = ReportSum.of(List.of(report(1, null, base64(slow)), report(2, 70.0, null)));
    assertThat(above.percentiles().p95Ms()).isEqualTo(70);
    assertThat(above.percentiles().basis()).isEqualTo(Basis.GREATEST);
    var below = ReportSum.of(List.of(report(1, null, base64(slow)), report(2, 7.0, null)));
    assertThat(below.percentiles().p95Ms()).isEqualTo(slowMs);
    var silent = ReportSum.of(List.of(report(1, null, base64(slow)), report(2, null, null)));
    assertThat(silent.percentiles().p95Ms()).isNaN();
    var idle = ReportSum.of(List.of(report(1, null, base64(new Histogram(3)))));
    assertThat(idle.percentiles().p95Ms()).isNaN();
  }

  /** Half a minute of a fast database with every response time up to two minutes. */
  @Test
  void whatClientsSendFitsAReport() {
    long seed = 3;
    Random random = new Random(seed);
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < 1_000_000; i++) {
      histogram.recordValue((long) Math.pow(10, 8 * random.nextDouble()));
    }
    String base64 = base64(histogram);

    assertThat(base64.length())
        .as("seed " + seed)
        .isLessThan(ReportConnection.BODY_MAX_BYTES - 1_000);
    assertThat(Latencies.of(base64)).isNotNull();
  }

  /** Of a thousand senders, each as great as it may be. */
  @Test
  void theGreatestSumsDoNotOverflow() {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(3_600_000_000L, Latencies.REQUESTS_MAX);
    String latencies = base64(histogram);
    ClientReport most =
        new ClientReport(
            "shop", "c", 1_000_000, 3.6e6, null, null, 1e6, Latencies.of(latencies), null, null);

    ReportSum sum = ReportSum.of(java.util.Collections.nCopies(Senders.MAX, most));

    assertThat(sum.clients()).isEqualTo(1_000_000_000);
    assertThat(sum.responseTimeMs()).isEqualTo(3.6e6);
    assertThat(sum.throughputMBps()).isEqualTo(1e9);
    assertThat(sum.percentiles().p99Ms()).isBetween(3.5e6, 3.7e6);
  }

  @Test
  void whatIsTooLargeIsRefused() {
    Histogram tooMany = new Histogram(3);
    tooMany.recordValueWithCount(1_000, Latencies.REQUESTS_MAX);
    tooMany.recordValue(9_000);
    refused(base64(tooMany), "latencies: requests must be in [0, 1000000000000]");
    Histogram overflow = new Histogram(3);
    overflow.recordValueWithCount(1_000, Long.MAX_VALUE);
    overflow.recordValueWithCount(2_000, Long.MAX_VALUE);
    refused(base64(overflow), "latencies: requests must be in");
    Histogram fine = new Histogram(4);
    fine.recordValue(1_000);
    refused(base64(fine), "latencies: digits must be in [0, 3], not 4");
    refused(base64(new Histogram(1, Long.MAX_VALUE / 2, 3)), "latencies: highest value must be");
  }

  @Test
  void whatIsNoHistogramIsRefusedInOneLine() throws IOException {
    refused("", "not a compressed HdrHistogram");
    refused("?", "base64");
    refused(Base64.getEncoder().encodeToString(new byte[100]), "not a compressed HdrHistogram");
    // A megabyte of zeros in a kilobyte.
    refused(compressed(new byte[1 << 20]), "not a compressed HdrHistogram");
    refused(compressed(new byte[10]), "not a compressed HdrHistogram");
    long seed = 7;
    Random random = new Random(seed);
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < 1_000; i++) {
      histogram.recordValue(random.nextInt(10_000_000));
    }
    byte[] good = new byte[histogram.getNeededByteBufferCapacity()];
    int length = histogram.encodeIntoByteBuffer(ByteBuffer.wrap(good));
    int refusals = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] bad = Arrays.copyOf(good, length);
      bad[random.nextInt(i % 2 == 0 ? 40 : length)] = (byte) random.nextInt(256);
      try {
        Latencies.of(compressed(bad));
      } catch (IllegalArgumentException e) {
        refusals++;
        assertThat(e.getMessage()).as("seed " + seed).isNotBlank();
      }
    }
    assertThat(refusals).isBetween(500, 1_900);
  }

  private static String compressed(byte[] payload) throws IOException {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
      out.write(payload);
    }
    byte[] bytes = deflated.toByteArray();
    ByteBuffer whole = ByteBuffer.allocate(8 + bytes.length);
    whole.putInt(0x1c849304 | 0x10).putInt(bytes.length).put(bytes);
    return Base64.getEncoder().encodeToString(whole.array());
  }

  private static void refused(String base64, String why) {
    assertThatThrownBy(() -> Latencies.of(base64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}

package io.trimtab.workload;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ObjDoubleConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells an autopilot what the tenants get: every half minute, by exponentially weighted means of
 * the seconds' response times and throughputs (Chalkiadaki 2013, §3.4: α = 0.125), and by the
 * histogram of the response times since the last report, if it hears them, also of reads and writes
 * apart. A second in which nothing ended has no throughput, and its response times are at least as
 * long as the oldest operation under way has been waited for; without one it tells nothing of them.
 * The answer may say how much a tenant with more clients than agreed may ask for. A report that
 * does not arrive costs the tenants nothing.
 */
public final class Reporter implements Consumer<List<Sample>>, LatencyListener {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final double ALPHA = 0.125;

  /** As the runs' own histograms, and the most that an autopilot accepts. */
  private static final int DIGITS = 3;

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final double AS_THEY_LIKE = Double.POSITIVE_INFINITY;
  private static final int HEARD = 204;
  private static final int ADMITTED = 200;
  private static final Pattern ADMITTED_MBPS =
      Pattern.compile("\"admittedMBps\"\\s*:\\s*([0-9]{1,12}(?:\\.[0-9]{1,12})?)");

  private final URI to;
  private final int everySeconds;
  private final Map<String, TenantSpec> tenants = new HashMap<>();
  private final Map<String, Double> bytesPerOperation = new HashMap<>();
  private final Map<String, double[]> means = new HashMap<>();
  private final Map<String, Histogram> histograms = new HashMap<>();
  private final Map<String, Histogram> reads = new HashMap<>();
  private final Map<String, Histogram> writes = new HashMap<>();
  private final Map<String, Waiting> waiting = new HashMap<>();
  private final Map<String, String> tokens;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final Map<String, Double> admitted = new ConcurrentHashMap<>();
  private volatile ObjDoubleConsumer<String> obeyed = (tenant, operationsPerSecond) -> {};
  private final String client;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger untaken = new AtomicInteger();
  private volatile String problem = "";

  /** Microseconds for which the oldest operations under way have been waited for; 0 without any. */
  private record Waiting(long reads, long writes) {
    static final Waiting NOBODY = new Waiting(0, 0);

    long longest() {
      return Math.max(reads, writes);
    }
  }

  /**
   * @param to the autopilot's address, {@code http://host:port/report}
   */
  public Reporter(URI to, Duration every, WorkloadSpec spec) {
    this(to, every, spec, Map.of());
  }

  /**
   * @param tokens by tenant; a tenant without one sends none
   */
  public Reporter(URI to, Duration every, WorkloadSpec spec, Map<String, String> tokens) {
    this.to = to;
    // Process ids are alike in containers, and two senders of one name count as one.
    this.client =
        "pid-%d-%08x"
            .formatted(ProcessHandle.current().pid(), ThreadLocalRandom.current().nextInt());
    this.tokens = Map.copyOf(tokens);
    this.everySeconds = (int) Math.max(1, every.toSeconds());
    spec.tenants().forEach(t -> tenants.put(t.name(), t));
    spec.tenants().forEach(t -> bytesPerOperation.put(t.name(), t.bytesPerOperation()));
  }

  /**
   * Who obeys the answers.
   *
   * @param tenants hears a tenant's name and how many operations a second it may begin, &gt; 0;
   *     infinite if as many as it likes. On any thread, after each report
   */
  public void admits(ObjDoubleConsumer<String> tenants) {
    obeyed = tenants;
  }

  @Override
  public void latencies(String tenant, Histogram ofSecond) {
    histograms.computeIfAbsent(tenant, t -> new Histogram(DIGITS)).add(ofSecond);
  }

  @Override
  public void kinds(String tenant, Histogram ofReads, Histogram ofWrites) {
    reads.computeIfAbsent(tenant, t -> new Histogram(DIGITS)).add(ofReads);
    writes.computeIfAbsent(tenant, t -> new Histogram(DIGITS)).add(ofWrites);
  }

  @Override
  public void waiting(String tenant, long readMicros, long writeMicros) {
    waiting.put(tenant, new Waiting(readMicros, writeMicros));
  }

  private Waiting waiting(String tenant) {
    return waiting.getOrDefault(tenant, Waiting.NOBODY);
  }

  @Override
  public void accept(List<Sample> second) {
    for (Sample sample : second) {
      // Where all that ended failed there are latencies, too.
      if (sample.meanMicros() > 0) {
        double[] now = {
          sample.meanMicros() / 1e3,
          sample.p95Micros() / 1e3,
          sample.p99Micros() / 1e3,
          sample.operations() * bytesPerOperation.get(sample.tenant()) / 1e6
        };
        means.merge(sample.tenant(), now, Reporter::weighted);
      } else {
        nothingEnded(sample.tenant());
      }
      if ((sample.second() + 1) % everySeconds == 0 && means.containsKey(sample.tenant())) {
        send(sample.tenant(), body(sample.tenant()));
      }
    }
  }

  private void nothingEnded(String tenant) {
    double waited = waiting(tenant).longest() / 1e3;
    double[] old = means.get(tenant);
    if (old != null) {
      // That somebody has begun to wait is no reason to take the others for faster than they were.
      double[] now = {
        Math.max(old[0], waited), Math.max(old[1], waited), Math.max(old[2], waited), 0
      };
      means.put(tenant, weighted(old, now));
    } else if (waited > 0) {
      means.put(tenant, new double[] {waited, waited, waited, 0});
    }
  }

  private static double[] weighted(double[] old, double[] now) {
    double[] mean = new double[now.length];
    for (int i = 0; i < now.length; i++) {
      mean[i] = ALPHA * now[i] + (1 - ALPHA) * old[i];
    }
    return mean;
  }

  /** A tenant's name needs no escapes. */
  private String body(String tenant) {
    double[] mean = means.get(tenant);
    Waiting its = waiting(tenant);
    return String.format(
        Locale.ROOT,
        "{\"tenant\":\"%s\",\"client\":\"%s\",\"clients\":%d,\"responseTimeMs\":%.4f,"
            + "\"p95Ms\":%.4f,\"p99Ms\":%.4f,\"throughputMBps\":%.6f%s%s%s}",
        tenant,
        client,
        tenants.get(tenant).threads(),
        mean[0],
        mean[1],
        mean[2],
        mean[3],
        field("readLatencies", reads.remove(tenant), its.reads()),
        field("writeLatencies", writes.remove(tenant), its.writes()),
        field("latencies", histograms.remove(tenant), its.longest()));
  }

  /**
   * The response times since the last report; empty where none were heard.
   *
   * @param waitedMicros by the oldest operation under way; 0 without any
   */
  private static String field(String key, Histogram histogram, long waitedMicros) {
    if (histogram == null) {
      return "";
    }
    if (histogram.getTotalCount() == 0 && waitedMicros > 0) {
      // An empty one would say that nobody asked.
      histogram.recordValue(waitedMicros);
    }
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    byte[] compressed = Arrays.copyOf(buffer.array(), length);
    return ",\"" + key + "\":\"" + Base64.getEncoder().encodeToString(compressed) + "\"";
  }

  private void send(String tenant, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to)
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (tokens.containsKey(tenant)) {
      request.header("Authorization", "Bearer " + tokens.get(tenant));
    }
    sent.incrementAndGet();
    var unused =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    notTaken(String.valueOf(failure));
                  } else if (answer.statusCode() != HEARD && answer.statusCode() != ADMITTED) {
                    notTaken(answer.statusCode() + " " + answer.body().strip());
                  }
                  obey(tenant, failure == null ? megabytesPerSecond(answer) : AS_THEY_LIKE);
                });
  }

  private void notTaken(String why) {
    LOG.warn("{} has not taken a report: {}", to, why);
    problem = why;
    untaken.incrementAndGet();
  }

  /**
   * That the autopilot has not heard of all that the tenants got.
   *
   * @return a sentence without an end; empty if no report has failed
   */
  public Optional<String> untaken() {
    int failed = untaken.get();
    return failed == 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d reports were not taken by %s; the last one: %s"
                .formatted(failed, sent.get(), to, problem));
  }

  private static double megabytesPerSecond(HttpResponse<String> answer) {
    Matcher given = ADMITTED_MBPS.matcher(answer.body());
    return answer.statusCode() == ADMITTED && given.find()
        ? Double.parseDouble(given.group(1))
        : AS_THEY_LIKE;
  }

  /** An autopilot that is away, or takes no reports, holds nobody back. */
  private void obey(String tenant, double megabytesPerSecond) {
    double operations = megabytesPerSecond * 1e6 / bytesPerOperation.get(tenant);
    double most = operations > 0 ? operations : AS_THEY_LIKE;
    Double before = admitted.put(tenant, most);
    if (most != (before == null ? AS_THEY_LIKE : before)) {
      LOG.warn(
          "tenant {}: {}",
          tenant,
          Double.isInfinite(most)
              ? "holds back no longer"
              : "more clients than agreed, keeps to %.0f operations/s".formatted(most));
    }
    obeyed.accept(tenant, most);
  }
}

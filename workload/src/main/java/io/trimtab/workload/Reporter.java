package io.trimtab.workload;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells an autopilot what the tenants get: every half minute, by exponentially weighted means of
 * the seconds' response times and throughputs (Chalkiadaki 2013, §3.4: α = 0.125). A report that
 * does not arrive costs the tenants nothing.
 */
public final class Reporter implements Consumer<List<Sample>> {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final double ALPHA = 0.125;
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final URI to;
  private final int everySeconds;
  private final Map<String, TenantSpec> tenants = new HashMap<>();
  private final Map<String, Double> bytesPerOperation = new HashMap<>();
  private final Map<String, double[]> means = new HashMap<>();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final String client = "pid-" + ProcessHandle.current().pid();

  /**
   * @param to the autopilot's address, {@code http://host:port/report}
   */
  public Reporter(URI to, Duration every, WorkloadSpec spec) {
    this.to = to;
    this.everySeconds = (int) Math.max(1, every.toSeconds());
    spec.tenants().forEach(t -> tenants.put(t.name(), t));
    spec.tenants().forEach(t -> bytesPerOperation.put(t.name(), t.bytesPerOperation()));
  }

  @Override
  public void accept(List<Sample> second) {
    for (Sample sample : second) {
      if (sample.operations() > 0) {
        double[] now = {
          sample.meanMicros() / 1e3,
          sample.p95Micros() / 1e3,
          sample.p99Micros() / 1e3,
          sample.operations() * bytesPerOperation.get(sample.tenant()) / 1e6
        };
        means.merge(sample.tenant(), now, Reporter::weighted);
      }
      if ((sample.second() + 1) % everySeconds == 0 && means.containsKey(sample.tenant())) {
        send(body(sample.tenant()));
      }
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
    return String.format(
        Locale.ROOT,
        "{\"tenant\":\"%s\",\"client\":\"%s\",\"clients\":%d,\"responseTimeMs\":%.4f,"
            + "\"p95Ms\":%.4f,\"p99Ms\":%.4f,\"throughputMBps\":%.6f}",
        tenant,
        client,
        tenants.get(tenant).threads(),
        mean[0],
        mean[1],
        mean[2],
        mean[3]);
  }

  private void send(String body) {
    HttpRequest request =
        HttpRequest.newBuilder(to)
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    var unused =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    LOG.warn("report to {} failed: {}", to, failure.toString());
                  } else if (answer.statusCode() != 204) {
                    LOG.warn("{} rejected a report: {}", to, answer.body().strip());
                  }
                });
  }
}

package io.trimtab.sources.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.metrics.Reading;
import io.trimtab.sources.HttpJson;
import io.trimtab.sources.NodeNames;
import io.trimtab.sources.Questions;
import io.trimtab.sources.SourceConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Prometheus server, asked by instant queries ({@code /api/v1/query}), for all metrics at a time.
 * Where several series are of one node, it is not known which one counts, and the value is unknown.
 */
public final class PrometheusSource implements MetricSource {
  private static final Logger LOG = LoggerFactory.getLogger(PrometheusSource.class);

  /** As many as the metrics; a server answers twenty queries at a time by default. */
  private static final int AT_ONCE = 12;

  private final SourceConfig config;
  private final HttpJson http;
  private final String node;
  private final Map<Metric, List<String>> queries;
  private final Questions questions;

  PrometheusSource(SourceConfig config, PrometheusMapping mapping, Duration window) {
    this.config = config;
    this.http = new HttpJson(config);
    this.node = mapping.node();
    this.queries = mapping.queries(config.labels(), config.mounts(), window);
    this.questions = new Questions(config.name(), config.readingLimit(), AT_ONCE);
  }

  /**
   * A server; it is not asked yet.
   *
   * @param database whose queries are used where the configuration names no mapping file
   * @param window over which rates are taken
   * @throws io.trimtab.config.UserError if a file can't be used
   */
  public static PrometheusSource of(SourceConfig config, String database, Duration window) {
    PrometheusMapping mapping =
        config.mapping() == null
            ? PrometheusMapping.shipped(database)
            : PrometheusMapping.read(Path.of(config.mapping()));
    return new PrometheusSource(config, mapping, window);
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) throws IOException {
    NodeNames names = new NodeNames(nodes, config.hosts());
    Map<Metric, Callable<Map<NodeId, Reading>>> each = new EnumMap<>(Metric.class);
    queries.forEach((metric, sent) -> each.put(metric, () -> read(metric, sent, names)));
    Map<NodeId, NodeReadings> all = new TreeMap<>();
    questions
        .ask(each)
        .forEach(
            (metric, found) ->
                found.forEach(
                    (of, known) ->
                        all.put(
                            of,
                            all.getOrDefault(of, NodeReadings.NONE)
                                .with(metric, known.value(), known.at()))));
    return all;
  }

  /** By the first query that tells something. */
  private Map<NodeId, Reading> read(Metric metric, List<String> sent, NodeNames names)
      throws IOException {
    for (String query : sent) {
      Map<NodeId, NodeReadings> found = read(metric, query, names);
      if (!found.isEmpty()) {
        Map<NodeId, Reading> known = new TreeMap<>();
        found.forEach((of, told) -> told.of(metric).ifPresent(value -> known.put(of, value)));
        return known;
      }
    }
    return Map.of();
  }

  /** Of each node of which the answer has one series. */
  private Map<NodeId, NodeReadings> read(Metric metric, String query, NodeNames names)
      throws IOException {
    Map<NodeId, NodeReadings> found = new TreeMap<>();
    Set<NodeId> twice = new HashSet<>();
    for (JsonNode series : ask(query)) {
      String host = series.path("metric").path(node).asText();
      JsonNode value = series.path("value");
      if (host.isEmpty() || value.size() != 2) {
        continue;
      }
      Instant at = Instant.ofEpochMilli(Math.round(1e3 * value.get(0).asDouble()));
      for (NodeId of : names.of(host)) {
        NodeReadings reading = NodeReadings.NONE.with(metric, number(value.get(1).asText()), at);
        if (found.put(of, reading) != null) {
          twice.add(of);
        }
      }
    }
    twice.forEach(of -> LOG.debug("{}: several series of {} for {}", name(), of, metric.key()));
    found.keySet().removeAll(twice);
    return found;
  }

  private JsonNode ask(String query) throws IOException {
    String base = config.url().replaceAll("/+$", "");
    String asked = URLEncoder.encode(query, StandardCharsets.UTF_8);
    JsonNode answer = http.get(URI.create(base + "/api/v1/query?query=" + asked));
    JsonNode data = answer.path("data");
    if (!answer.path("status").asText().equals("success")
        || !data.path("resultType").asText().equals("vector")) {
      throw new IOException(
          "metric source %s at %s answers %s with %s instead of a vector"
              .formatted(
                  name(),
                  config.url(),
                  query,
                  answer.has("error")
                      ? http.shown(answer.path("error").asText())
                      : "a " + data.path("resultType").asText("strange document")));
    }
    return data.path("result");
  }

  @Override
  public void close() {
    questions.close();
  }

  /** Prometheus has numbers as text, among them NaN and +Inf. */
  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}

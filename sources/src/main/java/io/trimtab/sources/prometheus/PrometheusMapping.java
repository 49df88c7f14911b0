package io.trimtab.sources.prometheus;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.metrics.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * By which queries Prometheus tells a metric, as a mapping file has it. In a query {@code $window}
 * stands for {@code metrics.history}, {@code $labels} for the matchers of the source's labels, each
 * with a comma before it, and {@code $mounts} for a regular expression of its mount points.
 *
 * @param node label whose value names a node or its host; default {@code instance}
 * @param metrics queries by the metrics' names; a list of queries is tried in its order until one
 *     tells of the node
 */
public record PrometheusMapping(String node, Map<String, List<String>> metrics) {
  private static final String MOUNTS = "$mounts";

  public PrometheusMapping {
    node = node == null ? "instance" : node;
    if (!node.matches("[a-zA-Z_]\\w*")) {
      throw new IllegalArgumentException("node must be the name of a label, not " + node);
    }
    if (metrics == null || metrics.isEmpty()) {
      throw new IllegalArgumentException("metrics must have at least one query");
    }
    metrics.forEach(
        (key, queries) -> {
          Metric.of(key);
          if (queries == null || queries.isEmpty() || queries.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("metrics." + key + " must have a query");
          }
        });
    metrics = Map.copyOf(metrics);
  }

  /**
   * A user's file.
   *
   * @throws UserError naming file, line and key
   */
  static PrometheusMapping read(Path file) {
    return StrictYaml.read(file, PrometheusMapping.class);
  }

  /** What is shipped for a database: the names of node_exporter and of the usual JMX exporter. */
  static PrometheusMapping shipped(String database) {
    String name = "prometheus-" + database + ".yaml";
    try (InputStream in =
        PrometheusMapping.class.getResourceAsStream("/io/trimtab/sources/" + name)) {
      if (in == null) {
        throw new UserError("mapping is missing: none is shipped for " + database);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return StrictYaml.parse(name, text, PrometheusMapping.class);
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /**
   * The queries as they are sent; without those for disks where no mount point is named.
   *
   * @param labels of this cluster's series
   * @param mounts mount points, or {@code *}
   */
  Map<Metric, List<String>> queries(
      Map<String, String> labels, List<String> mounts, Duration window) {
    Map<Metric, List<String>> all = new EnumMap<>(Metric.class);
    String matchers =
        new TreeMap<>(labels)
            .entrySet().stream()
                .map(label -> ",%s=\"%s\"".formatted(label.getKey(), quoted(label.getValue())))
                .collect(Collectors.joining());
    String points =
        mounts.contains("*")
            ? ".+"
            : mounts.stream().map(PrometheusMapping::literal).collect(Collectors.joining("|"));
    metrics.forEach(
        (key, queries) -> {
          List<String> sent =
              queries.stream()
                  .filter(query -> !mounts.isEmpty() || !query.contains(MOUNTS))
                  .map(
                      query ->
                          query
                              .replace("$window", window.toSeconds() + "s")
                              .replace("$labels", matchers)
                              .replace(MOUNTS, points))
                  .toList();
          if (!sent.isEmpty()) {
            all.put(Metric.of(key), sent);
          }
        });
    return all;
  }

  /** A string of PromQL. */
  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /** A regular expression for this text, within a string of PromQL. */
  private static String literal(String text) {
    return quoted(text.replaceAll("([.+*?()|\\[\\]{}^$\\\\])", "\\\\$1"));
  }
}

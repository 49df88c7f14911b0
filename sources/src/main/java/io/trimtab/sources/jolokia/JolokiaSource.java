package io.trimtab.sources.jolokia;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.HttpJson;
import io.trimtab.sources.NodeNames;
import io.trimtab.sources.Questions;
import io.trimtab.sources.SourceConfig;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Jolokia's agent in every Cassandra node, asked for several beans by one POST. A JVM does not know
 * how long its machine waits for disks, so I/O wait stays unknown, nor what of its CPU time is the
 * kernel's, which counts as user mode. It knows a load average of one minute only, which is not
 * told as one of five.
 */
public final class JolokiaSource implements MetricSource {
  private static final String SYSTEM = "java.lang:type=OperatingSystem";
  private static final String REQUESTS = "org.apache.cassandra.metrics:type=ClientRequest,scope=";

  /** Nodes that are silent hold one each for as long as they are waited for. */
  private static final int AT_ONCE = 64;

  private final SourceConfig config;
  private final HttpJson http;
  private final Questions questions;

  private JolokiaSource(SourceConfig config) {
    this.config = config;
    this.http = new HttpJson(config);
    this.questions = new Questions(config.name(), config.readingLimit(), AT_ONCE);
  }

  /**
   * The agents; they are not asked yet.
   *
   * @throws UserError if the database is not Cassandra, or a file can't be used
   */
  public static JolokiaSource of(SourceConfig config, String database) {
    if (!database.equals("cassandra")) {
      throw new UserError(
          "metric source %s: type jolokia is for Cassandra, not for %s"
              .formatted(config.name(), database));
    }
    return new JolokiaSource(config);
  }

  @Override
  public String name() {
    return config.name();
  }

  /**
   * @throws IOException if no node could be asked
   */
  @Override
  public Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) throws IOException {
    Map<NodeId, Callable<NodeReadings>> each = new TreeMap<>();
    nodes.forEach(node -> each.put(node, () -> read(node)));
    return questions.ask(each);
  }

  private NodeReadings read(NodeId node) throws IOException {
    String own = NodeNames.host(node.name());
    String host = config.hosts().getOrDefault(own, own);
    URI uri =
        URI.create(
            "%s://%s:%d%s"
                .formatted(
                    config.https() ? "https" : "http",
                    host.contains(":") ? "[" + host + "]" : host,
                    config.port(),
                    config.path()));
    JsonNode answers = http.post(uri, beans());
    if (!answers.isArray()) {
      String error = http.shown(answers.path("error").asText("a strange document"));
      throw new IOException("metric source %s at %s: %s".formatted(name(), uri, error));
    }
    NodeReadings told = NodeReadings.NONE;
    double p99 = Double.NaN;
    for (JsonNode answer : answers) {
      JsonNode value = answer.path("value");
      if (answer.path("status").asInt() != 200 || !value.isObject()) {
        continue;
      }
      Instant at = Instant.ofEpochSecond(answer.path("timestamp").asLong());
      if (answer.path("request").path("mbean").asText().equals(SYSTEM)) {
        told = system(told, value, at);
      } else {
        double ms = number(value, "99thPercentile") / 1e3;
        // One of the kinds that clients wait for: the slowest. Of no requests it is 0.
        if (ms > 0) {
          p99 = Double.isNaN(p99) ? ms : Math.max(p99, ms);
          told = told.with(Metric.P99_MS, p99, at);
        }
      }
    }
    return told;
  }

  private static NodeReadings system(NodeReadings told, JsonNode value, Instant at) {
    double cpu = number(value, "SystemCpuLoad");
    NodeReadings all =
        told.with(Metric.CORES, number(value, "AvailableProcessors"), at)
            .with(Metric.CPU_USER, cpu, at);
    return Double.isNaN(cpu) || cpu < 0 ? all : all.with(Metric.CPU_SYSTEM, 0, at);
  }

  private static double number(JsonNode value, String attribute) {
    return value.path(attribute).asDouble(Double.NaN);
  }

  private static ArrayNode beans() {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    ask(all, SYSTEM, "AvailableProcessors", "SystemCpuLoad");
    ask(all, REQUESTS + "Read,name=Latency", "99thPercentile");
    ask(all, REQUESTS + "Write,name=Latency", "99thPercentile");
    return all;
  }

  private static void ask(ArrayNode all, String bean, String... attributes) {
    ObjectNode question = all.addObject();
    question.put("type", "read");
    question.put("mbean", bean);
    ArrayNode names = question.putArray("attribute");
    for (String attribute : attributes) {
      names.add(attribute);
    }
  }

  @Override
  public void close() {
    questions.close();
  }
}

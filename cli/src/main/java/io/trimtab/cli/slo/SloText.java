package io.trimtab.cli.slo;

import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner.Choice;
import io.trimtab.models.capacity.ProvisioningTable.Value;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Formats objectives and estimates of clusters as text and JSON. */
final class SloText {
  private SloText() {}

  static String objective(Objective objective) {
    return "workload %s by %d clients: %s on at most %d nodes"
        .formatted(
            objective.workload(),
            objective.clients(),
            String.join(", ", objective.targets()),
            objective.maxNodes());
  }

  static String choice(Choice choice) {
    StringBuilder line = new StringBuilder();
    line.append(
        "%d nodes of type %s: mean %s ms, throughput %s MB/s"
            .formatted(
                choice.nodes(),
                choice.nodeType(),
                value(choice.estimate().responseTimeMs()),
                value(choice.estimate().throughputMBps())));
    percentile(line, "p95", choice.estimate().p95Ms());
    percentile(line, "p99", choice.estimate().p99Ms());
    if (!Double.isNaN(choice.hourly())) {
      line.append(String.format(Locale.ROOT, ", %.4g an hour", choice.hourly()));
    }
    choice.estimate().extrapolated().forEach(why -> line.append("; extrapolated: ").append(why));
    choice.misses().forEach(why -> line.append("; misses: ").append(why));
    return line.toString();
  }

  private static void percentile(StringBuilder line, String name, Value value) {
    if (!Double.isNaN(value.value())) {
      line.append(", ").append(name).append(' ').append(value(value)).append(" ms");
    }
  }

  private static String value(Value value) {
    boolean measured = value.low() == value.high();
    return measured || Double.isNaN(value.low())
        ? String.format(Locale.ROOT, "%.1f", value.value())
        : String.format(
            Locale.ROOT, "%.1f (%.1f to %.1f)", value.value(), value.low(), value.high());
  }

  static Map<String, Object> json(Choice choice) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("nodeType", choice.nodeType());
    result.put("nodes", choice.nodes());
    result.put("responseTimeMs", json(choice.estimate().responseTimeMs()));
    result.put("throughputMBps", json(choice.estimate().throughputMBps()));
    result.put("p95Ms", json(choice.estimate().p95Ms()));
    result.put("p99Ms", json(choice.estimate().p99Ms()));
    result.put("hourly", number(choice.hourly()));
    result.put("extrapolated", !choice.estimate().extrapolated().isEmpty());
    result.put("why", choice.estimate().extrapolated());
    result.put("meets", choice.meets());
    result.put("misses", choice.misses());
    return result;
  }

  private static Map<String, Object> json(Value value) {
    if (Double.isNaN(value.value())) {
      return null;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("value", value.value());
    result.put("low", number(value.low()));
    result.put("high", number(value.high()));
    return result;
  }

  private static Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }
}

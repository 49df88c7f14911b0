package io.trimtab.contract.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.testkit.process.LiveProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus and node_exporter of Debian, and the JMX exporter and Jolokia in a Cassandra node; see
 * {@code ./trimtab test --prometheus}.
 */
@Tag("exporters")
class CassandraExportersIT extends ExportersContract {
  private static final int LOOKS = 15;

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = CassandraCluster.up("cassandra-exporters", home, 1, CassandraSettings.DEFAULTS);
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Override
  protected String database() {
    return "cassandra";
  }

  @Override
  protected String process() {
    return "cassandra";
  }

  /** Cassandra's own, which fades over minutes; the native one of its times is of seconds. */
  @Override
  protected double p99Ms(NodeState node) {
    Map<String, Double> own = node.gauges().own();
    return Math.max(own.get("Read.p99Micros"), own.get("Write.p99Micros")) / 1e3;
  }

  @Test
  void whatJolokiaTellsIsThatOfTheNodeAndTheKernel() throws Exception {
    int port = LiveProcesses.freePort();
    NodeAgents.load(
        node(), process(), NodeAgents.JOLOKIA, "host=%s,port=%d".formatted(host(), port));
    Path file =
        Files.writeString(
            folder.resolve("jolokia.yaml"),
            "metrics:\n  sources: [{type: jolokia, port: %d}]\n".formatted(port));
    EnumSet<Metric> all =
        EnumSet.of(Metric.CORES, Metric.CPU_USER, Metric.CPU_SYSTEM, Metric.P99_MS);
    try (MetricSource source = MetricSources.of(MetricsConfig.read(file), database()).get(0)) {
      underLoad(
          "jolokia",
          () -> {
            assertThat(await(source, all).values()).containsOnlyKeys(all);
            processorsAgree(source);
            percentilesAgree(source);
          });
    }
  }

  /** A JVM tells the machine's use since it was asked before. */
  private void processorsAgree(MetricSource source) throws IOException {
    NodeId id = node().id();
    MachineFigures then = MachineFigures.read();
    double used = 0;
    NodeReadings told = NodeReadings.NONE;
    for (int i = 0; i < LOOKS; i++) {
      pause(1_000);
      told = source.read(List.of(id)).get(id);
      used += value(told, Metric.CPU_USER) + value(told, Metric.CPU_SYSTEM);
    }
    MachineFigures now = MachineFigures.read();
    assertThat(value(told, Metric.CORES)).isEqualTo(now.cores());
    assertThat(used / LOOKS).isCloseTo(now.user(then) + now.system(then), within(0.2));
  }
}

package io.trimtab.sources.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.Configs;
import io.trimtab.testkit.process.LiveProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus that watches a real node_exporter on this machine; Debian's packages {@code
 * prometheus} and {@code prometheus-node-exporter}. See {@code ./trimtab test --prometheus}.
 */
@Tag("prometheus")
class PrometheusLiveIT {
  private static final NodeId HERE = new NodeId("127.0.0.1:9042");

  @TempDir Path folder;
  private LiveProcesses processes;

  @BeforeEach
  void begin() {
    processes = new LiveProcesses(folder);
  }

  @AfterEach
  void end() {
    processes.close();
  }

  @Test
  void theMachinesUsageMemoryAndDisksAreRead() throws Exception {
    int exporter = LiveProcesses.freePort();
    int port = LiveProcesses.freePort();
    Files.writeString(
        folder.resolve("prometheus.yml"),
        """
        scrape_configs:
          - job_name: node
            scrape_interval: 1s
            static_configs:
              - targets: ["127.0.0.1:%d"]
                labels: {cluster: blue}
        """
            .formatted(exporter));
    processes.start("prometheus-node-exporter", "--web.listen-address=127.0.0.1:" + exporter);
    processes.start(
        "prometheus",
        "--config.file=prometheus.yml",
        "--storage.tsdb.path=data",
        "--web.listen-address=127.0.0.1:" + port);
    try (MetricSource source =
        PrometheusSource.of(
            Configs.source(
                "type: prometheus",
                "url: http://127.0.0.1:" + port,
                "labels: {cluster: blue}",
                "mounts: [\"*\"]"),
            "cassandra",
            Duration.ofSeconds(10))) {
      NodeReadings told = await(source);

      assertThat(told.values())
          .containsKeys(
              Metric.CPU_USER,
              Metric.CPU_SYSTEM,
              Metric.CPU_IO_WAIT,
              Metric.LOAD5,
              Metric.MEMORY_USED);
      assertThat(told.of(Metric.CORES).orElseThrow().value())
          .isEqualTo(Runtime.getRuntime().availableProcessors());
    }
  }

  /** Rates need two scrapes. */
  private NodeReadings await(MetricSource source) throws InterruptedException {
    String problem = "";
    for (int i = 0; i < 120; i++) {
      processes.assertAlive();
      try {
        Map<NodeId, NodeReadings> told = source.read(List.of(HERE));
        if (told.getOrDefault(HERE, NodeReadings.NONE).of(Metric.CPU_IO_WAIT).isPresent()) {
          return told.get(HERE);
        }
        problem = "no I/O wait yet: " + told;
      } catch (IOException e) {
        problem = e.getMessage();
      }
      TimeUnit.SECONDS.sleep(1);
    }
    throw new AssertionError(problem);
  }
}

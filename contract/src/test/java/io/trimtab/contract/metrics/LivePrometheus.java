package io.trimtab.contract.metrics;

import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.testkit.process.LiveProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A real Prometheus that each second asks the exporter in a node, and a real node_exporter at the
 * node's address, which tells of this machine.
 */
final class LivePrometheus implements AutoCloseable {
  private final Path folder;
  private final LiveProcesses processes;
  private final int port;

  private LivePrometheus(Path folder, LiveProcesses processes, int port) {
    this.folder = folder;
    this.processes = processes;
    this.port = port;
  }

  /**
   * Starts both.
   *
   * @param folder of their files
   * @param host address of the node
   * @param exporter port of the exporter in the node
   */
  static LivePrometheus start(Path folder, String host, int exporter) throws IOException {
    LiveProcesses processes = new LiveProcesses(folder);
    int machine = LiveProcesses.freePort();
    int port = LiveProcesses.freePort();
    Files.writeString(
        folder.resolve("prometheus.yml"),
        """
        scrape_configs:
          - job_name: nodes
            scrape_interval: 1s
            static_configs:
              - targets: ["%1$s:%2$d", "%1$s:%3$d"]
                labels: {cluster: blue}
        """
            .formatted(host, machine, exporter));
    try {
      processes.start(
          "prometheus-node-exporter", "--web.listen-address=%s:%d".formatted(host, machine));
      processes.start(
          "prometheus",
          "--config.file=prometheus.yml",
          "--storage.tsdb.path=data",
          "--web.listen-address=127.0.0.1:" + port);
      return new LivePrometheus(folder, processes, port);
    } catch (IOException e) {
      processes.close();
      throw e;
    }
  }

  /**
   * As an operator names it, with the queries that are shipped.
   *
   * @param data a folder on the node's disk
   */
  MetricSource source(String database, Path data) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("metrics.yaml"),
            """
            metrics:
              sources:
                - type: prometheus
                  url: http://127.0.0.1:%d
                  labels: {cluster: blue}
                  mounts: ["%s"]
              period: 1s
              history: 15s
            """
                .formatted(port, mount(data)));
    return MetricSources.of(MetricsConfig.read(file), database).get(0);
  }

  private static String mount(Path data) throws IOException {
    Path real = data.toRealPath();
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      return mounts
          .map(line -> line.split(" ")[1])
          .filter(point -> real.startsWith(point))
          .max(Comparator.comparingInt(String::length))
          .orElseThrow();
    }
  }

  void assertAlive() {
    processes.assertAlive();
  }

  @Override
  public void close() {
    processes.close();
  }
}

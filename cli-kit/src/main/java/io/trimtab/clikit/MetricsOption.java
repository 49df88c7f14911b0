package io.trimtab.clikit;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who tells of a cluster's nodes beside the database: an object with picocli options. */
@Command
final class MetricsOption {
  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description =
          "YAML file with a section metrics: Prometheus, Jolokia or Ganglia that tell of the"
              + " cluster's nodes.")
  private Path file;

  /**
   * Connects, with what the option's sources tell, or otherwise those that the cluster has itself.
   *
   * @throws io.trimtab.config.UserError if a file can't be used; then nothing is connected
   */
  Engine connect(ClusterHandle cluster) throws EngineException {
    Optional<MetricsConfig> config =
        file == null ? cluster.metrics() : Optional.of(MetricsConfig.read(file));
    if (config.isEmpty() || config.get().sources().isEmpty()) {
      return cluster.connect();
    }
    List<MetricSource> sources = ClusterSources.of(config.get(), cluster);
    return MetricSources.over(cluster.connect(), config.get(), sources);
  }
}

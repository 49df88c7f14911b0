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

  boolean given() {
    return file != null;
  }

  /**
   * Connects, with what the option's sources tell, or otherwise those that the cluster has itself.
   *
   * @throws io.trimtab.config.UserError if a file can't be used; then nothing is connected
   */
  Engine connect(ClusterHandle cluster) throws EngineException {
    Optional<MetricsConfig> config = config(cluster);
    List<MetricSource> sources = sources(config, cluster);
    return sources.isEmpty() ? cluster.connect() : connect(cluster, config.orElseThrow(), sources);
  }

  /** The sources are closed with the engine, or if there is none. */
  static Engine connect(ClusterHandle cluster, MetricsConfig config, List<MetricSource> sources)
      throws EngineException {
    Engine engine;
    try {
      engine = cluster.connect();
    } catch (EngineException | RuntimeException e) {
      sources.forEach(MetricSource::close);
      throw e;
    }
    return MetricSources.over(engine, config, sources);
  }

  /** The option's sources, or otherwise those that the cluster has itself; nothing is asked yet. */
  List<MetricSource> sources(ClusterHandle cluster) {
    return sources(config(cluster), cluster);
  }

  private static List<MetricSource> sources(Optional<MetricsConfig> config, ClusterHandle cluster) {
    return config
        .filter(c -> !c.sources().isEmpty())
        .map(c -> MetricSources.of(c, cluster.address().accept(new Database())))
        .orElse(List.of());
  }

  private Optional<MetricsConfig> config(ClusterHandle cluster) {
    return file == null ? cluster.metrics() : Optional.of(MetricsConfig.read(file));
  }

  /** Whose queries are meant. */
  private static final class Database implements ClusterAddress.Visitor<String, RuntimeException> {
    @Override
    public String hbase(ClusterAddress.HBase address) {
      return "hbase";
    }

    @Override
    public String cassandra(ClusterAddress.Cassandra address) {
      return "cassandra";
    }
  }
}

package io.trimtab.sources;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.sources.ganglia.GangliaSource;
import io.trimtab.sources.jolokia.JolokiaSource;
import io.trimtab.sources.prometheus.PrometheusSource;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The registry of metric sources. */
public final class MetricSources {
  private MetricSources() {}

  /**
   * The sources of a configuration; nothing is asked yet.
   *
   * @param database {@code hbase} or {@code cassandra}, whose shipped queries are used
   * @throws io.trimtab.config.UserError if a file that it names can't be used, or a source does not
   *     fit the database
   */
  public static List<MetricSource> of(MetricsConfig config, String database) {
    List<MetricSource> made = new ArrayList<>();
    try {
      for (SourceConfig source : config.sources()) {
        made.add(
            switch (source.type()) {
              case PROMETHEUS -> PrometheusSource.of(source, database, config.history());
              case JOLOKIA -> JolokiaSource.of(source, database);
              case GANGLIA -> new GangliaSource(source, Clock.systemUTC());
            });
      }
      return List.copyOf(made);
    } catch (RuntimeException e) {
      made.forEach(MetricSource::close);
      throw e;
    }
  }

  /** An engine with what the sources tell. */
  public static Engine over(Engine engine, MetricsConfig config, List<MetricSource> sources) {
    return sources.isEmpty()
        ? engine
        : new MeteredEngine(engine, config, sources, Clock.systemUTC(), System::nanoTime);
  }
}

package io.trimtab.clikit;

import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import java.util.List;

/** The metric sources of a cluster, by what they are for its database. */
public final class ClusterSources {
  private ClusterSources() {}

  /**
   * Nothing is asked yet.
   *
   * @throws io.trimtab.config.UserError if a file that the configuration names can't be used, a
   *     source does not fit the database, or no source is known for it
   */
  public static List<MetricSource> of(MetricsConfig config, ClusterHandle cluster) {
    return MetricSources.of(config, cluster.address().accept(new Database()));
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

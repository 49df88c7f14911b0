package io.trimtab.cli.connect;

import io.trimtab.cli.node.ProvidedCluster;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.Connection;
import io.trimtab.sources.MetricsConfig;
import java.util.Optional;

/** Makes clusters of a file of connections into what commands use. */
final class NamedClusters {
  private final ConnectionFile file;

  NamedClusters(ConnectionFile file) {
    this.file = file;
  }

  /**
   * A cluster by its name; nothing is contacted and no password read.
   *
   * @throws UserError naming file and cluster, or file, line and key
   */
  ClusterHandle named(String name) {
    ClusterHandle database = database(name, file.named(name), file.metrics(name));
    return file.provider(name)
        .<ClusterHandle>map(provider -> new ProvidedCluster(database, provider))
        .orElse(database);
  }

  private ClusterHandle database(
      String name, Connection connection, Optional<MetricsConfig> metrics) {
    try {
      return new DatabaseTarget(file.folder()).handle(name, connection, metrics);
    } catch (IllegalArgumentException e) {
      throw new UserError(file.file() + ": clusters." + name + ": " + e.getMessage(), e);
    }
  }
}

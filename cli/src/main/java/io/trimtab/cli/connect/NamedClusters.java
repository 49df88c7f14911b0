package io.trimtab.cli.connect;

import io.trimtab.cli.node.ProvidedCluster;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.Connection;
import io.trimtab.sources.MetricsConfig;
import java.nio.file.Path;
import java.util.Optional;

/** Makes clusters of a file of connections into what commands use. */
final class NamedClusters {
  private final Path file;

  /**
   * @param file of connections
   */
  NamedClusters(Path file) {
    this.file = file;
  }

  /**
   * A cluster by its name; nothing is contacted and no password read.
   *
   * @throws UserError naming file and cluster, or file, line and key
   */
  ClusterHandle named(String name) {
    ConnectionFile read = ConnectionFile.of(file);
    ClusterHandle database = database(read, name, read.named(name));
    return read.provider(name)
        .<ClusterHandle>map(provider -> new ProvidedCluster(database, provider))
        .orElse(database);
  }

  private ClusterHandle database(ConnectionFile read, String name, Connection connection) {
    Optional<MetricsConfig> metrics = read.metrics(name);
    try {
      return new DatabaseTarget(read.folder()).handle(name, connection, metrics);
    } catch (IllegalArgumentException e) {
      throw new UserError(file + ": clusters." + name + ": " + e.getMessage(), e);
    }
  }
}

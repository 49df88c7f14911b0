package io.trimtab.cli.connect;

import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.Connections;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Clusters by their names in a file of connections. */
@Command
public final class ConnectionNaming implements ClusterNaming {
  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description =
          "A cluster of the file of connections; commands about controllers also take a cluster's"
              + " id, or how it begins, and then contact no cluster.")
  private String name;

  @Option(
      names = "--connections",
      paramLabel = "FILE",
      description = "File of connections; default: connections.yaml in $TRIMTAB_HOME.")
  private Path file;

  /** One for all that a command asks, so that the file is read once. */
  private ConnectionFile connections;

  @Override
  public String option() {
    return "--cluster";
  }

  @Override
  public boolean given() {
    return name != null;
  }

  @Override
  public boolean take(String given) {
    name = given;
    return true;
  }

  @Override
  public Optional<String> id() {
    return name != null && file == null && !connections().has(name)
        ? Optional.of(name)
        : Optional.empty();
  }

  @Override
  public void check() {
    if (name == null && file != null) {
      throw new UserError("--connections goes with --cluster only");
    }
  }

  @Override
  public ClusterHandle cluster() {
    return new NamedClusters(connections()).named(name);
  }

  private ConnectionFile connections() {
    if (connections == null) {
      connections = new ConnectionFile(file == null ? Connections.defaultFile() : file);
    }
    return connections;
  }
}

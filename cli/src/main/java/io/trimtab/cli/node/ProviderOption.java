package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterAddition;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.providers.ProviderFile;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who starts and stops the nodes of a cluster. */
@Command
public final class ProviderOption implements ClusterAddition {
  @Option(
      names = "--provider",
      paramLabel = "FILE",
      description = "Provider file (YAML): who starts and stops the cluster's nodes.")
  private Path file;

  @Override
  public String option() {
    return "--provider";
  }

  @Override
  public boolean given() {
    return file != null;
  }

  @Override
  public ClusterHandle to(ClusterHandle cluster) {
    return new ProvidedCluster(cluster, ProviderFile.read(file));
  }
}

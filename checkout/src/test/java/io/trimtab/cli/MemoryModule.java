package io.trimtab.cli;

import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.clikit.CommandModule;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Adds {@code --in-memory} to the commands that take a cluster, found as {@code ProductCommands}
 * is.
 */
public final class MemoryModule implements CommandModule {
  private static Supplier<ClusterHandle> cluster;

  /** The cluster that a test is about. */
  public static void answers(Supplier<ClusterHandle> named) {
    cluster = named;
  }

  @Override
  public List<Added> commands() {
    return List.of();
  }

  @Override
  public List<ClusterNaming> namings() {
    return List.of(new MemoryNaming());
  }

  @Command
  static final class MemoryNaming implements ClusterNaming {
    @Option(names = "--in-memory", description = "The cluster in memory.")
    private boolean given;

    @Override
    public String option() {
      return "--in-memory";
    }

    @Override
    public boolean given() {
      return given;
    }

    @Override
    public ClusterHandle cluster() {
      return cluster.get();
    }
  }
}

package io.trimtab.lab.command;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.lab.cluster.Lab;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Labs of this machine, by name. */
@Command
final class LabNaming implements ClusterNaming {
  @Option(
      names = "--lab",
      paramLabel = "NAME",
      description = "Name of a lab on this machine; optional if there is only one.")
  private String lab;

  @Override
  public String option() {
    return "--lab";
  }

  @Override
  public boolean given() {
    return lab != null;
  }

  @Override
  public ClusterHandle cluster() {
    return handle(Lab.attach(lab));
  }

  @Override
  public Optional<ClusterHandle> byDefault() {
    List<String> names = Lab.names();
    if (names.size() > 1) {
      throw new UserError("several labs exist: " + String.join(", ", names) + "; give --lab");
    }
    return names.stream().findFirst().map(name -> handle(Lab.attach(name)));
  }

  @Override
  public String hint() {
    return "; no lab is up, start one with: trimtab lab up hbase";
  }

  private static ClusterHandle handle(Lab lab) {
    return new ClusterHandle() {
      @Override
      public String label() {
        return "lab " + lab.config().name();
      }

      @Override
      public Engine connect() throws EngineException {
        return lab.engine();
      }

      @Override
      public ControlAccess control() throws EngineException {
        return lab.controlAccess();
      }

      @Override
      public Optional<NodeProvider> provider(Consumer<String> notices) {
        return Optional.of(lab.provider());
      }

      @Override
      public ClusterAddress address() {
        return lab.address();
      }
    };
  }
}

package io.trimtab.cli.node;

import io.trimtab.config.Home;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.runtime.control.MachineMark;
import io.trimtab.runtime.ports.StateDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where this host keeps what providers have to remember, by the id of their machines' marks. */
public final class MachineFolder {
  private MachineFolder() {}

  /** The folder with the clusters that were made for agreements. */
  public static Path provisioned() {
    return Home.folder().resolve("provisioned");
  }

  /** That of a cluster which was made here; empty if none was by that mark. */
  static Optional<Path> founded(String mark) {
    return mark.matches("[A-Za-z0-9_.-]+") && !mark.matches("\\.*")
        ? Optional.of(provisioned().resolve(mark)).filter(Files::isDirectory)
        : Optional.empty();
  }

  /** That of a cluster's machines. */
  static Path of(String mark) {
    return founded(mark).orElseGet(() -> StateDir.of(mark).folder());
  }

  /** The same of a cluster, which knows how its machines are marked. */
  static Path of(SharedState shared, String clusterId) throws EngineException {
    return of(MachineMark.of(shared).map(MachineMark::id).orElse(clusterId));
  }
}

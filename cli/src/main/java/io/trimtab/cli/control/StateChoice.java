package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ports.StateDir;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** Whose controller a command is about; works for clusters that do not answer, too. */
public final class StateChoice {
  @Mixin private ClusterChoice cluster;

  /** The cluster, if it can be contacted: its address is given, and not only its id. */
  Optional<ControlAccess> control() throws EngineException {
    return id().isEmpty() && cluster.named() ? Optional.of(cluster.control()) : Optional.empty();
  }

  /** The cluster itself, under the same condition. */
  Optional<Engine> engine() throws EngineException {
    return id().isEmpty() && cluster.named() ? Optional.of(cluster.connect()) : Optional.empty();
  }

  private Optional<String> id() {
    return cluster.id();
  }

  /** The clusters that are meant; {@code all} where none is named, latest first. */
  public List<StateDir> named(List<StateDir> all) throws EngineException {
    Optional<String> given = id();
    if (given.isPresent()) {
      String id = given.get();
      List<StateDir> exact = all.stream().filter(s -> s.clusterId().equals(id)).toList();
      if (!exact.isEmpty()) {
        return exact;
      }
      List<StateDir> found = all.stream().filter(s -> s.clusterId().startsWith(id)).toList();
      if (found.size() > 1) {
        throw new UserError(
            "%s is the beginning of several clusters' ids: %s"
                .formatted(
                    id, found.stream().map(StateDir::clusterId).collect(Collectors.joining(", "))));
      }
      if (found.isEmpty()) {
        String known = all.stream().map(StateDir::clusterId).collect(Collectors.joining(", "));
        throw new UserError(
            "no cluster " + id + " is known here" + (known.isEmpty() ? "" : "; known: " + known));
      }
      return found;
    }
    if (!cluster.named()) {
      return all;
    }
    try (ControlAccess access = cluster.control()) {
      return List.of(StateDir.of(access.clusterId()));
    }
  }
}

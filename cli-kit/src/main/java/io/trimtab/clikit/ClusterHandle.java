package io.trimtab.clikit;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.sources.MetricsConfig;
import java.util.Optional;

/** A cluster given on the command line; not connected yet. */
public interface ClusterHandle {

  /** The cluster as given by the user, for messages. */
  String label();

  Engine connect() throws EngineException;

  /** Connects only with what the cluster keeps about its controllers. */
  default ControlAccess control() throws EngineException {
    return ControlAccess.of(connect());
  }

  /** Who tells of its nodes beside the database, where its settings name somebody. */
  default Optional<MetricsConfig> metrics() {
    return Optional.empty();
  }

  /** Starts and stops its nodes; empty if that is not possible. */
  default Optional<NodeProvider> provider() {
    return Optional.empty();
  }

  /**
   * The address, for uses other than the engine's port, such as generating load.
   *
   * @throws UserError if only the autopilot's commands know the database
   */
  default ClusterAddress address() {
    throw new UserError(label() + ": only the autopilot's commands support this database");
  }
}

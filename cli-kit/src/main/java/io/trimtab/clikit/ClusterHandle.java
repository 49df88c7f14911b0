package io.trimtab.clikit;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import java.util.Optional;

/** A cluster that was named on the command line; nothing is connected yet. */
public interface ClusterHandle {

  /** How the user named it. */
  String label();

  Engine connect() throws EngineException;

  /** What can start and stop its nodes; empty where nothing can. */
  default Optional<NodeProvider> provider() {
    return Optional.empty();
  }

  /**
   * For what the engine's port does not offer, such as putting a load on it.
   *
   * @throws UserError where only the engine knows the database
   */
  default ClusterAddress address() {
    throw new UserError(label() + ": no command but those of the autopilot knows its database");
  }
}

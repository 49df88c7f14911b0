package io.trimtab.clikit;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.sources.MetricsConfig;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A cluster given on the command line; not connected yet. */
public interface ClusterHandle {

  /** Looks at a cluster, whatever there is of it. */
  @FunctionalInterface
  interface Look {
    ClusterSnapshot now() throws EngineException;
  }

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

  /**
   * Starts and stops its nodes; empty if that is not possible.
   *
   * @param notices hears what a person has to do for it, one line each
   */
  default Optional<NodeProvider> provider(Consumer<String> notices) {
    return Optional.empty();
  }

  /**
   * The same of a cluster that is made, or taken apart, and can't always be asked.
   *
   * @param mark the id that its machines are marked with
   * @param look what the provider sees of it, under that id
   */
  default Optional<NodeProvider> provider(String mark, Look look, Consumer<String> notices) {
    return provider(notices);
  }

  /**
   * Its tables; nothing is contacted.
   *
   * @throws UserError if commands can't create tables there
   */
  default ClusterTables tables() {
    throw new UserError(
        label() + ": no table can be created there; leave table out of the agreement");
  }

  /** What the database calls a node. */
  default String nodeWord() {
    return "node";
  }

  /** The lines of a node's configuration that make a profile, by key; empty if not known. */
  default Map<String, String> settingsOf(Profile profile) {
    return Map.of();
  }

  /**
   * Tries one thing after the other that a controller needs, and changes nothing on the cluster.
   *
   * @param steps hears each as it ends; what depends on one that failed is not tried
   * @throws UserError if this way to name a cluster has no check
   */
  default void check(Consumer<ConnectionStep> steps) {
    throw new UserError(label() + ": has no check of its connection");
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

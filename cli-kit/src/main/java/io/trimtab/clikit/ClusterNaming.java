package io.trimtab.clikit;

import io.trimtab.config.UserError;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** One way to address a cluster on the command line: an object with picocli options. */
public interface ClusterNaming {

  /** The option that addresses the cluster: {@code --zookeeper}. */
  String option();

  /** All its options, for picocli: by default those of its annotated fields. */
  default CommandSpec options() {
    return CommandSpec.forAnnotatedObject(this);
  }

  /** Whether the user has given {@link #option()}. */
  boolean given();

  /**
   * Takes a cluster's name that the user has given without an option.
   *
   * @return whether clusters have names in this way to address them
   */
  default boolean take(String name) {
    return false;
  }

  /**
   * The id of a cluster that is not to be contacted, if the user has given that instead of an
   * address; only some commands take it.
   */
  default Optional<String> id() {
    return Optional.empty();
  }

  /**
   * Checks related options, also if {@link #given()} is false.
   *
   * @throws UserError if they contradict each other
   */
  default void check() {}

  /**
   * The given cluster.
   *
   * @throws UserError if the value is invalid
   */
  ClusterHandle cluster();

  /**
   * The default cluster if the user gives none; empty if there is no default.
   *
   * @throws UserError if there are several candidates
   */
  default Optional<ClusterHandle> byDefault() {
    return Optional.empty();
  }

  /** How to get a cluster of this kind, for the error message if none was given; may be empty. */
  default String hint() {
    return "";
  }
}

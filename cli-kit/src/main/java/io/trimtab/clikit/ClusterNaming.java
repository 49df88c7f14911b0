package io.trimtab.clikit;

import io.trimtab.config.UserError;
import java.util.Optional;

/** One way to name a cluster on the command line: an object with picocli's options. */
public interface ClusterNaming {

  /** The option that names it, as typed: {@code --zookeeper}. */
  String option();

  /** Whether the user has given {@link #option()}. */
  boolean given();

  /**
   * Checks the options beside it, also where {@link #given()} is false.
   *
   * @throws UserError where they contradict each other
   */
  default void check() {}

  /**
   * The cluster that was named.
   *
   * @throws UserError where the name is wrong
   */
  ClusterHandle cluster();

  /**
   * The cluster that is meant where the user names none; empty where there is none to guess.
   *
   * @throws UserError where there are several
   */
  default Optional<ClusterHandle> byDefault() {
    return Optional.empty();
  }

  /** How to get a cluster of this kind, for the message that none was named; may be empty. */
  default String hint() {
    return "";
  }
}

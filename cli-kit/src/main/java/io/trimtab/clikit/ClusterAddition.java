package io.trimtab.clikit;

/** What can be added to a cluster that was named: an object with picocli options. */
public interface ClusterAddition {

  /** The option: {@code --provider}. */
  String option();

  /** Whether the user has given {@link #option()}. */
  boolean given();

  /**
   * The cluster with it.
   *
   * @throws io.trimtab.config.UserError if the option's value is invalid
   */
  ClusterHandle to(ClusterHandle cluster);
}

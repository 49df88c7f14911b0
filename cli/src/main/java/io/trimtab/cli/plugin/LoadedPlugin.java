package io.trimtab.cli.plugin;

import io.trimtab.clikit.Table;
import io.trimtab.engineapi.EngineException;

/** A database's plug-in, on the nodes of a cluster. */
interface LoadedPlugin extends AutoCloseable {
  /**
   * What the nodes say.
   *
   * @param table a row for each of them
   * @param missing whether a node that answers does not have the plug-in
   * @param everywhere whether it is on every node and works there
   */
  record Answers(Table table, boolean missing, boolean everywhere) {}

  /** Asks every node. */
  Answers ask() throws EngineException;

  /** What an operator must do on each node without it; writes the jar for that. */
  String steps();

  @Override
  void close();
}

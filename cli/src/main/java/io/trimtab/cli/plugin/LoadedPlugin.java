package io.trimtab.cli.plugin;

import io.trimtab.clikit.Table;
import io.trimtab.engineapi.EngineException;

/** A database's plug-in, on the nodes of a cluster. */
interface LoadedPlugin extends AutoCloseable {
  /**
   * What the nodes say.
   *
   * @param table a row for each of them
   * @param nodes their number
   * @param works on how many of them it is, and nothing is wrong with it
   * @param lacking how many answer and do not have it, though they could
   * @param remark what else an operator should know of all of them; may be empty
   */
  record Answers(Table table, int nodes, long works, long lacking, String remark) {
    boolean everywhere() {
      return works == nodes;
    }
  }

  /** Asks every node. */
  Answers ask() throws EngineException;

  /** What an operator must do on each node without it; writes the jar for that. */
  String steps();

  @Override
  void close();
}

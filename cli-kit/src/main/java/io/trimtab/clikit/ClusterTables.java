package io.trimtab.clikit;

import io.trimtab.engineapi.EngineException;

/**
 * The tables of a cluster, for commands that make it ready for an application. The autopilot does
 * not have them: nothing that it decides creates or deletes a table.
 */
public interface ClusterTables {

  /**
   * Checks a table's name before anything is done.
   *
   * @throws io.trimtab.config.UserError if the database takes no such name
   */
  void check(String table);

  /**
   * Creates an empty table for values by key, with its keyspace or namespace; does nothing if there
   * is one of that name.
   *
   * @param copies of its data in each data centre, ≥ 1; without meaning where a file system keeps
   *     them
   */
  void create(String table, int copies) throws EngineException;

  /** Deletes a table with its data; does nothing if there is none. */
  void drop(String table) throws EngineException;
}

package io.trimtab.clikit;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes a node of a live cluster out of service and puts it back, for commands that have something
 * to do on it meanwhile. The module that has the control loop provides it, because that takes its
 * lock, its journal and its documents; modules that measure nodes do not see the loop.
 */
public interface NodeService {

  /** What is done with the node while it serves nobody. */
  @FunctionalInterface
  interface Work {
    /**
     * @param engine of the cluster; changes nothing once control is lost
     */
    void on(Engine engine) throws Exception;
  }

  /** Deletes a table that the work has made; does nothing if there is none. */
  @FunctionalInterface
  interface Tables {
    void drop(String table) throws EngineException;
  }

  /**
   * What is ordered.
   *
   * @param config the autopilot's settings file, whose limits hold; empty: the defaults
   * @param watch how long the load is observed before it is decided where partitions go
   * @param tables that the work makes, by names that no other table has
   * @param tablesBytes that they take at most, one copy
   */
  record Order(
      String command,
      ClusterChoice cluster,
      Optional<Path> config,
      NodeId node,
      Duration watch,
      List<String> tables,
      long tablesBytes) {
    public Order {
      tables = List.copyOf(tables);
    }
  }

  /**
   * Shows what would be moved where, and what the other nodes would use; changes nothing.
   *
   * @throws EngineException if the node can't be taken out of service now
   */
  void show(Terminal terminal, Order order) throws EngineException, InterruptedException;

  /**
   * Takes the node out of service, has the work done, and puts everything back, also when the work
   * fails or a stop is requested.
   *
   * @return whether the work was done and everything is back
   * @throws EngineException if the node can't be taken out of service, or the work failed
   */
  boolean during(Terminal terminal, Order order, Tables tables, Work work)
      throws EngineException, InterruptedException;

  /**
   * Puts back what such a command has left that was killed.
   *
   * @return whether everything is back, or there was nothing
   */
  boolean putBack(Terminal terminal, String command, ClusterChoice cluster, Tables tables)
      throws EngineException;
}

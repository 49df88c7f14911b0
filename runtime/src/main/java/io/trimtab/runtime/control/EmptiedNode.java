package io.trimtab.runtime.control;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import java.time.Instant;
import java.util.List;

/**
 * A node that a command has taken out of service, as the cluster keeps it until all is put back.
 *
 * @param since when it was begun, by the wall clock of who did it
 * @param by the command and who gave it, for display
 * @param home partitions that are to be moved back to the node; none once that is done
 * @param tables that the command makes, and that are to be deleted
 */
public record EmptiedNode(
    NodeId node, Instant since, String by, List<PartitionId> home, List<String> tables) {
  public EmptiedNode {
    home = List.copyOf(home);
    tables = List.copyOf(tables);
  }

  /** The same with its partitions where they are to be. */
  public EmptiedNode back() {
    return new EmptiedNode(node, since, by, List.of(), tables);
  }

  /** Whether nothing is left to be put back. */
  public boolean over() {
    return home.isEmpty() && tables.isEmpty();
  }
}

package io.trimtab.controller.choice;

import io.trimtab.controller.tenants.TableChange;
import java.util.List;

/**
 * What could have been done.
 *
 * @param title as an operator says it
 * @param before usage of the most used node as it is, with the load that is counted with
 * @param most predicted usage of the most used node afterwards
 * @param over nodes that would be above the target
 * @param nodes afterwards
 * @param moves of partitions, those off nodes that restart and back included
 * @param splits of partitions
 * @param bytes of the partitions that move, each as often as it does; where tokens place the data,
 *     that go from node to node
 * @param rewritten bytes of the partitions that are compacted or split, at most: those that have
 *     moved are not whose files are near; where tokens place the data, that cleanups rewrite at
 *     most
 * @param seconds that the plan takes, about: without waiting for users, other work, or a node whose
 *     provider does not tell how long it takes
 * @param price of the change in seconds of one node
 * @param gain what it saves over the horizon, less its price, in seconds of one node
 * @param tables that are predicted to be served more or less than now
 * @param verdict why it was not chosen, or that it was
 */
public record Alternative(
    String title,
    double before,
    double most,
    int over,
    int nodes,
    int moves,
    int splits,
    double bytes,
    double rewritten,
    double seconds,
    double price,
    double gain,
    List<TableChange> tables,
    String verdict) {
  public Alternative {
    tables = List.copyOf(tables);
  }
}

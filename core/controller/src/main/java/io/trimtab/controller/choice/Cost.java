package io.trimtab.controller.choice;

/**
 * What a layout costs over a time, all in seconds of one node: what is lost while nodes are used
 * more than they should be, the nodes themselves, and the change that leads there; less what it
 * saves of work that nodes below the target do, too.
 *
 * @param lost of the users' requests, weighted
 * @param saved of reading blocks from other nodes' disks
 * @param nodes that are there
 * @param change moves, cold caches, restarts and compactions that lead there
 * @param most usage of the most used node
 * @param over nodes that are expected above the target, with the confidence asked for
 */
record Cost(double lost, double saved, double nodes, double change, double most, int over) {
  double sum() {
    return lost - saved + nodes + change;
  }
}

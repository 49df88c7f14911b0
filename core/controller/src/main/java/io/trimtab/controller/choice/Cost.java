package io.trimtab.controller.choice;

/**
 * What a layout costs over a time, all in seconds of one node: what is lost while nodes are used
 * more than they should be, the nodes themselves, and the change that leads there.
 *
 * @param lost of the users' requests, weighted
 * @param nodes that are there
 * @param change moves, cold caches, restarts and compactions that lead there
 * @param most usage of the most used node
 * @param over nodes that are expected above the target, with the confidence asked for
 */
record Cost(double lost, double nodes, double change, double most, int over) {
  double sum() {
    return lost + nodes + change;
  }
}

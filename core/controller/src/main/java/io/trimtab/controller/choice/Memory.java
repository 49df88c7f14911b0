package io.trimtab.controller.choice;

/**
 * How a node's memory is split.
 *
 * @param cacheBytes of its block cache
 * @param memstoreShare of its heap, in (0, 1)
 */
record Memory(double cacheBytes, double memstoreShare) {}

package io.trimtab.controller.choice.predict;

/**
 * How a node's memory is split.
 *
 * @param cacheBytes of its block cache
 * @param memstoreShare of its heap, in (0, 1)
 * @param twoParts whether the cache keeps what is asked for again apart, as HBase's own does
 */
public record Memory(double cacheBytes, double memstoreShare, boolean twoParts) {}

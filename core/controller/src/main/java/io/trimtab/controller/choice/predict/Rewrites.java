package io.trimtab.controller.choice.predict;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Partitions whose files are rewritten where they are, and the size of blocks that they get. */
public final class Rewrites {
  /** By partition. */
  private final Map<Integer, Double> saved = new TreeMap<>();

  /** By table. */
  private final Map<Integer, Integer> blockBytes = new TreeMap<>();

  public Rewrites copy() {
    Rewrites copy = new Rewrites();
    copy.saved.putAll(saved);
    copy.blockBytes.putAll(blockBytes);
    return copy;
  }

  /**
   * Adds one.
   *
   * @param usage that the partition causes no more, in nodes
   */
  public void add(int partition, double usage) {
    saved.put(partition, usage);
  }

  public boolean has(int partition) {
    return !saved.isEmpty() && saved.containsKey(partition);
  }

  public Set<Integer> partitions() {
    return Collections.unmodifiableSet(saved.keySet());
  }

  /** Usage that one of them causes no more, in nodes. */
  public double saved(int partition) {
    return saved.get(partition);
  }

  /** The same of all of them. */
  public double saved() {
    return saved.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Gives a table's new files another size of blocks. */
  public void resize(int table, int bytes) {
    blockBytes.put(table, bytes);
  }

  /** Sizes of blocks by table, of those that get another. */
  public Map<Integer, Integer> blockSizes() {
    return Collections.unmodifiableMap(blockBytes);
  }
}

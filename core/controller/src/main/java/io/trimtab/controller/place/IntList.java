package io.trimtab.controller.place;

import java.util.Arrays;

/** A list of indexes that grows, without an object for each. */
public final class IntList {
  private int[] all = new int[8];
  private int size;

  public void add(int index) {
    if (size == all.length) {
      all = Arrays.copyOf(all, 2 * size);
    }
    all[size++] = index;
  }

  public int get(int i) {
    return all[i];
  }

  public int size() {
    return size;
  }

  /** Removes the first one that is this; the rest keep their order. */
  public void removeFirst(int index) {
    int i = 0;
    while (all[i] != index) {
      i++;
    }
    System.arraycopy(all, i + 1, all, i, --size - i);
  }

  /** The same again; changes of one do not change the other. */
  public IntList copy() {
    IntList copy = new IntList();
    copy.all = all.clone();
    copy.size = size;
    return copy;
  }

  public int[] toArray() {
    return Arrays.copyOf(all, size);
  }
}

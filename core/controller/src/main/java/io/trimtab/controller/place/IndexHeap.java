package io.trimtab.controller.place;

import java.util.Arrays;

/**
 * A queue of some of the indexes 0, 1, …, the first by an order that may change: a binary heap that
 * knows where each index is. Whoever changes what the order of an index follows from says so by
 * {@link #changed} before it changes another's.
 */
public final class IndexHeap {
  /** A strict total order. */
  public interface Order {
    boolean before(int a, int b);
  }

  private final Order order;
  private final int[] heap;

  /** By index; -1 for one that is not in the queue. */
  private final int[] place;

  private int size;

  /**
   * @param indexes how many there are; the queue has none of them yet
   */
  public IndexHeap(int indexes, Order order) {
    this.order = order;
    heap = new int[indexes];
    place = new int[indexes];
    Arrays.fill(place, -1);
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int first() {
    return heap[0];
  }

  /** Adds an index that is not there. */
  public void add(int index) {
    put(index, size++);
    up(place[index]);
  }

  /** Whether it was there. */
  public boolean remove(int index) {
    int at = place[index];
    if (at < 0) {
      return false;
    }
    place[index] = -1;
    int last = heap[--size];
    if (last != index) {
      put(last, at);
      changed(last);
    }
    return true;
  }

  /** Puts an index where it now belongs, if it is there. */
  public void changed(int index) {
    if (place[index] >= 0) {
      up(place[index]);
      down(place[index]);
    }
  }

  private void put(int index, int at) {
    heap[at] = index;
    place[index] = at;
  }

  private void up(int from) {
    int index = heap[from];
    int at = from;
    while (at > 0 && order.before(index, heap[(at - 1) / 2])) {
      put(heap[(at - 1) / 2], at);
      at = (at - 1) / 2;
    }
    put(index, at);
  }

  private void down(int from) {
    int index = heap[from];
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && order.before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!order.before(heap[child], index)) {
        break;
      }
      put(heap[child], at);
      at = child;
    }
    put(index, at);
  }
}

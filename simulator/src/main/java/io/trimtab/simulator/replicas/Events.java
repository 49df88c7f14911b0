package io.trimtab.simulator.replicas;

import java.util.Arrays;

/**
 * What happens when: a heap of four branches, by time and then by order of being added, without
 * allocation for each event.
 */
final class Events {
  private static final int BRANCHES = 4;

  private long[] times = new long[1 << 10];
  private long[] orders = new long[1 << 10];
  private Object[] what = new Object[1 << 10];
  private int size;
  private long added;

  void add(long time, Object event) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      what = Arrays.copyOf(what, 2 * size);
    }
    up(size++, time, added++, event);
  }

  boolean isEmpty() {
    return size == 0;
  }

  long nextTime() {
    return times[0];
  }

  Object take() {
    Object first = what[0];
    size--;
    long time = times[size];
    long order = orders[size];
    Object last = what[size];
    what[size] = null;
    if (size > 0) {
      down(time, order, last);
    }
    return first;
  }

  private boolean before(long time, long order, int at) {
    return time < times[at] || (time == times[at] && order < orders[at]);
  }

  private void up(int from, long time, long order, Object event) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / BRANCHES;
      if (!before(time, order, parent)) {
        break;
      }
      put(at, times[parent], orders[parent], what[parent]);
      at = parent;
    }
    put(at, time, order, event);
  }

  private void down(long time, long order, Object event) {
    int at = 0;
    while (true) {
      int first = at * BRANCHES + 1;
      if (first >= size) {
        break;
      }
      int least = first;
      int end = Math.min(size, first + BRANCHES);
      for (int i = first + 1; i < end; i++) {
        if (before(times[i], orders[i], least)) {
          least = i;
        }
      }
      if (before(time, order, least)) {
        break;
      }
      put(at, times[least], orders[least], what[least]);
      at = least;
    }
    put(at, time, order, event);
  }

  private void put(int at, long time, long order, Object event) {
    times[at] = time;
    orders[at] = order;
    what[at] = event;
  }
}

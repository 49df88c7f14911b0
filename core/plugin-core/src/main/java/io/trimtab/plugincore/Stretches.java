package io.trimtab.plugincore;

/** Grows into the arrays: blocks that keys can't tell apart, and gaps, become one stretch. */
final class Stretches {
  final long[] starts;
  final boolean[] followed;
  final int[] blocks;
  int size;

  Stretches(int max) {
    starts = new long[max];
    followed = new boolean[max];
    blocks = new int[max];
  }

  void add(long image, boolean chosen) {
    boolean same = size > 0 && starts[size - 1] == image;
    boolean gap = size > 0 && !chosen && !followed[size - 1];
    if (!same && !gap) {
      starts[size++] = image;
    }
    followed[size - 1] |= chosen;
    blocks[size - 1]++;
  }
}

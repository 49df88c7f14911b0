package io.trimtab.controller.place;

import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.Profile;
import java.util.Arrays;

/**
 * Balances requests per second.
 *
 * @param swaps whether partitions move and swap out of the fullest node afterwards; the thesis
 *     leaves them where its Algorithm 2 puts them
 */
record RequestBalancer(Partitions partitions, boolean swaps) implements Balancer {
  @Override
  public int[] assign(int[] list, Profile profile, int nodes) {
    double[] loads = Arrays.stream(list).mapToDouble(partitions::load).toArray();
    return swaps ? Assignment.assign(loads, nodes) : Assignment.longestFirst(loads, nodes);
  }

  @Override
  public double load(int[] list, Profile profile) {
    double sum = 0;
    for (int p : list) {
      sum += partitions.load(p);
    }
    return sum;
  }
}

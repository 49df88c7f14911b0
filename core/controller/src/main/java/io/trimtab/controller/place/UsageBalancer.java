package io.trimtab.controller.place;

import io.trimtab.engineapi.Profile;
import io.trimtab.models.usage.UsageEstimate;
import java.util.Arrays;
import java.util.List;

/**
 * Balances predicted server usage (Cruz 2016, §6.2): a partition counts as what it would cause
 * alone on a node, and a node as what its partitions cause together, whose blocks share its cache.
 */
final class UsageBalancer implements Balancer {
  private final UsageEstimate estimate;
  private final List<UsagePacking.Item> items;
  private final double heapBytes;

  /**
   * @param items by partition's index
   * @param heapBytes of each node, &gt; 0
   * @throws IllegalArgumentException if a kind of request is among them that the estimate does not
   *     cover
   */
  UsageBalancer(UsageEstimate estimate, List<UsagePacking.Item> items, double heapBytes) {
    this.estimate = estimate;
    this.items = items;
    this.heapBytes = heapBytes;
    UsagePacking.usage(estimate, items, cacheBytes(Profile.HOMOGENEOUS));
  }

  @Override
  public int[] assign(int[] list, Profile profile, int nodes) {
    return UsagePacking.longestFirst(
        estimate, items(list), nodes, cacheBytes(profile), Assignment.cap(list.length, nodes));
  }

  @Override
  public double load(int[] list, Profile profile) {
    return UsagePacking.usage(
        estimate, items(list), cacheBytes(profile == null ? Profile.HOMOGENEOUS : profile));
  }

  private List<UsagePacking.Item> items(int[] list) {
    return Arrays.stream(list).mapToObj(items::get).toList();
  }

  private double cacheBytes(Profile profile) {
    return profile.cacheFraction() * heapBytes;
  }
}

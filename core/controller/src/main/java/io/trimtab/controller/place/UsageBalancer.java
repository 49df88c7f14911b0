package io.trimtab.controller.place;

import io.trimtab.engineapi.Profile;
import io.trimtab.models.usage.UsageEstimate;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Balances predicted server usage (Cruz 2016, §6.2): a partition counts as what it would cause
 * alone on a node, and a node as what its partitions cause together, whose blocks share its cache.
 */
final class UsageBalancer implements Balancer {
  private final UsageEstimate estimate;
  private final List<UsagePacking.Item> items;
  private final ToDoubleFunction<Profile> cacheBytes;

  /**
   * @param items by partition's index
   * @param cacheBytes of each node under a profile, &gt; 0
   * @throws IllegalArgumentException if a kind of request is among them that the estimate does not
   *     cover
   */
  UsageBalancer(
      UsageEstimate estimate, List<UsagePacking.Item> items, ToDoubleFunction<Profile> cacheBytes) {
    this.estimate = estimate;
    this.items = items;
    this.cacheBytes = cacheBytes;
    UsagePacking.usage(estimate, items, cacheBytes.applyAsDouble(Profile.HOMOGENEOUS));
  }

  @Override
  public int[] assign(int[] list, Profile profile, int nodes) {
    return UsagePacking.longestFirst(
        estimate,
        items(list),
        nodes,
        cacheBytes.applyAsDouble(profile),
        Assignment.cap(list.length, nodes));
  }

  @Override
  public double load(int[] list, Profile profile) {
    Profile known = profile == null ? Profile.HOMOGENEOUS : profile;
    return UsagePacking.usage(estimate, items(list), cacheBytes.applyAsDouble(known));
  }

  private List<UsagePacking.Item> items(int[] list) {
    return Arrays.stream(list).mapToObj(items::get).toList();
  }
}

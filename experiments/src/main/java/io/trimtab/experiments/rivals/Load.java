package io.trimtab.experiments.rivals;

import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.util.List;
import java.util.Set;

/** How the six tenants' load changes. */
final class Load {
  /** Keys below get few requests after the hot spot has jumped to those above. */
  private static final double COLD_KEYS = 0.6;

  private static final double COLD_REQUESTS = 0.2;

  /** Tenants whose load is not that of the first phase, for each phase. */
  private static final List<Set<String>> OTHER =
      List.of(Set.of(), Set.of(), Set.of("c"), Set.of("c", "f"));

  private Load() {}

  /** Tenants whose load is not that of the first phase. */
  static Set<String> other(int phase) {
    return OTHER.get(phase);
  }

  static String describe(TestbedSettings scale) {
    return ("first change: c updates (%d threads) instead of reading; second: %.0f %% of f's"
            + " requests go to the last %.0f %% of its keys")
        .formatted(scale.updateThreads(), 100 * (1 - COLD_REQUESTS), 100 * (1 - COLD_KEYS));
  }

  private static TenantSpec named(List<TenantSpec> tenants, String name) {
    return tenants.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<TenantSpec> with(List<TenantSpec> tenants, TenantSpec other) {
    return tenants.stream().map(t -> t.name().equals(other.name()) ? other : t).toList();
  }

  static List<TenantSpec> readerWrites(List<TenantSpec> tenants, TestbedSettings scale) {
    TenantSpec reader = named(tenants, "c");
    // Buffered writes have no disk limit in control groups v1: few threads, as of tenant b.
    return with(
        tenants,
        reader.asked(
            new Mix(null, 1.0, null, null, null),
            reader.distribution(),
            scale.updateThreads(),
            null));
  }

  static List<TenantSpec> hotSpotJumps(List<TenantSpec> tenants) {
    TenantSpec mixed = named(tenants, "f");
    return with(
        tenants,
        mixed.asked(
            mixed.mix(),
            new Distribution(Distribution.Kind.HOTSPOT, COLD_KEYS, COLD_REQUESTS),
            mixed.threads(),
            null));
  }
}

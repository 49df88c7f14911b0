package io.trimtab.experiments.placement;

import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.WorkloadSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** E11's tenants: some read, some update, some miss the cache, some hardly ask. */
final class UsageTenants {
  /**
   * A table's load.
   *
   * @param rate operations a second before scaling
   * @param reads share of the operations; the others are updates
   */
  record Tenant(String name, int records, double rate, double reads, Distribution distribution) {
    Mix mix() {
      return UsageTenants.mix(reads);
    }
  }

  private static final Distribution ZIPF =
      new Distribution(Distribution.Kind.SCRAMBLED, null, null);

  static final List<Tenant> ALL =
      List.of(
          new Tenant("hot1", 30_000, 700, 1, ZIPF),
          new Tenant("hot2", 30_000, 300, 1, ZIPF),
          new Tenant("upd1", 30_000, 60, 0.2, ZIPF),
          new Tenant("upd2", 30_000, 60, 0.2, ZIPF),
          new Tenant("upd3", 30_000, 60, 0.2, ZIPF),
          new Tenant("upd4", 30_000, 60, 0.2, ZIPF),
          new Tenant("cold1", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("cold2", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("cold3", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("cold4", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("idle1", 20_000, 1, 1, Distribution.UNIFORM),
          new Tenant("idle2", 20_000, 1, 1, Distribution.UNIFORM),
          new Tenant("idle3", 20_000, 1, 1, Distribution.UNIFORM));

  private UsageTenants() {}

  static WorkloadSpec spec(TestbedSettings settings) {
    return new WorkloadSpec(
        null,
        null,
        ALL.stream()
            .map(
                t ->
                    ModelBuilder.tenant(
                            t.name(),
                            t.records(),
                            1,
                            1_000,
                            Profile.READ.blockSizeBytes(),
                            settings.threads())
                        .asked(t.mix(), t.distribution(), settings.threads(), t.rate()))
            .toList());
  }

  static Mix mix(double reads) {
    return new Mix(reads, 1 - reads, null, null, null);
  }

  static Map<PartitionSlot, Integer> placement(int[] nodeOf) {
    var placement = new TreeMap<PartitionSlot, Integer>();
    for (int i = 0; i < nodeOf.length; i++) {
      placement.put(new PartitionSlot(ALL.get(i).name(), 0), nodeOf[i]);
    }
    return placement;
  }

  /** Operations a second of all tenants, before scaling. */
  static double rate() {
    return ALL.stream().mapToDouble(Tenant::rate).sum();
  }

  /** For the report. */
  static String describe(double scale) {
    return String.join(
        "; ",
        ALL.stream()
            .map(
                t ->
                    String.format(
                        Locale.ROOT,
                        "%s (%,d, %.1f, %.0f %%)",
                        t.name(),
                        t.records(),
                        scale * t.rate(),
                        100 * t.reads()))
            .toList());
  }
}

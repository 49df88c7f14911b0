package io.trimtab.experiments.rivals;

import io.trimtab.experiments.placement.Placements;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.simulator.days.ClosedBed;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The bed of RIVALS for the cluster in memory: its tenants, nodes, bad starts and loads. */
final class ModelBed {
  /** In the cache, for each byte of values: keys, and what a block takes there; fitted to E1. */
  private static final double STORED = 1.2;

  /** From a client to a node and back, and the client's own work; assumed. */
  private static final double NETWORK_SECONDS = 0.8e-3;

  /** For which an update waits until its log is on other nodes; fitted to E1. */
  private static final double LOG_SECONDS = 4e-3;

  /** More of the client's own work, for the rows of a scan; fitted to E1. */
  private static final double SCAN_SECONDS = 2e-3;

  private ModelBed() {}

  /**
   * @param seed of the placement at the start, as of a run of RIVALS
   */
  static ClosedBed of(TestbedSettings scale, long seed) {
    List<TenantSpec> start = SixTenants.spec(scale).tenants();
    List<TenantSpec> writes = Load.readerWrites(start, scale);
    List<TenantSpec> jumped = Load.hotSpotJumps(writes);
    return new ClosedBed(
        scale.nodes(),
        scale.heap().value(),
        scale.readIops(),
        tenants(start, scale, seed),
        List.of(
            phase("before", Rivals.BEFORE, start),
            phase("badly placed", Rivals.PLACED, start),
            phase("c writes", Rivals.CHANGED, writes),
            phase("f's hot spot jumps", Rivals.CHANGED, jumped)));
  }

  private static List<ClosedBed.Tenant> tenants(
      List<TenantSpec> specs, TestbedSettings scale, long seed) {
    List<PartitionSlot> slots = new ArrayList<>();
    for (TenantSpec spec : specs) {
      for (int i = 0; i < spec.partitions(); i++) {
        slots.add(new PartitionSlot(spec.table(), i));
      }
    }
    Map<PartitionSlot, Integer> placed = Placements.random(slots, scale.nodes(), seed);
    int blockBytes = scale.profile().blockSizeBytes();
    return specs.stream().map(spec -> tenant(spec, placed, blockBytes)).toList();
  }

  private static ClosedBed.Tenant tenant(
      TenantSpec spec, Map<PartitionSlot, Integer> placed, int blockBytes) {
    double rowBytes = spec.bytesPerRecord();
    List<Integer> nodes =
        IntStream.range(0, spec.partitions())
            .mapToObj(i -> placed.get(new PartitionSlot(spec.table(), i)))
            .toList();
    return new ClosedBed.Tenant(
        spec.table(),
        Math.round(STORED * rowBytes * spec.records()),
        (int) Math.round(rowBytes),
        blockBytes,
        nodes);
  }

  private static ClosedBed.Phase phase(String title, Duration time, List<TenantSpec> specs) {
    Map<String, ClosedBed.Load> loads = new TreeMap<>();
    specs.forEach(spec -> loads.put(spec.table(), load(spec)));
    return new ClosedBed.Phase(title, time, loads);
  }

  /** A record that is inserted costs what an updated one does; tables do not grow. */
  private static ClosedBed.Load load(TenantSpec spec) {
    Distribution keys = spec.distribution();
    if (keys.kind() != Distribution.Kind.HOTSPOT) {
      throw new IllegalArgumentException("tenant " + spec.name() + " has no hot spot");
    }
    Mix mix = spec.mix();
    double writes = mix.update() + mix.insert() + mix.readModifyWrite();
    return new ClosedBed.Load(
        spec.threads(),
        mix.read() + mix.readModifyWrite(),
        mix.scan(),
        spec.scanLengths().function(spec.scanLength()).mean(),
        writes,
        NETWORK_SECONDS + LOG_SECONDS * writes + SCAN_SECONDS * mix.scan(),
        spec.targetRate() == null ? Double.POSITIVE_INFINITY : spec.targetRate(),
        keys.hotKeys(),
        keys.hotOperations());
  }
}

package io.trimtab.controller.observe;

import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Observations since the last plan on the cluster; an immutable value. Samples from before a plan
 * describe an earlier state of the cluster, so each plan starts a new history.
 *
 * @param samples number of complete snapshots
 * @param rates smoothed rates of partitions that were in at least two snapshots
 * @param usage smoothed server usage by node, including NaN, so that missing data are not hidden by
 *     smoothing
 * @param caches bytes in all nodes' caches in the last samples, as many as a decision needs, the
 *     oldest first; −1 if a node did not report it
 */
public record History(
    Optional<ClusterSnapshot> last,
    int samples,
    Map<PartitionId, Rates> rates,
    Map<NodeId, Double> usage,
    Map<NodeId, Double> cpu,
    List<Long> caches) {
  public static final History EMPTY =
      new History(Optional.empty(), 0, Map.of(), Map.of(), Map.of(), List.of());

  /** The history with one more snapshot (Cruz 2016, §3.2.1: exponential smoothing). */
  public History append(ClusterSnapshot next, ObserveSettings settings) {
    Map<PartitionId, Rates> newRates = new LinkedHashMap<>();
    if (last.isPresent()) {
      double seconds = Duration.between(last.get().takenAt(), next.takenAt()).toMillis() / 1000.0;
      if (!(seconds > 0)) {
        return this;
      }
      Set<NodeId> same = sameProcess(last.get(), next);
      for (int i = 0; i < next.partitions().size(); i++) {
        PartitionState partition = next.partitions().get(i);
        Rates old = rates.get(partition.id());
        Rates fresh = rates(before(partition.id(), i), partition, same, seconds);
        if (fresh != null) {
          newRates.put(partition.id(), old == null ? fresh : old.smoothed(fresh, settings.alpha()));
        } else if (old != null) {
          newRates.put(partition.id(), old);
        }
      }
    }
    Map<NodeId, Double> newUsage = new LinkedHashMap<>();
    Map<NodeId, Double> newCpu = new LinkedHashMap<>();
    for (NodeState node : next.liveNodes()) {
      newUsage.put(node.id(), smooth(usage.get(node.id()), node.usage().server(), settings));
      double busy = node.usage().cpuUser() + node.usage().cpuSystem();
      newCpu.put(node.id(), smooth(cpu.get(node.id()), busy, settings));
    }
    return new History(
        Optional.of(next),
        samples + 1,
        Collections.unmodifiableMap(newRates),
        Collections.unmodifiableMap(newUsage),
        Collections.unmodifiableMap(newCpu),
        looks(next, settings.samples()));
  }

  /** A partition in the last snapshot; most are at the same place in every snapshot. */
  private PartitionState before(PartitionId id, int place) {
    ClusterSnapshot snapshot = last.orElseThrow();
    if (place < snapshot.partitions().size()) {
      PartitionState there = snapshot.partitions().get(place);
      if (there.id().equals(id)) {
        return there;
      }
    }
    return snapshot.partition(id).orElse(null);
  }

  private List<Long> looks(ClusterSnapshot next, int most) {
    List<Long> all = new ArrayList<>(caches);
    all.add(CacheWarmup.used(next).orElse(-1));
    return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
  }

  private static double smooth(Double old, double now, ObserveSettings settings) {
    // A node's first sample after a start has no interval to be measured over.
    return old == null || old.isNaN() ? now : settings.alpha() * now + (1 - settings.alpha()) * old;
  }

  private static Set<NodeId> sameProcess(ClusterSnapshot before, ClusterSnapshot now) {
    Map<NodeId, Long> incarnations = new HashMap<>();
    before.nodes().forEach(n -> incarnations.put(n.id(), n.incarnation()));
    Set<NodeId> same = new HashSet<>();
    for (NodeState node : now.nodes()) {
      if (Long.valueOf(node.incarnation()).equals(incarnations.get(node.id()))) {
        same.add(node.id());
      }
    }
    return same;
  }

  /** Null if a new series of counters begins: after a move, a restart, or for a new partition. */
  private static Rates rates(
      PartitionState before, PartitionState now, Set<NodeId> same, double seconds) {
    if (before == null
        || now.node().isEmpty()
        || !now.node().equals(before.node())
        || !same.contains(now.node().get())) {
      return null;
    }
    PartitionCounters a = before.counters();
    PartitionCounters b = now.counters();
    boolean down =
        b.pointReads() < a.pointReads()
            || b.scans() < a.scans()
            || b.rowsScanned() < a.rowsScanned()
            || b.writes() < a.writes();
    return down ? null : Rates.between(a, b, seconds);
  }
}

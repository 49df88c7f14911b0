package io.trimtab.controller.observe;

import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Observations since the last plan on the cluster; an immutable value. Samples from before a plan
 * describe an earlier state of the cluster, so each plan starts a new history.
 *
 * @param samples number of complete snapshots
 * @param rates smoothed rates of partitions whose counters were read at least twice
 * @param usage smoothed server usage by node, including NaN, so that missing data are not hidden by
 *     smoothing
 * @param caches bytes in all nodes' caches in the last samples, as many as a decision needs, the
 *     oldest first; −1 if a node did not report it
 * @param dips how far the requests of each table fall by themselves
 * @param served how requests were served between the last samples, the oldest first
 * @param missed the last counters of partitions whose counters the last snapshot lacks
 * @param known nodes as they were last read, which a new history goes on with
 * @param misses smoothed share of the blocks that a node was asked for and had to read; none for a
 *     node that does not tell
 * @param cold nodes that use more than they will, also as of before the plan
 */
public record History(
    Optional<ClusterSnapshot> last,
    int samples,
    Map<PartitionId, Rates> rates,
    Map<NodeId, Double> usage,
    Map<NodeId, Double> cpu,
    List<Long> caches,
    Map<PartitionId, CounterReading> missed,
    Dips dips,
    List<ServedTimes> served,
    LastSeen known,
    Map<NodeId, Double> misses,
    ColdNodes cold) {
  public static final History EMPTY = begun(LastSeen.NOTHING, ColdNodes.NOTHING);

  /**
   * The beginning of a controller's first one.
   *
   * @param planEnded when the last plan of an earlier controller ended; empty if there was none
   */
  public static History after(Optional<Instant> planEnded) {
    return begun(LastSeen.NOTHING, ColdNodes.after(planEnded));
  }

  /** The beginning of a new one, after a plan. */
  public History again() {
    return begun(known, cold.again());
  }

  private static History begun(LastSeen known, ColdNodes cold) {
    return new History(
        Optional.empty(),
        0,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        Map.of(),
        Dips.NONE,
        List.of(),
        known,
        Map.of(),
        cold);
  }

  /**
   * The history with one more snapshot (Cruz 2016, §3.2.1: exponential smoothing). Nodes that could
   * not be read are as they were last seen.
   */
  public History append(ClusterSnapshot seen, ObserveSettings settings) {
    LastSeen nodes = known.append(seen);
    ClusterSnapshot next = nodes.fill(seen);
    Map<PartitionId, Rates> newRates = new LinkedHashMap<>();
    Map<PartitionId, Rates> interval = new LinkedHashMap<>();
    Map<PartitionId, CounterReading> unread = new HashMap<>();
    if (last.isPresent()) {
      if (!(next.secondsSince(last.get()) > 0)) {
        return this;
      }
      for (int i = 0; i < next.partitions().size(); i++) {
        PartitionState partition = next.partitions().get(i);
        Rates old = rates.get(partition.id());
        CounterReading earlier = read(before(partition.id(), i), partition.id());
        Rates fresh = earlier == null ? null : earlier.ratesUntil(partition, next);
        if (earlier != null && partition.counters().isEmpty()) {
          unread.put(partition.id(), earlier);
        }
        if (fresh != null) {
          interval.put(partition.id(), fresh);
          newRates.put(partition.id(), old == null ? fresh : old.smoothed(fresh, settings.alpha()));
        } else if (old != null) {
          newRates.put(partition.id(), old);
        }
      }
      if (!next.gaps().isEmpty()) {
        keepAbsent(next, unread);
      }
    }
    Map<NodeId, Double> newUsage = new LinkedHashMap<>();
    Map<NodeId, Double> newCpu = new LinkedHashMap<>();
    Map<NodeId, Double> newMisses = new HashMap<>();
    for (NodeState node : next.liveNodes()) {
      Double missedBefore = misses.get(node.id());
      last.flatMap(before -> before.node(node.id()))
          .flatMap(before -> CacheWarmup.missed(before, node))
          .map(share -> smooth(missedBefore, share, settings))
          .or(() -> Optional.ofNullable(missedBefore))
          .ifPresent(share -> newMisses.put(node.id(), share));
      newUsage.put(node.id(), smooth(usage.get(node.id()), node.usage().server(), settings));
      newCpu.put(node.id(), smooth(cpu.get(node.id()), node.usage().cpu(), settings));
    }
    return new History(
        Optional.of(next),
        samples + 1,
        Collections.unmodifiableMap(newRates),
        Collections.unmodifiableMap(newUsage),
        Collections.unmodifiableMap(newCpu),
        looks(next, settings.samples()),
        Collections.unmodifiableMap(unread),
        dips.append(interval, rates),
        last.map(before -> ServedTimes.append(served, ServedTimes.between(before, next)))
            .orElse(served),
        nodes,
        Collections.unmodifiableMap(newMisses),
        cold.append(next));
  }

  /** The last counters that were read of a partition; null if there are none. */
  private CounterReading read(PartitionState before, PartitionId id) {
    return before != null && before.counters().isPresent()
        ? CounterReading.of(before, last.orElseThrow())
        : missed.get(id);
  }

  /** A snapshot with gaps may lack partitions altogether: those of a node that did not answer. */
  private void keepAbsent(ClusterSnapshot next, Map<PartitionId, CounterReading> unread) {
    for (PartitionState partition : last.orElseThrow().partitions()) {
      CounterReading earlier = read(partition, partition.id());
      if (earlier != null && next.partition(partition.id()).isEmpty()) {
        unread.put(partition.id(), earlier);
      }
    }
    missed.forEach(
        (id, earlier) -> {
          if (next.partition(id).isEmpty()) {
            unread.putIfAbsent(id, earlier);
          }
        });
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
}

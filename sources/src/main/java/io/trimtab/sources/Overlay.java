package io.trimtab.sources;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Lays what sources tell over a snapshot: of each value the first source in the order that knows it
 * counts. Stale readings are not known. Pure.
 */
final class Overlay {
  private final List<Told> order;
  private final Instant now;
  private final Duration stale;

  private Overlay(List<Told> order, Instant now, Duration stale) {
    this.order = order;
    this.now = now;
    this.stale = stale;
  }

  /**
   * @param order what each source tells, the native one among them
   * @param stale age from which a reading no longer counts
   */
  static ClusterSnapshot on(ClusterSnapshot seen, List<Told> order, Instant now, Duration stale) {
    Overlay overlay = new Overlay(order, now, stale);
    return seen.with(
        seen.nodes().stream().map(node -> node.alive() ? overlay.on(node) : node).toList(),
        seen.partitions(),
        seen.gaps());
  }

  private NodeState on(NodeState node) {
    NodeUsage usage = usage(node);
    NodeState told = node.with(usage, gauges(node));
    if (usage.known() || order.size() == 1) {
      return told;
    }
    Metric lacking = Double.isFinite(usage.cpu()) ? Metric.CPU_IO_WAIT : Metric.CPU_USER;
    List<String> missing =
        order.stream()
            .filter(source -> !source.isNative())
            .map(source -> source.lacks(node.id(), lacking, now))
            .toList();
    return told.with(node.read().lacking(missing));
  }

  private OptionalDouble value(Told source, NodeId node, Metric metric) {
    return source.fresh(node, metric, now, stale);
  }

  /** The first value of a metric in the order; the native one as given, NaN if it is unknown. */
  private double first(NodeId node, Metric metric, double ofNative) {
    for (Told source : order) {
      double value = source.isNative() ? ofNative : value(source, node, metric).orElse(Double.NaN);
      if (!Double.isNaN(value)) {
        return value;
      }
    }
    return Double.NaN;
  }

  /**
   * CPU and I/O wait of one source, if one has both: shares of a machine and of a process do not
   * add up. Otherwise each of the first that has it.
   */
  private NodeUsage usage(NodeState node) {
    NodeUsage own = node.usage();
    List<NodeUsage> all = new ArrayList<>();
    for (Told source : order) {
      all.add(source.isNative() ? own : of(source, node.id()));
    }
    NodeUsage cpu = all.stream().filter(u -> Double.isFinite(u.cpu())).findFirst().orElse(own);
    NodeUsage wait = all.stream().filter(u -> Double.isFinite(u.ioWait())).findFirst().orElse(own);
    NodeUsage whole = all.stream().filter(NodeUsage::known).findFirst().orElse(null);
    double cores = first(node.id(), Metric.CORES, own.limits().cores());
    double busy = first(node.id(), Metric.DISK_BUSY, own.diskBusy().orElse(Double.NaN));
    return new NodeUsage(
        (whole == null ? cpu : whole).cpuUser(),
        (whole == null ? cpu : whole).cpuSystem(),
        (whole == null ? wait : whole).ioWait(),
        first(node.id(), Metric.LOAD5, own.load5()),
        (whole == null ? wait : whole).waitSource(),
        Double.isNaN(own.limits().cores()) ? NodeLimits.ofCores(cores) : own.limits(),
        Double.isNaN(busy) ? OptionalDouble.empty() : OptionalDouble.of(busy));
  }

  /** Exporters tell of the entire machine. */
  private NodeUsage of(Told source, NodeId node) {
    return new NodeUsage(
        value(source, node, Metric.CPU_USER).orElse(Double.NaN),
        value(source, node, Metric.CPU_SYSTEM).orElse(Double.NaN),
        value(source, node, Metric.CPU_IO_WAIT).orElse(Double.NaN),
        Double.NaN,
        WaitSource.MACHINE);
  }

  private NodeGauges gauges(NodeState node) {
    NodeGauges own = node.gauges();
    NodeId id = node.id();
    double memory = first(id, Metric.MEMORY_USED, known(own.memoryUsedBytes()));
    double p99 = first(id, Metric.P99_MS, own.times().p99Ms());
    double requests = first(id, Metric.REQUESTS, Double.NaN);
    NodeGauges told =
        own.usingMemory(Double.isNaN(memory) ? -1 : (long) memory)
            .with(disk(id, own.disk()))
            .with(
                new RequestTimes(
                    own.times().requests(), p99, own.times().refused(), own.times().meanMs()));
    return Double.isNaN(requests) ? told : told.with(Metric.REQUESTS.key(), requests);
  }

  private static double known(long bytes) {
    return bytes < 0 ? Double.NaN : bytes;
  }

  /** Capacity and use of one source; what of it is the database's only the database tells. */
  private DiskSpace disk(NodeId node, DiskSpace own) {
    for (Told source : order) {
      if (source.isNative() && own.known()) {
        return own;
      }
      OptionalDouble size = value(source, node, Metric.DISK_SIZE);
      OptionalDouble free = value(source, node, Metric.DISK_FREE);
      if (size.isPresent() && free.isPresent() && free.getAsDouble() <= size.getAsDouble()) {
        long capacity = (long) size.getAsDouble();
        return new DiskSpace(capacity, capacity - (long) free.getAsDouble(), own.storedBytes());
      }
    }
    return own;
  }
}

package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.testkit.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Snapshots of a state, as an engine returns them. */
final class Snapshots {
  private static final String DATA_CENTRE = "dc1";

  private Snapshots() {}

  static ClusterSnapshot of(ClusterState state) {
    List<NodeState> nodes = new ArrayList<>();
    for (NodeModel node : state.nodes.values()) {
      if (node.member) {
        nodes.add(node(state, node));
      }
    }
    List<PartitionState> partitions = new ArrayList<>(state.partitions.size());
    for (PartitionModel p : state.every()) {
      boolean told = !state.ring() || (p.node.alive && p.node.member);
      if (told) {
        partitions.add(partition(state, p));
      }
    }
    return new ClusterSnapshot(
        state.now,
        "in-memory-" + state.spec.seed(),
        engine(state.spec),
        state.spec.ownership(),
        version(state.spec),
        state.spec.replication(),
        nodes,
        partitions,
        state.inTransition.size() + changing(state),
        state.coordinatorHealthy ? List.of() : List.of("the coordinator does not answer"),
        state.balancer,
        List.of(),
        // Virtual time does not jump.
        OptionalLong.of(Duration.between(VirtualClock.START, state.now).toNanos()),
        copies(state.spec));
  }

  private static String engine(ClusterSpec spec) {
    return spec.claims() ? "riak" : spec.ownership() == Ownership.TOKENS ? "cassandra" : "hbase";
  }

  private static String version(ClusterSpec spec) {
    return spec.claims() ? "3.2.0" : spec.ownership() == Ownership.TOKENS ? "5.0.9" : "2.6.4";
  }

  /** As Cassandra's adapter counts them: nodes that join a ring or leave it. */
  private static int changing(ClusterState state) {
    return state.ring()
        ? (int) state.nodes.values().stream().filter(NodeModel::changesRing).count()
        : 0;
  }

  private static Copies copies(ClusterSpec spec) {
    int copies = spec.replication();
    return spec.racks() == 1
        ? Copies.alike(copies)
        : new Copies(
            copies, copies, new TreeMap<>(Map.of(DATA_CENTRE, new Copies.Range(copies, copies))));
  }

  private static NodeState node(ClusterState state, NodeModel node) {
    long millis = state.now.toEpochMilli();
    NodeState known =
        new NodeState(
                node.id,
                node.incarnation,
                node.alive,
                node.draining,
                node.alive ? Optional.of(named(node.profile)) : Optional.empty(),
                state.spec.online(),
                node.alive ? usage(node, millis) : NodeUsage.UNKNOWN,
                node.alive ? gauges(state, node) : NodeGauges.UNKNOWN,
                node.alive ? node.settings : Map.of())
            .busyWith(node.work);
    return node.rack.isEmpty() ? known : known.in(DATA_CENTRE, node.rack);
  }

  private static Profile named(Profile profile) {
    return Profile.STANDARD.contains(profile)
        ? profile
        : new Profile(
            "CUSTOM",
            profile.cacheFraction(),
            profile.memstoreFraction(),
            profile.blockSizeBytes());
  }

  private static NodeUsage usage(NodeModel node, long millis) {
    double cpu = Math.min(1, node.cpu * UsageLaw.noise(node, millis, 1));
    double wait = Math.min(1 - cpu, node.ioWait * UsageLaw.noise(node, millis, 2));
    return new NodeUsage(0.8 * cpu, 0.2 * cpu, wait, node.load5, WaitSource.MACHINE);
  }

  private static NodeGauges gauges(ClusterState state, NodeModel node) {
    long heap = state.spec.heapBytes();
    return new NodeGauges(
            heap + (200 << 20),
            heap / 2,
            heap,
            (long) node.hits,
            (long) node.misses,
            (long) node.cacheUsed,
            (long) state.law.cacheBytes(node),
            0,
            (long) (node.profile.memstoreFraction() * heap),
            0,
            0,
            0,
            Map.of())
        .with(disk(state, node))
        .with(state.timesTold.apply(UsageLaw.times(node)));
  }

  private static DiskSpace disk(ClusterState state, NodeModel node) {
    if (state.diskBytes == 0) {
      return node.disk;
    }
    double stored = 0;
    for (PartitionModel p : node.serves()) {
      stored += p.bytes;
    }
    return new DiskSpace(state.diskBytes, (long) stored, (long) stored);
  }

  private static PartitionState partition(ClusterState state, PartitionModel p) {
    return new PartitionState(
        p.id,
        p.node == null || state.moving(p) ? Optional.empty() : p.node.some,
        new PartitionCounters((long) p.reads, (long) p.scans, (long) p.rows, (long) p.writes),
        (long) p.bytes,
        p.locality,
        // What the table asks for; its files get it by compaction.
        p.table.blockBytes,
        p.range);
  }

  /**
   * As if the node had not answered: no figures of it, no counters of its partitions, and a
   * sentence.
   */
  static ClusterSnapshot withGap(ClusterSnapshot whole, NodeId node) {
    List<PartitionState> partitions = new ArrayList<>();
    for (PartitionState p : whole.partitions()) {
      boolean unread = p.node().filter(node::equals).isPresent();
      if (!unread) {
        partitions.add(p);
      } else if (whole.ownership() == Ownership.ASSIGNED) {
        partitions.add(uncounted(p));
      }
    }
    String gap = "node " + node + " does not answer: scripted fault";
    return whole.with(
        nodes(whole, node, n -> n.alive() ? unread(n, gap) : n), partitions, List.of(gap));
  }

  private static NodeState unread(NodeState node, String gap) {
    return new NodeState(
            node.id(),
            node.incarnation(),
            true,
            node.draining(),
            Optional.empty(),
            node.onlineProfile(),
            NodeUsage.UNKNOWN,
            NodeGauges.UNKNOWN,
            Map.of(),
            node.dataCentre(),
            node.rack())
        .with(NodeRead.failed(gap));
  }

  /** The master knows a region, only its server knows its counters. */
  private static PartitionState uncounted(PartitionState p) {
    return new PartitionState(
        p.id(),
        p.node(),
        Optional.empty(),
        p.sizeBytes(),
        p.locality(),
        p.blockSizeBytes(),
        p.range());
  }

  static ClusterSnapshot withoutUsage(ClusterSnapshot whole, NodeId node) {
    return whole.with(
        nodes(whole, node, n -> n.with(NodeUsage.UNKNOWN, n.gauges())),
        whole.partitions(),
        List.of());
  }

  private static List<NodeState> nodes(
      ClusterSnapshot whole, NodeId node, UnaryOperator<NodeState> change) {
    return whole.nodes().stream().map(n -> n.id().equals(node) ? change.apply(n) : n).toList();
  }
}

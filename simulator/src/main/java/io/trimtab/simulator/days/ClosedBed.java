package io.trimtab.simulator.days;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.law.RequestCosts;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.ClosedClients;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Tenants whose clients wait for their answers, on equal nodes of HBase as the lab has them, under
 * one load after another. A model of such a cluster: see {@link ClosedClients} and {@link
 * #costs(double)}.
 *
 * @param nodes &gt; 0, homogeneous at the start
 * @param heapBytes of a node, &gt; 0
 * @param readsPerSecond from disk that a node may do, &gt; 0
 * @param tenants each has a table of its own
 * @param phases one after another; in the first one nobody acts
 */
public record ClosedBed(
    int nodes, long heapBytes, double readsPerSecond, List<Tenant> tenants, List<Phase> phases) {

  /**
   * A tenant's table.
   *
   * @param bytes in store files, &gt; 0
   * @param rowBytes &gt; 0
   * @param blockBytes &gt; 0
   * @param placement node of each of its partitions at the start, in the order of keys, in [0,
   *     nodes)
   */
  public record Tenant(
      String table, long bytes, int rowBytes, int blockBytes, List<Integer> placement) {
    public Tenant {
      placement = List.copyOf(placement);
    }
  }

  /**
   * What a tenant's clients do.
   *
   * @param clients each of which waits for its answer, ≥ 1
   * @param reads of an operation, on average; ≥ 0 as the following ones
   * @param scans of an operation
   * @param rowsPerScan of a scan
   * @param writes of an operation
   * @param elsewhereSeconds that an operation takes elsewhere than on its nodes' CPUs and disks
   * @param mostPerSecond operations of all clients together; infinite where nothing limits them
   * @param lowestKeys share of the keys, the lowest ones, in (0, 1)
   * @param theirRequests share of the requests that go to these, in [0, 1]
   */
  public record Load(
      int clients,
      double reads,
      double scans,
      double rowsPerScan,
      double writes,
      double elsewhereSeconds,
      double mostPerSecond,
      double lowestKeys,
      double theirRequests) {

    private LoadScript script() {
      Access operation = new Access(reads, scans, rowsPerScan, writes);
      return LoadScript.closed(
          new ClosedClients(clients, operation, elsewhereSeconds, mostPerSecond));
    }

    private KeyDistribution keys() {
      return KeyDistribution.lowest(lowestKeys, theirRequests);
    }
  }

  /**
   * A load.
   *
   * @param time for which it lasts
   * @param loads by table, of all tables
   */
  public record Phase(String title, Duration time, Map<String, Load> loads) {
    public Phase {
      loads = Map.copyOf(loads);
    }
  }

  public ClosedBed {
    tenants = List.copyOf(tenants);
    phases = List.copyOf(phases);
    if (phases.size() < 2) {
      throw new IllegalArgumentException("a phase in which nobody acts, and one more, are needed");
    }
    for (Phase phase : phases) {
      if (tenants.stream().anyMatch(tenant -> !phase.loads().containsKey(tenant.table()))) {
        throw new IllegalArgumentException("phase " + phase.title() + " has not all tables' load");
      }
    }
    for (Tenant tenant : tenants) {
      if (tenant.placement().stream().anyMatch(node -> node < 0 || node >= nodes)) {
        throw new IllegalArgumentException("table " + tenant.table() + " is on no such node");
      }
    }
  }

  /**
   * What requests take of a node of 0.35 cores, in seconds of that node. Measured on HBase: 0.34 ms
   * for a read and 1 ms for an update on a node that is used to a half, 0.2 and 0.4 ms on a full
   * one. Assumed: a scan takes a read and its rows, of which fifty cost as much as one more read; a
   * missed block takes 60 µs of CPU; half of an update is its rewriting by later compactions, which
   * are not limited by the disk.
   */
  static RequestCosts costs(double readsPerSecond) {
    double read = 0.34e-3;
    double update = 1e-3;
    return new RequestCosts(
        read,
        60e-6,
        update,
        read,
        read / 50,
        1 / readsPerSecond,
        Double.POSITIVE_INFINITY,
        0.2e-3 / read,
        0.4e-3 / update,
        0.5);
  }

  /** The cluster without its placement. */
  ClusterSpec spec(long seed) {
    TableSpec[] tables = tenants.stream().map(this::table).toArray(TableSpec[]::new);
    return ClusterSpec.assigned(seed, nodes, tables)
        .withSpare(0)
        .withHeap(heapBytes)
        .withCosts(costs(readsPerSecond));
  }

  private TableSpec table(Tenant tenant) {
    NavigableMap<Duration, LoadScript> scripts = new TreeMap<>();
    NavigableMap<Duration, KeyDistribution> keys = new TreeMap<>();
    Duration begins = Duration.ZERO;
    Load before = null;
    for (Phase phase : phases) {
      Load load = phase.loads().get(tenant.table());
      if (!load.equals(before)) {
        scripts.put(begins, load.script());
        keys.put(begins, load.keys());
      }
      before = load;
      begins = begins.plus(phase.time());
    }
    return new TableSpec(
        tenant.table(),
        tenant.placement().size(),
        tenant.bytes(),
        tenant.rowBytes(),
        tenant.blockBytes(),
        0,
        KeyDistribution.from(keys),
        LoadScript.from(scripts));
  }

  /** Places the partitions of a cluster of {@link #spec}. */
  void place(InMemoryCluster cluster) {
    ClusterSnapshot made = cluster.truth();
    List<NodeId> ids = made.nodes().stream().map(node -> node.id()).toList();
    for (Tenant tenant : tenants) {
      // Partitions of a new table are named in the order of their keys.
      List<PartitionId> partitions =
          made.partitions().stream()
              .map(PartitionState::id)
              .filter(id -> id.table().equals(tenant.table()))
              .sorted()
              .toList();
      for (int i = 0; i < partitions.size(); i++) {
        cluster.place(partitions.get(i), ids.get(tenant.placement().get(i)));
      }
    }
  }
}

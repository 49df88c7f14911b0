package io.trimtab.hbase;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.ReadTime;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.hbase.hdfs.DataNodes;
import io.trimtab.hbase.pages.RefusedPageException;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionStatesCount;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots. Where regions are comes from hbase:meta, because the servers' reports to the
 * master lag behind moves by some seconds; what can't be read becomes a gap, and the rest is still
 * told.
 */
final class HBaseSnapshots implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseSnapshots.class);

  /** A node that does not answer within this is a gap; the others are not kept waiting longer. */
  private static final long NODES_LIMIT_S = 15;

  /** The first usage of a node takes a second of waiting: of sixty nodes, two seconds in all. */
  private static final int READERS = 32;

  private static final String UNASKED = "no node is asked while the master does not answer";

  /** Tells which servers live, whether there is a master or not. */
  @FunctionalInterface
  interface Living {
    List<ServerName> list() throws EngineException;
  }

  private final Cluster cluster;
  private volatile ClusterFacts facts;
  private final DrainedServers drained;
  private final Living living;
  private final RegionServerReader nodes;
  private final HdfsHealth hdfs;
  private final LongSupplier uptimeNs;
  private final ExecutorService readers =
      Executors.newFixedThreadPool(
          READERS,
          work -> {
            Thread thread = new Thread(work, "trimtab-hbase-reader");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param uptimeNs a clock that does not jump and counts the time of a suspended machine
   */
  HBaseSnapshots(
      Cluster cluster,
      ClusterFacts facts,
      PluginClient plugin,
      DrainedServers drained,
      Living living,
      LongSupplier uptimeNs) {
    this.uptimeNs = uptimeNs;
    this.cluster = cluster;
    this.facts = facts;
    this.drained = drained;
    this.living = living;
    this.nodes = new RegionServerReader(cluster.jmx(), plugin, cluster.clocks());
    this.hdfs = new HdfsHealth(cluster.jmx(), this::facts);
  }

  /** As they are known by now. */
  ClusterFacts facts() {
    return facts;
  }

  /** Whether a server could not be read when it was looked at last. */
  boolean silent(ServerName server) {
    return nodes.silent(server);
  }

  /** What the master and hbase:meta say. */
  private record Frame(
      ClusterMetrics metrics,
      List<TableDescriptor> tables,
      List<ServerName> draining,
      BalancerState balancer,
      List<HRegionLocation> regions,
      List<String> blockers) {}

  /**
   * Takes one.
   *
   * @param since readings since which usage is computed; empty for a snapshot without usage
   */
  ClusterSnapshot read(Optional<UsageReadings> since) throws EngineException {
    ReadTime asked = now();
    Frame frame;
    try {
      frame = frame();
    } catch (IOException e) {
      if (Interrupts.in(e) || e instanceof RefusedPageException) {
        throw HBaseErrors.failed("taking a snapshot", e);
      }
      List<String> gaps = new ArrayList<>();
      gaps.add("the master does not answer, or is initialising: " + HBaseErrors.line(e));
      List<String> blockers = List.copyOf(gaps);
      BalancerState paused = BalancerState.PAUSED;
      return snapshot(asked, unasked(gaps), List.of(), 0, blockers, paused, gaps, List.of());
    }
    List<String> gaps = new ArrayList<>();
    facts = facts.again(cluster);
    if (!facts.settingsRead()) {
      gaps.add("the master does not tell its settings: copies and NameNode are not known");
    }
    // Rates are differences of counters by differences of this time. Usage of a node that is new
    // takes a second longer, after its counters were read.
    ReadTime counted = now();
    Future<DataNodes> asking = readers.submit(hdfs::dataNodes);
    Map<ServerName, String> failures = new TreeMap<>();
    Map<ServerName, RegionServerReader.MetricsSample> samples =
        readNodes(frame.metrics().getLiveServerMetrics(), since, failures);
    gaps.addAll(failures.values());
    DataNodes disks = disks(asking, gaps);
    List<PartitionState> partitions =
        RegionStates.of(frame.metrics(), frame.tables(), frame.regions(), samples, gaps);
    List<NodeState> states = new ArrayList<>();
    frame
        .metrics()
        .getLiveServerMetrics()
        .forEach(
            (server, told) ->
                states.add(
                    live(server, samples.get(server), frame.draining(), partitions, disks)
                        .busyWith(RegionStates.maintenance(told))
                        .with(read(failures.get(server)))));
    states.addAll(dead(frame));
    states.sort(Comparator.comparing(NodeState::id));
    int transitions = frame.metrics().getRegionStatesInTransition().size();
    // By its wall time a snapshot is as old as the first of its answers.
    ReadTime read = new ReadTime(asked.wall(), counted.ns());
    return snapshot(
        read,
        states,
        partitions,
        transitions,
        frame.blockers(),
        frame.balancer(),
        gaps,
        frame.tables());
  }

  private ReadTime now() {
    return new ReadTime(cluster.clocks().wall().instant(), OptionalLong.of(uptimeNs.getAsLong()));
  }

  private ClusterSnapshot snapshot(
      ReadTime read,
      List<NodeState> states,
      List<PartitionState> partitions,
      int inTransition,
      List<String> blockers,
      BalancerState balancer,
      List<String> gaps,
      List<TableDescriptor> tables) {
    int fewest = RegionStates.fewestNodes(tables, facts.replication());
    return new ClusterSnapshot(
            read.wall(),
            facts.clusterId(),
            "hbase",
            Ownership.ASSIGNED,
            facts.version(),
            fewest,
            states,
            partitions,
            inTransition,
            blockers,
            balancer,
            gaps,
            read.ns(),
            // HDFS keeps copies of blocks, on whichever nodes it likes.
            new Copies(facts.replication(), fewest, Collections.emptySortedMap()))
        .withFixed(RegionStates.fixed(tables));
  }

  private Frame frame() throws IOException {
    ClusterMetrics metrics =
        cluster
            .admin()
            .getClusterMetrics(
                EnumSet.of(
                    Option.LIVE_SERVERS,
                    Option.DEAD_SERVERS,
                    Option.REGIONS_IN_TRANSITION,
                    Option.TABLE_TO_REGIONS_COUNT));
    List<TableDescriptor> tables = cluster.admin().listTableDescriptors();
    List<HRegionLocation> regions = new ArrayList<>();
    for (TableDescriptor table : tables) {
      if (!disabled(metrics.getTableRegionStatesCount().get(table.getTableName()))) {
        regions.addAll(cluster.locations(table.getTableName()));
      }
    }
    return new Frame(
        metrics,
        tables,
        cluster.draining(),
        new BalancerState(
            cluster.admin().isBalancerEnabled(), cluster.admin().isNormalizerEnabled()),
        regions,
        RegionStates.blockers(
            facts.serverGroups() || cluster.admin().tableExists(RegionStates.GROUPS)));
  }

  /**
   * HBase's master counts no region of a table that is disabled, or is about to be: hbase:meta says
   * of them where they were last. The only region of another table may be closed while it moves.
   */
  private static boolean disabled(RegionStatesCount count) {
    return count != null && count.getTotalRegions() == 0;
  }

  private static NodeRead read(String failure) {
    return failure == null ? NodeRead.WHOLE : NodeRead.failed(failure);
  }

  private Map<ServerName, RegionServerReader.MetricsSample> readNodes(
      Map<ServerName, ServerMetrics> live,
      Optional<UsageReadings> since,
      Map<ServerName, String> failures)
      throws EngineException {
    nodes.keep(live.keySet());
    since.ifPresent(held -> held.keep(live.keySet().stream().map(Cluster::node).toList()));
    List<ServerName> servers = List.copyOf(live.keySet());
    List<Callable<RegionServerReader.MetricsSample>> work = new ArrayList<>();
    for (ServerName server : servers) {
      work.add(() -> nodes.read(server, live.get(server).getInfoServerPort(), since));
    }
    Map<ServerName, RegionServerReader.MetricsSample> samples = new HashMap<>();
    try {
      List<Future<RegionServerReader.MetricsSample>> done =
          readers.invokeAll(work, NODES_LIMIT_S, TimeUnit.SECONDS);
      for (int i = 0; i < done.size(); i++) {
        ServerName server = servers.get(i);
        try {
          samples.put(server, done.get(i).get());
        } catch (CancellationException e) {
          nodes.gaveUp(server);
          failures.put(
              server,
              "node " + Cluster.node(server) + " has not answered in " + NODES_LIMIT_S + " s");
        } catch (ExecutionException e) {
          String cause = HBaseErrors.line(e.getCause());
          failures.put(server, "node " + Cluster.node(server) + " can't be read: " + cause);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("taking a snapshot: interrupted", e);
    }
    return samples;
  }

  /** A slow NameNode is no reason to wait longer than for a node. */
  private DataNodes disks(Future<DataNodes> asked, List<String> gaps) throws EngineException {
    try {
      return asked.get(NODES_LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      asked.cancel(true);
      LOG.debug("HDFS does not tell how full its disks are", e);
      if (hdfs.mustAnswer()) {
        gaps.add(
            "HDFS does not tell how full its disks are: "
                + (e instanceof TimeoutException
                    ? "no answer in " + NODES_LIMIT_S + " s"
                    : HBaseErrors.line(e.getCause())));
      }
      return DataNodes.NONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("taking a snapshot: interrupted", e);
    }
  }

  private static NodeState live(
      ServerName server,
      RegionServerReader.MetricsSample sample,
      Collection<ServerName> draining,
      List<PartitionState> partitions,
      DataNodes disks) {
    NodeId id = Cluster.node(server);
    return new NodeState(
        id,
        server.getStartcode(),
        true,
        draining.contains(server),
        sample == null
            ? Optional.empty()
            : profile(sample, RegionStates.blockSizeOf(id, partitions)),
        sample != null && sample.online(),
        sample == null ? NodeUsage.UNKNOWN : sample.usage(),
        (sample == null ? NodeGauges.UNKNOWN : sample.gauges())
            .with(disks.on(server.getHostname())));
  }

  /** How the heap is split: of a bucket cache it has only what is cached beside data blocks. */
  private static Optional<Profile> profile(
      RegionServerReader.MetricsSample sample, int blockSizeBytes) {
    double heap = sample.gauges().heapMaxBytes();
    return heap <= 0
        ? Optional.empty()
        : MeasuredProfile.of(
            sample.heapCacheMaxBytes() / heap,
            sample.gauges().memstoreMaxBytes() / heap,
            blockSizeBytes);
  }

  private List<NodeState> dead(Frame frame) throws EngineException {
    ClusterMetrics metrics = frame.metrics();
    return drained
        .broken(
            metrics.getLiveServerMetrics().keySet(), frame.draining(), metrics.getDeadServerNames())
        .stream()
        .map(server -> unread(server, false))
        .toList();
  }

  /** Servers that serve without a master: without them the cluster would look like none. */
  private List<NodeState> unasked(List<String> gaps) throws EngineException {
    List<ServerName> servers = living.list();
    if (!servers.isEmpty()) {
      gaps.add(UNASKED);
    }
    return servers.stream()
        .map(server -> unread(server, true).with(NodeRead.failed(UNASKED)))
        .sorted(Comparator.comparing(NodeState::id))
        .toList();
  }

  private static NodeState unread(ServerName server, boolean alive) {
    return new NodeState(
        Cluster.node(server),
        server.getStartcode(),
        alive,
        false,
        Optional.empty(),
        false,
        NodeUsage.UNKNOWN,
        NodeGauges.UNKNOWN);
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}

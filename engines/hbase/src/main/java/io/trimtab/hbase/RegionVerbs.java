package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.host.InCharge;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done to regions and tables. */
final class RegionVerbs {
  private static final Logger LOG = LoggerFactory.getLogger(RegionVerbs.class);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration COMPACTION_PAUSE = Duration.ofMillis(500);

  /** Of a server that compacts nothing of a region for so long after the request for it. */
  private static final Duration DROPPED = Duration.ofSeconds(5);

  private final Cluster cluster;
  private final WarmMove warmMove;

  RegionVerbs(Cluster cluster, PluginClient plugin) {
    this.cluster = cluster;
    this.warmMove = new WarmMove(plugin, cluster.clocks());
  }

  void move(PartitionId partition, NodeId to, Duration limit, InCharge control)
      throws EngineException {
    String what = "moving " + partition + " to " + to;
    RegionInfo[] region = new RegionInfo[1];
    // Known once the move was prepared.
    Runnable[] afterwards = new Runnable[1];
    HBaseErrors.RETRY
        .under(control)
        .until(
            what,
            limit,
            PAUSE,
            () -> {
              if (region[0] == null) {
                region[0] = cluster.region(partition);
              }
              ServerName target = cluster.live(to);
              if (cluster.location(region[0]).filter(target::equals).isPresent()) {
                serves(region[0]);
                if (afterwards[0] != null) {
                  afterwards[0].run();
                }
                return true;
              }
              if (cluster.draining().contains(target)) {
                // HBase would not say so, and would do nothing.
                throw new EngineException(what + ": the node is closed for new regions (draining)");
              }
              if (cluster.hasReplica(region[0], target)) {
                throw new EngineException(what + ": the node has another replica of the region");
              }
              Optional<ServerName> from = cluster.location(region[0]);
              if (from.isPresent() && afterwards[0] == null) {
                afterwards[0] = warmMove.prepare(partition.name(), from.get(), target, control);
              }
              if (Thread.currentThread().isInterrupted()) {
                // Warming takes a while, in which a stop may have come.
                throw new InterruptedIOException("interrupted");
              }
              control.require();
              // Returns when the region is open there; a repeated call does not start a second
              // move.
              cluster.changes().move(region[0].getEncodedNameAsBytes(), target);
              return false;
            });
  }

  /**
   * Moves HBase's own regions, which no plan places, off a server that is to be emptied: while
   * hbase:meta is nowhere, nobody finds a region that it has not asked for before.
   *
   * @throws IOException naming those that were there, or are on their way, for another look
   * @throws EngineException if no other server takes regions
   */
  void moveHBasesOwn(ServerName server, InCharge control) throws IOException, EngineException {
    List<RegionInfo> own = ownRegions(server);
    if (own.isEmpty()) {
      requireNoneOnItsWay();
      return;
    }
    Map<ServerName, List<RegionInfo>> takers = takers(server);
    for (RegionInfo region : own) {
      ServerName to =
          takers.entrySet().stream()
              .filter(other -> other.getValue().stream().noneMatch(r -> replicas(r, region)))
              .min(Comparator.comparingInt(other -> other.getValue().size()))
              .map(Map.Entry::getKey)
              .orElseThrow(
                  () ->
                      new EngineException(
                          "no other RegionServer takes HBase's own %s from %s"
                              .formatted(region.getTable(), Cluster.node(server))));
      control.require();
      cluster.changes().move(region.getEncodedNameAsBytes(), to);
      takers.get(to).add(region);
    }
    throw new IOException("it still served " + tables(own));
  }

  /** One that was moved and is not open yet is on no server. */
  private void requireNoneOnItsWay() throws IOException {
    List<RegionInfo> moving =
        cluster
            .admin()
            .getClusterMetrics(EnumSet.of(Option.REGIONS_IN_TRANSITION))
            .getRegionStatesInTransition()
            .stream()
            .map(state -> state.getRegion())
            .filter(region -> region.getTable().isSystemTable())
            .toList();
    if (!moving.isEmpty()) {
      throw new IOException("a region is not open yet of " + tables(moving));
    }
  }

  private static String tables(List<RegionInfo> regions) {
    return regions.stream()
        .map(region -> region.getTable().getNameAsString())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private List<RegionInfo> ownRegions(ServerName server) throws IOException {
    return cluster.admin().getRegions(server).stream()
        .filter(region -> region.getTable().isSystemTable())
        .toList();
  }

  /** Other servers that answer and are open for regions, each with what it has of HBase's own. */
  private Map<ServerName, List<RegionInfo>> takers(ServerName leaves) throws IOException {
    List<ServerName> draining = cluster.draining();
    Map<ServerName, List<RegionInfo>> takers = new TreeMap<>();
    for (ServerName other : cluster.admin().getRegionServers()) {
      if (other.equals(leaves) || draining.contains(other)) {
        continue;
      }
      try {
        takers.put(other, new ArrayList<>(ownRegions(other)));
      } catch (IOException e) {
        if (Interrupts.in(e)) {
          throw e;
        }
        LOG.warn("{} does not answer, and gets none of HBase's own regions", other, e);
      }
    }
    return takers;
  }

  private static boolean replicas(RegionInfo one, RegionInfo other) {
    return one.getTable().equals(other.getTable())
        && Arrays.equals(one.getStartKey(), other.getStartKey());
  }

  /**
   * Reads a row of the region; its content is ignored. A server that refuses this user serves the
   * region: it asks for permissions when the region is open, and no READ on tables is needed here.
   */
  private void serves(RegionInfo region) throws IOException {
    byte[] start = region.getStartKey();
    byte[] row = start.length == 0 ? new byte[] {0} : start;
    if (!region.containsRow(row)) {
      return;
    }
    try (Table table = cluster.connection().getTable(region.getTable())) {
      table.exists(new Get(row));
    } catch (AccessDeniedException e) {
      LOG.debug("{} is open: its server refuses to read from it", region, e);
    }
  }

  void compact(PartitionId partition, Duration limit, InCharge control) throws EngineException {
    Compaction compaction = new Compaction(partition, control);
    HBaseErrors.RETRY
        .under(control)
        .until("compacting " + partition, limit, COMPACTION_PAUSE, compaction::done);
  }

  /**
   * Follows a major compaction. HBase does not report the end of a requested one; but each file
   * that it writes carries the time of its making, and the oldest of those times tells whether all
   * of the region was rewritten. A server that has a compaction of some of the files under way, as
   * after a flush, drops the request without a word: it is asked again.
   */
  private final class Compaction {
    private final PartitionId partition;
    private final InCharge control;
    private RegionInfo region;
    private ServerName askedOf;
    private long rewrittenBefore;
    private long idleSinceNs;

    Compaction(PartitionId partition, InCharge control) {
      this.partition = partition;
      this.control = control;
    }

    boolean done() throws IOException, EngineException {
      Admin admin = cluster.admin();
      if (region == null) {
        // A server takes a request of anybody, and drops it without a word to who may not compact.
        // HBase shows a table's description to the same users.
        TableDescriptor unused = admin.getDescriptor(Cluster.table(partition));
        region = cluster.region(partition);
      }
      Optional<ServerName> server = cluster.location(region);
      // Before the files are looked at, so that one that ends in between does not look like none.
      boolean asked = server.filter(at -> at.equals(askedOf)).isPresent();
      if (asked
          && admin.getCompactionStateForRegion(region.getRegionName()) != CompactionState.NONE) {
        idleSinceNs = cluster.clocks().nowNs();
        return false;
      }
      Optional<RegionMetrics> metrics = metrics(server);
      if (metrics.isEmpty()) {
        return false;
      }
      if (metrics.get().getStoreFileCount() == 0) {
        return true;
      }
      long rewritten = metrics.get().getLastMajorCompactionTimestamp();
      if (!asked) {
        // Also after a move or a crash, which ends a compaction.
        rewrittenBefore = rewritten;
        request();
        askedOf = server.get();
        return false;
      }
      if (rewritten != rewrittenBefore) {
        return true;
      }
      if (cluster.clocks().nowNs() - idleSinceNs > DROPPED.toNanos()) {
        request();
      }
      return false;
    }

    private void request() throws IOException, EngineException {
      control.require();
      cluster.changes().majorCompactRegion(region.getRegionName());
      idleSinceNs = cluster.clocks().nowNs();
    }

    /** Of the server itself: the master's figures are some seconds old. */
    private Optional<RegionMetrics> metrics(Optional<ServerName> server) throws IOException {
      return server.isEmpty()
          ? Optional.empty()
          : cluster.admin().getRegionMetrics(server.get(), region.getTable()).stream()
              .filter(m -> Arrays.equals(m.getRegionName(), region.getRegionName()))
              .findFirst();
    }
  }
}

package io.trimtab.lab.provider;

import io.trimtab.config.UserError;
import io.trimtab.hbase.security.KerberosLogin;
import io.trimtab.lab.cluster.LabBoot;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.process.Processes;
import io.trimtab.lab.setup.HBaseKeys;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;

/** Takes a DataNode out of HDFS once every block that it holds has its copies elsewhere. */
final class Decommission {
  private static final long POLL_MS = 300;
  private static final int REPLICATION = 2;

  private final LabDir dir;
  private final LabState state;

  Decommission(LabDir dir, LabState state) {
    this.dir = dir;
    this.state = state;
  }

  /** HDFS can't keep its copies on fewer nodes than there are copies. */
  void check(LabState.Node node) {
    if (state.nodes().size() <= REPLICATION) {
      throw new UserError(
          "node "
              + node.name()
              + " can't be removed: HDFS keeps "
              + REPLICATION
              + " copies and needs at least as many nodes");
    }
  }

  /** Returns when the DataNode may stop; on failure it is in service again. */
  void run(LabState.Node node, Duration limit) {
    Configuration conf = new Configuration(false);
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      conf.addResource(new org.apache.hadoop.fs.Path(dir.conf(LabBoot.NAMENODE) + "/" + file));
    }
    // The nodes' own patience is for starting up; here a dead node is simply dead.
    conf.setInt("ipc.client.connect.max.retries", 3);
    if (!state.config().secure()) {
      run(node, limit, conf);
      return;
    }
    try (KerberosLogin superuser = KerberosLogin.open(new HBaseKeys(dir, state).hdfsUser(), conf)) {
      superuser
          .user()
          .doAs(
              (PrivilegedAction<Void>)
                  () -> {
                    run(node, limit, conf);
                    return null;
                  });
    } catch (IOException e) {
      throw new UserError("Kerberos: " + firstLine(e), e);
    }
  }

  private void run(LabState.Node node, Duration limit, Configuration conf) {
    LabSlot slot = state.addresses();
    String address = slot.node(node.index()) + ":" + slot.dataNodePort();
    URI uri = URI.create("hdfs://" + slot.coordinator() + ":" + slot.nameNodePort());
    long end = System.nanoTime() + limit.toNanos();
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      DistributedFileSystem hdfs = (DistributedFileSystem) fs;
      awaitHealth(hdfs, System.nanoTime() + limit.toNanos() / 2);
      try {
        exclude(hdfs, address, true);
        while (!decommissioned(hdfs, address)) {
          if (System.nanoTime() > end) {
            throw new UserError(
                "node %s was not removed: its blocks were not copied within %d s"
                    .formatted(node.name(), limit.toSeconds()));
          }
          Processes.sleep(POLL_MS);
        }
      } catch (IOException | UserError e) {
        Optional<String> stays = backInService(hdfs, address);
        if (stays.isPresent()) {
          throw new UserError(firstLine(e) + "; its DataNode stays excluded: " + stays.get(), e);
        }
        throw e;
      }
    } catch (IOException e) {
      throw new UserError("HDFS at " + uri + ": " + firstLine(e), e);
    }
  }

  /**
   * Waits until every block has its copies and no outdated one is left. A node that was killed
   * comes back with outdated copies, which HDFS drops only on a full report and only while it has
   * enough good ones. Where the node that leaves holds a good one and no third node can take it, it
   * would wait for ever; so this is done before it starts to leave.
   */
  private void awaitHealth(DistributedFileSystem hdfs, long end) throws IOException {
    long askedAt = Time.monotonicNow();
    Set<String> asked = new HashSet<>();
    for (LabState.Node node : state.nodes()) {
      if (askForReport(hdfs, state.addresses().node(node.index()))) {
        asked.add(state.addresses().node(node.index()));
      }
    }
    while (System.nanoTime() < end) {
      boolean reported = true;
      for (DatanodeInfo info : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
        reported &=
            !asked.contains(info.getIpAddr()) || info.getLastBlockReportMonotonic() >= askedAt;
      }
      if (reported
          && hdfs.getLowRedundancyBlocksCount() == 0
          && hdfs.getCorruptBlocksCount() == 0
          && hdfs.getPendingDeletionBlocksCount() == 0) {
        return;
      }
      Processes.sleep(POLL_MS);
    }
  }

  /** Whether the DataNode will send one; a dead one has nothing to report. */
  private boolean askForReport(DistributedFileSystem hdfs, String host) throws IOException {
    ClientDatanodeProtocol dataNode =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            new InetSocketAddress(host, state.addresses().dataNodeIpcPort()),
            UserGroupInformation.getCurrentUser(),
            hdfs.getConf(),
            NetUtils.getDefaultSocketFactory(hdfs.getConf()));
    try {
      dataNode.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
      return true;
    } catch (ConnectException e) {
      return false;
    } finally {
      RPC.stopProxy(dataNode);
    }
  }

  private void exclude(DistributedFileSystem hdfs, String address, boolean leaves)
      throws IOException {
    Set<String> excluded = new TreeSet<>(Files.readAllLines(dir.excludes()));
    if (leaves ? excluded.add(address) : excluded.remove(address)) {
      Files.write(dir.excludes(), excluded);
    }
    hdfs.refreshNodes();
  }

  /** Why it is not, if it is not. */
  private Optional<String> backInService(DistributedFileSystem hdfs, String address) {
    // What interrupted the removal must not interrupt this as well.
    boolean interrupted = Thread.interrupted();
    try {
      exclude(hdfs, address, false);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(firstLine(e));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
  }

  private static boolean decommissioned(DistributedFileSystem hdfs, String address)
      throws IOException {
    for (DatanodeInfo info : hdfs.getDataNodeStats()) {
      if (info.getXferAddr().equals(address)) {
        return info.isDecommissioned();
      }
    }
    return false;
  }
}

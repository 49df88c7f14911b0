package io.trimtab.lab.cluster;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

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

  void run(LabState.Node node, Duration limit) {
    if (state.nodes().size() <= REPLICATION) {
      throw new UserError(
          "node "
              + node.name()
              + " can't leave: HDFS keeps "
              + REPLICATION
              + " copies and needs as many nodes");
    }
    Slot slot = state.addresses();
    String address = slot.node(node.index()) + ":" + slot.dataNodePort();
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(dir.conf(LabBoot.NAMENODE) + "/core-site.xml"));
    URI uri = URI.create("hdfs://" + slot.coordinator() + ":" + slot.nameNodePort());
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      DistributedFileSystem hdfs = (DistributedFileSystem) fs;
      Files.writeString(
          dir.excludes(), address + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      hdfs.refreshNodes();
      long end = System.nanoTime() + limit.toNanos();
      while (!decommissioned(hdfs, address)) {
        if (System.nanoTime() > end) {
          throw new UserError(
              "node "
                  + node.name()
                  + ": its blocks were not copied in "
                  + limit.toSeconds()
                  + " s");
        }
        Processes.sleep(POLL_MS);
      }
    } catch (IOException e) {
      throw new UserError("HDFS at " + uri + ": " + firstLine(e), e);
    }
  }

  private static String firstLine(IOException e) {
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

package io.trimtab.cli;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.zookeeper.ZooKeeperControl;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** HBase clusters, by their ZooKeeper. */
@Command
final class HBaseNaming implements ClusterNaming {
  @Option(
      names = "--zookeeper",
      paramLabel = "QUORUM",
      description = "ZooKeeper quorum of an HBase cluster: host[,host…][:port].")
  private String zookeeper;

  @Override
  public String option() {
    return "--zookeeper";
  }

  @Override
  public boolean given() {
    return zookeeper != null;
  }

  @Override
  public ClusterHandle cluster() {
    HBaseContact target = HBaseContact.of(zookeeper);
    return new ClusterHandle() {
      @Override
      public String label() {
        return zookeeper;
      }

      @Override
      public Engine connect() throws EngineException {
        return HBaseEngine.connect(target.client());
      }

      @Override
      public ControlAccess control() throws EngineException {
        return ZooKeeperControl.connect(target);
      }

      @Override
      public String nodeWord() {
        return "RegionServer";
      }

      @Override
      public Map<String, String> settingsOf(Profile profile) {
        return Map.of(
            "hfile.block.cache.size",
            String.valueOf(profile.cacheFraction()),
            "hbase.regionserver.global.memstore.size",
            String.valueOf(profile.memstoreFraction()));
      }

      @Override
      public ClusterAddress address() {
        return new ClusterAddress.HBase(target.client());
      }
    };
  }
}

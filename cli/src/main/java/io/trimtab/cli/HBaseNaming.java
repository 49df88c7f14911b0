package io.trimtab.cli;

import io.trimtab.cli.connect.HBaseHandle;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.hbase.HBaseContact;
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
    return new HBaseHandle(zookeeper, HBaseContact.of(zookeeper));
  }
}

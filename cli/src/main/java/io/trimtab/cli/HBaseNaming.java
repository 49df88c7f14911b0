package io.trimtab.cli;

import io.trimtab.cli.connect.ConnectionFlags;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import picocli.CommandLine.Model.CommandSpec;

/** HBase clusters, by their ZooKeeper or by the files that HBase's clients have. */
final class HBaseNaming implements ClusterNaming {
  private final ConnectionFlags flags =
      new ConnectionFlags("hbase")
          .address(
              "--zookeeper",
              "zookeeper",
              "QUORUM",
              "ZooKeeper quorum of an HBase cluster: host[,host…][:port].")
          .address(
              "--hbase-conf",
              "conf",
              "FOLDERS",
              "Instead: folders with an HBase client's core-site.xml, hdfs-site.xml and"
                  + " hbase-site.xml, separated by commas.")
          .text("kerberos.principal", "NAME@REALM", "Who to be to Kerberos.")
          .text("kerberos.keytab", "FILE", "That principal's keys.")
          .text("kerberos.ticketCache", "FILE", "Instead: tickets that something else renews.")
          .text("kerberos.krb5", "FILE", "A krb5.conf other than the JDK's.")
          .choice("kerberos.zookeeper", "Whether ZooKeeper knows users by Kerberos; default: true.")
          .choice("pages.https", "Whether HBase's and Hadoop's pages are served by HTTPS.")
          .tls("pages", "these pages")
          .text("nameNode", "HOST:PORT", "HDFS's page; by default as the master says.");

  @Override
  public String option() {
    return flags.has("conf") ? "--hbase-conf" : "--zookeeper";
  }

  @Override
  public CommandSpec options() {
    return flags.options();
  }

  @Override
  public boolean given() {
    return flags.has("zookeeper") || flags.has("conf");
  }

  @Override
  public void check() {
    if (!given()) {
      flags.refuseAny("--hbase-conf or --zookeeper");
    }
  }

  @Override
  public ClusterHandle cluster() {
    return flags.cluster(flags.has("conf") ? "conf" : "zookeeper");
  }
}

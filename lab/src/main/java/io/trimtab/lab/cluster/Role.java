package io.trimtab.lab.cluster;

import java.util.List;

/** The kinds of processes of a lab, each with its own small Java memory. */
public enum Role {
  ZOOKEEPER("org.apache.hadoop.hbase.zookeeper.HQuorumPeer", List.of("start"), 64),
  NAMENODE("org.apache.hadoop.hdfs.server.namenode.NameNode", List.of(), 128),
  NAMENODE_FORMAT(
      "org.apache.hadoop.hdfs.server.namenode.NameNode", List.of("-format", "-nonInteractive"), 64),
  DATANODE("org.apache.hadoop.hdfs.server.datanode.DataNode", List.of(), 48),
  MASTER("org.apache.hadoop.hbase.master.HMaster", List.of("start"), 256),
  REGIONSERVER("org.apache.hadoop.hbase.regionserver.HRegionServer", List.of("start"), 0);

  public final String main;
  public final List<String> arguments;

  /** 0 for the RegionServer, whose heap the lab's configuration sets. */
  final int heapMib;

  Role(String main, List<String> arguments, int heapMib) {
    this.main = main;
    this.arguments = arguments;
    this.heapMib = heapMib;
  }
}

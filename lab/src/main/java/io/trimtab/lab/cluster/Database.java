package io.trimtab.lab.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a lab runs, and which processes that takes. */
public enum Database {
  HBASE(List.of(LabBoot.ZOOKEEPER, LabBoot.NAMENODE, LabBoot.MASTER)) {
    @Override
    Map<String, String> processes(LabState.Node node) {
      Map<String, String> both = new LinkedHashMap<>();
      both.put("regionserver", node.regionServer());
      both.put("datanode", node.dataNode());
      return both;
    }
  },
  CASSANDRA(List.of()) {
    @Override
    Map<String, String> processes(LabState.Node node) {
      return Map.of("cassandra", node.cassandra());
    }
  };

  /** Processes other than the nodes. */
  final List<String> services;

  Database(List<String> services) {
    this.services = services;
  }

  /** A node's processes, by kind; the first one is the database's own. */
  abstract Map<String, String> processes(LabState.Node node);
}

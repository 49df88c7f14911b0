package io.trimtab.lab.cluster;

import io.trimtab.lab.process.CassandraCommand;
import io.trimtab.lab.slot.LabSlot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.VersionInfo;

/** The databases that a lab can run, and the processes each consists of. */
public enum Database {
  HBASE {
    @Override
    List<String> services(LabConfig config) {
      List<String> names = new ArrayList<>();
      if (config.secure()) {
        names.add(LabBoot.KDC);
      }
      names.addAll(List.of(LabBoot.ZOOKEEPER, LabBoot.NAMENODE, LabBoot.MASTER));
      return names;
    }

    @Override
    Map<String, String> processes(LabState.Node node) {
      Map<String, String> both = new LinkedHashMap<>();
      both.put("regionserver", node.regionServer());
      both.put("datanode", node.dataNode());
      return both;
    }

    @Override
    public String version() {
      return VersionInfo.getVersion();
    }

    @Override
    int clientPort(LabSlot slot) {
      return slot.regionServerPort();
    }
  },
  CASSANDRA {
    @Override
    List<String> services(LabConfig config) {
      return List.of();
    }

    @Override
    Map<String, String> processes(LabState.Node node) {
      return Map.of("cassandra", node.cassandra());
    }

    @Override
    public String version() {
      return CassandraCommand.version();
    }

    @Override
    int clientPort(LabSlot slot) {
      return slot.cqlPort();
    }
  };

  /** Names of the processes that belong to no node. */
  abstract List<String> services(LabConfig config);

  /** A node's process names by kind; the database server comes first. */
  abstract Map<String, String> processes(LabState.Node node);

  /** Of the servers that labs start. */
  public abstract String version();

  /** By which clients know a node. */
  abstract int clientPort(LabSlot slot);
}

package io.trimtab.lab.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A lab at one moment.
 *
 * @param ready whether it ever came up
 * @param database that it runs
 * @param services pids of processes other than the nodes; empty for one that has ended
 * @param isolation in words: how nodes are isolated, or why not
 * @param diskLimited whether the read limit is in force
 * @param contact where clients begin: HBase's ZooKeeper, or Cassandra nodes
 * @param serving nodes in service; −1 while unknown
 */
public record LabStatus(
    String name,
    Database database,
    Path folder,
    boolean ready,
    Map<String, OptionalLong> services,
    List<LabNode> nodes,
    String contact,
    String isolation,
    boolean diskLimited,
    int serving) {

  /** Whether every process lives and every node serves. */
  public boolean healthy() {
    return ready
        && services.values().stream().allMatch(OptionalLong::isPresent)
        && nodes.stream().allMatch(LabNode::alive)
        && serving == nodes.size();
  }

  /** Whether none of its processes lives. */
  public boolean gone() {
    return services.values().stream().allMatch(OptionalLong::isEmpty)
        && nodes.stream()
            .flatMap(node -> node.pids().values().stream())
            .allMatch(OptionalLong::isEmpty);
  }
}

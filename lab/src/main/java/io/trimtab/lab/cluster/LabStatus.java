package io.trimtab.lab.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A lab at one moment.
 *
 * @param ready whether it ever came up
 * @param services pids of ZooKeeper, NameNode and master; empty for one that is gone
 * @param isolation in words: how nodes are isolated, or why not
 * @param diskLimited whether the read limit is in force
 * @param regionServersServing that the master knows; −1 while there is no initialised master
 */
public record LabStatus(
    String name,
    Path folder,
    boolean ready,
    Map<String, OptionalLong> services,
    List<LabNode> nodes,
    String zookeeperQuorum,
    String isolation,
    boolean diskLimited,
    int regionServersServing) {

  /** Whether every process lives and the master knows every RegionServer. */
  public boolean healthy() {
    return ready
        && services.values().stream().allMatch(OptionalLong::isPresent)
        && nodes.stream().allMatch(LabNode::alive)
        && regionServersServing == nodes.size();
  }
}

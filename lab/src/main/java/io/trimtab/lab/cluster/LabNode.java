package io.trimtab.lab.cluster;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A node of a lab.
 *
 * @param id as the engine knows it
 * @param name within the lab: {@code n1}, {@code n2}, …
 * @param profile that its last or next start uses
 * @param pids of its processes, by kind: {@code regionserver} and {@code datanode}, or {@code
 *     cassandra}; empty for one that is gone
 * @param cgroups folders of its control group; empty when it is not isolated
 * @param oomKills how often the kernel has killed one of its processes because the group's memory
 *     limit was too small; 0 when it is not isolated
 */
public record LabNode(
    NodeId id,
    String name,
    Profile profile,
    Map<String, OptionalLong> pids,
    List<Path> cgroups,
    long oomKills) {

  /** Of one of its processes, while that lives. */
  public OptionalLong pid(String kind) {
    return pids.getOrDefault(kind, OptionalLong.empty());
  }

  public boolean alive() {
    return pids.values().stream().allMatch(OptionalLong::isPresent);
  }
}

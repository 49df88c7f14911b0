package io.trimtab.lab.cluster;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * A node of a lab.
 *
 * @param id as the engine knows it
 * @param name within the lab: {@code n1}, {@code n2}, …
 * @param profile that its last or next start uses
 * @param dataNodePid empty when the process is gone
 * @param regionServerPid empty when the process is gone
 * @param cgroups folders of its control group; empty when it is not isolated
 */
public record LabNode(
    NodeId id,
    String name,
    Profile profile,
    OptionalLong dataNodePid,
    OptionalLong regionServerPid,
    List<Path> cgroups) {

  public boolean alive() {
    return dataNodePid.isPresent() && regionServerPid.isPresent();
  }
}

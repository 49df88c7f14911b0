package io.trimtab.runtime.journal;

import io.trimtab.config.UserError;
import io.trimtab.controller.guard.Preconditions;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.formats.JsonFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A plan in a file, to be read and approved before it is carried out: exactly this plan, or none.
 *
 * @param version of the program that made it
 * @param nodes that lived then
 */
public record SavedPlan(String version, Set<NodeId> nodes, Plan plan) {
  /** Later, the load that it was made for is another one. */
  private static final Duration AGE_MAX = Duration.ofDays(1);

  private static final String WHAT = "a plan that trimtab plan --save wrote";

  /**
   * @throws NullPointerException if something is missing
   */
  public SavedPlan {
    Objects.requireNonNull(version);
    Objects.requireNonNull(nodes);
    Objects.requireNonNull(plan.clusterId());
    Objects.requireNonNull(plan.snapshotAt());
  }

  /** The plan of a snapshot. */
  public static SavedPlan of(String version, ClusterSnapshot seen, Plan plan) {
    return new SavedPlan(version, nodes(seen), plan);
  }

  private static Set<NodeId> nodes(ClusterSnapshot seen) {
    return seen.liveNodes().stream()
        .map(NodeState::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Writes it.
   *
   * @throws UserError if the file can't be written
   */
  public void write(Path file) {
    JsonFile.write(file, this);
  }

  /**
   * Reads one.
   *
   * @throws UserError if the file can't be read, or holds no plan
   */
  public static SavedPlan read(Path file) {
    return JsonFile.read(file, SavedPlan.class, WHAT);
  }

  /**
   * Checks that it is still the plan for a cluster.
   *
   * @param thisVersion of the program that is to carry it out
   * @throws UserError naming what no longer holds
   */
  public void check(Path file, ClusterSnapshot now, String thisVersion) {
    if (!plan.clusterId().equals(now.clusterId())) {
      throw new UserError(
          "%s: the plan is for cluster %s, this is %s; name that cluster, or make it anew here"
              .formatted(file, plan.clusterId(), now.clusterId()));
    }
    if (!version.equals(thisVersion)) {
      throw new UserError(
          "%s: the plan was made by version %s, this is %s; make it anew"
              .formatted(file, version, thisVersion));
    }
    Duration age = Duration.between(plan.snapshotAt(), now.takenAt());
    if (age.compareTo(AGE_MAX) > 0) {
      throw new UserError(
          "%s: the plan is %d hours old, at most %d are allowed; make it anew"
              .formatted(file, age.toHours(), AGE_MAX.toHours()));
    }
    if (!nodes.equals(nodes(now))) {
      throw new UserError(
          "%s: the cluster had the live nodes %s then, and has %s now; make the plan anew"
              .formatted(file, nodes, nodes(now)));
    }
    Preconditions.violatedByRest(plan.actions(), now, Map.of())
        .ifPresent(
            violated -> {
              throw new UserError(
                  "%s: the cluster has changed since %s: %s; make the plan anew"
                      .formatted(file, plan.snapshotAt(), violated));
            });
  }
}

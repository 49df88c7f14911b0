package io.trimtab.providers;

import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Which machines nobody needs: those of requests that were given up. */
public final class Orphans {
  private Orphans() {}

  /**
   * The machines whose node the cluster does not have, and whose request no open plan makes.
   *
   * @param members all nodes that the cluster knows, the dead ones included: a dead node's machine
   *     is its plan's to release
   * @param openPlan the id of the plan that is open; empty if there is none
   * @param grace age below which a machine is left alone, because it may still be joining; one of
   *     unknown age is old
   */
  public static List<Machine> of(
      List<Machine> machines, Set<NodeId> members, String openPlan, Instant now, Duration grace) {
    return machines.stream()
        .filter(m -> m.isNoneOf(members))
        .filter(m -> openPlan.isEmpty() || !m.requestId().startsWith(openPlan + "/"))
        .filter(m -> isOlder(m, now, grace))
        .toList();
  }

  /** Those that run for long, and of which nobody can tell whether they are needed. */
  public static List<Machine> unknown(List<Machine> machines, Instant now, Duration grace) {
    return machines.stream()
        .filter(m -> m.node().isEmpty() && m.state() == Machine.State.RUNNING)
        .filter(m -> isOlder(m, now, grace))
        .toList();
  }

  private static boolean isOlder(Machine machine, Instant now, Duration grace) {
    return machine.since().filter(at -> at.plus(grace).isAfter(now)).isEmpty();
  }
}

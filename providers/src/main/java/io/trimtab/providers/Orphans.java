package io.trimtab.providers;

import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which machines nobody needs: those of requests that were given up. */
public final class Orphans {
  private Orphans() {}

  /**
   * The machines whose node the cluster does not have, and whose request no open plan makes. A host
   * is the same with and without its domain: a pool may call it otherwise than the database.
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
        .filter(m -> m.node().filter(node -> member(node, members)).isEmpty())
        .filter(m -> openPlan.isEmpty() || !m.requestId().startsWith(openPlan + "/"))
        .filter(machine -> machine.since().filter(at -> at.plus(grace).isAfter(now)).isEmpty())
        .toList();
  }

  private static boolean member(NodeId node, Set<NodeId> members) {
    return members.stream().anyMatch(member -> same(node.name(), member.name()));
  }

  private static boolean same(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    return a.equals(b) || isShort(a, b) || isShort(b, a);
  }

  /** Whether {@code node7:16020} may be {@code node7.example.com:16020}. */
  private static boolean isShort(String name, String full) {
    int port = name.lastIndexOf(':');
    return port > 0
        && !name.contains(".")
        && full.startsWith(name.substring(0, port) + ".")
        && full.endsWith(name.substring(port));
  }
}

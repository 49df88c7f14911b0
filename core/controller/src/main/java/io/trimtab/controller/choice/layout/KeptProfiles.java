package io.trimtab.controller.choice.layout;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Nodes that keep the profiles they have, as one plan may not do what it takes to restart them: all
 * that is on such a node leaves it, and what belongs there comes back.
 */
public final class KeptProfiles {
  private final Layout layout;
  private final PlanWork most;

  /** By node. */
  private final int[] moves;

  private final int[] back;
  private final double[] bytes;
  private final double[] backBytes;

  private KeptProfiles(Layout layout, PlanWork most) {
    this.layout = layout;
    this.most = most;
    moves = new int[layout.nodes()];
    back = new int[moves.length];
    bytes = new double[moves.length];
    backBytes = new double[moves.length];
    ClusterLoad load = layout.load();
    for (int p = 0; p < load.partitions().size(); p++) {
      int at = load.at(p);
      if (at >= 0) {
        boolean returns = layout.nodeOf(p) == at;
        moves[at] += returns ? 2 : 1;
        back[at] += returns ? 1 : 0;
        bytes[at] += (returns ? 2 : 1) * load.demand(p).bytes();
        backBytes[at] += returns ? load.demand(p).bytes() : 0;
      }
    }
  }

  /**
   * Leaves them their profiles.
   *
   * @return which they are and why, to end what is said of the layout; empty if there are none
   */
  public static String keep(Layout layout, PlanLimits limits) {
    KeptProfiles kept = new KeptProfiles(layout, limits.all());
    List<NodeId> nodes = new ArrayList<>();
    String why = "";
    for (int n : layout.present().filter(layout::restarts).toArray()) {
      Optional<String> tooMuch = kept.tooMuch(n);
      if (tooMuch.isPresent()) {
        why = nodes.isEmpty() ? tooMuch.get() : why;
        nodes.add(layout.name(n));
        layout.configure(n, layout.load().nodes().get(n).profile().orElseThrow());
      }
    }
    return nodes.isEmpty() ? "" : " (" + told(nodes) + why + ")";
  }

  private static String told(List<NodeId> nodes) {
    return nodes.size() == 1
        ? nodes.get(0) + " keeps its profile: to restart it takes "
        : nodes.get(0)
            + " and "
            + Counted.of(nodes.size() - 1, "more node")
            + " keep their profiles: to restart the first takes ";
  }

  private Optional<String> tooMuch(int n) {
    double held = layout.held(n).bytes();
    boolean cached = LayoutWork.isCached(layout, n, layout.profile(n), held);
    double counted = bytes[n] + (cached ? 0 : backBytes[n]);
    if (moves[n] > most.moves()) {
      return Optional.of(text(Counted.of(moves[n], "move"), "guard.maxMoves", most.moves()));
    }
    if (!cached && back[n] > most.compactions()) {
      return Optional.of(
          text(Counted.of(back[n], "compaction"), "guard.maxCompactions", most.compactions()));
    }
    return counted > most.bytes()
        ? Optional.of(
            text(
                String.format(
                    Locale.ROOT, "moves and compactions of %.0f GiB", counted / PlanLimits.GIB),
                "guard.maxMovedGiB",
                Math.round(most.bytes() / PlanLimits.GIB)))
        : Optional.empty();
  }

  private static String text(String takes, String setting, long allows) {
    return takes + ", " + setting + " allows " + allows;
  }
}

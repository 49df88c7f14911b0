package io.trimtab.controller.settings;

import io.trimtab.controller.settings.Trigger.Metric;
import io.trimtab.controller.settings.Trigger.Nodes;
import java.util.List;

/**
 * Triggers of the TIRAMOLA policy (Konstantinou 2011, §4.4). The source gives no limits of the load
 * average. As processes per core it is, on a machine that only computes, what the CPU share is on
 * average, so the limits are the same (decision 0031).
 *
 * @param add met together they add a node; those on any node must be met by the same node; by
 *     default a CPU share and a load average above 0.40 on any node; empty: none is ever added
 * @param remove met together they remove a node; by default a CPU share and a load average below
 *     0.15 on all nodes; empty: none is ever removed
 */
public record TiramolaSettings(List<Trigger> add, List<Trigger> remove) {
  private static final double BUSY = 0.40;
  private static final double IDLE = 0.15;

  public TiramolaSettings {
    add =
        add == null
            ? List.of(
                Trigger.above(Metric.CPU, BUSY, Nodes.ANY),
                Trigger.above(Metric.LOAD5, BUSY, Nodes.ANY))
            : List.copyOf(add);
    remove =
        remove == null
            ? List.of(
                Trigger.below(Metric.CPU, IDLE, Nodes.ALL),
                Trigger.below(Metric.LOAD5, IDLE, Nodes.ALL))
            : List.copyOf(remove);
    for (Trigger less : remove) {
      for (Trigger more : add) {
        SettingCheck.that(
            !less.overlaps(more) || excludes(add, remove),
            "tiramola.remove",
            "such that no cluster meets it and tiramola.add ("
                + more
                + "), or nodes come and go for ever",
            less);
      }
    }
  }

  /** Whether no cluster can meet both lists. */
  private static boolean excludes(List<Trigger> add, List<Trigger> remove) {
    return remove.stream().anyMatch(less -> add.stream().anyMatch(less::excludes));
  }
}

package io.trimtab.controller;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.time.Duration;
import java.time.Instant;

/**
 * What a cluster in memory comes to by the end of the hour after a decision, whatever was done. Its
 * law is the truth, which no model has.
 */
public final class HourAfter {
  private static final int SAMPLES = 6;
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private HourAfter() {}

  /** One that is just begun, and that nobody but plans changes. */
  public static InMemoryCluster begun(ClusterSpec spec) throws Exception {
    InMemoryCluster cluster = new InMemoryCluster(spec);
    // As autopilots hold it; else it would undo what was done.
    cluster.engine().setBalancer(BalancerState.PAUSED);
    cluster.engine().startCounting();
    return cluster;
  }

  /** What is seen of it next. */
  public static Observation.Usable observed(InMemoryCluster cluster, Settings settings)
      throws Exception {
    History history = History.EMPTY;
    for (int i = 0; i < SAMPLES; i++) {
      cluster.clock().advance(PERIOD);
      history = history.append(cluster.engine().snapshot(), settings.observe());
    }
    return (Observation.Usable)
        Observation.of(history, cluster.clock().instant(), settings.observe());
  }

  /**
   * What it comes to, in nodes: those that there are then, and by the weight of losses what was not
   * served and what nodes are then used beyond the target. What was served before the decision is
   * counted, too: that is the same whatever was decided.
   */
  public static double cost(InMemoryCluster cluster, ClusterSpec spec, Settings settings)
      throws Exception {
    Instant end =
        VirtualClock.START.plus(PERIOD.multipliedBy(SAMPLES)).plus(settings.choice().horizon());
    while (cluster.clock().instant().isBefore(end)) {
      Instant next = cluster.clock().instant().plus(PERIOD);
      cluster.clock().advanceTo(next.isBefore(end) ? next : end);
      // Lets it live until then: caches fill step by step.
      cluster.totals();
    }
    double served =
        cluster.totals().served().values().stream().mapToDouble(s -> s).average().orElseThrow();
    double target = settings.usage().target();
    double beyond =
        observed(cluster, settings).usage().values().stream()
            .mapToDouble(usage -> Math.log1p(Math.max(0, usage - target) / target))
            .average()
            .orElseThrow();
    return cluster.truth().liveNodes().size()
        + settings.choice().lossWeight() * spec.nodes() * (1 - served + beyond);
  }
}

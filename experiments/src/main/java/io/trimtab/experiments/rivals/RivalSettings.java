package io.trimtab.experiments.rivals;

import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.controller.settings.StabilitySettings;
import io.trimtab.experiments.report.BuiltCode;
import io.trimtab.formats.SettingsText;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How rivals are set, and how a report says so. */
final class RivalSettings {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final int SAMPLES = 4;
  private static final Duration COOLDOWN = Duration.ofSeconds(60);

  /** A load lasts about six minutes here: as long as one may count on it, and on a split. */
  private static final Duration LOAD = Duration.ofMinutes(6);

  /** Two such loads, as two hours are two of the default's. */
  private static final Duration MEMORY = LOAD.multipliedBy(2);

  /** By default six samples; here six times the ten seconds after which percentiles are renewed. */
  private static final Duration SLOW_FOR = Duration.ofSeconds(60);

  /** A class of each jar of the bed that all rivals have. */
  private static final List<String> BED =
      List.of(
          "/io/trimtab/lab/testbed/HBaseTestbed.class", "/io/trimtab/workload/WorkloadRun.class");

  /** A class of each jar that a controller, or its plug-in, consists of. */
  private static final List<String> CONTROLLER =
      List.of(
          "/io/trimtab/controller/policy/Policies.class",
          "/io/trimtab/models/outlook/Outlook.class",
          "/io/trimtab/runtime/ControlLoop.class",
          "/io/trimtab/hbase/HBaseEngine.class",
          "/io/trimtab/plugincore/ranking/ReplicaRanking.class",
          "/io/trimtab/hbaseplugin/ProfileEndpoint.class");

  private RivalSettings() {}

  /** Minutes instead of hours, and as many nodes as there are. */
  static Settings of(int nodes) {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(PERIOD).samples(SAMPLES).build())
        .with(HealthSettings.builder().slowFor(SLOW_FOR).build())
        .with(PlaceSettings.builder().whenHealthy(true).build())
        .with(SplitSettings.builder().hysteresis(LOAD).build())
        .with(new StabilitySettings(MEMORY, null, null))
        .with(new ChoiceSettings(LOAD, null, null, null, null, null))
        .with(
            GuardSettings.builder()
                .maxConcurrentMoves(1)
                .minNodes(nodes)
                .maxNodes(nodes)
                .cooldown(COOLDOWN)
                .build());
  }

  /**
   * The build that a rival is of and, of a policy, all its settings: runs of another build can't be
   * continued.
   */
  static List<String> madeBy(Rival rival, int nodes) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("Trimtab " + SystemPorts.ports().version());
    lines.add("bed: classes " + BuiltCode.digest(BED));
    lines.addAll(rival.site().entrySet().stream().map(Object::toString).toList());
    if (rival.policy().isPresent()) {
      lines.add("controller: classes " + BuiltCode.digest(CONTROLLER));
      lines.addAll(flat(SettingsText.of(of(nodes).with(rival.policy().get()))));
    }
    return lines;
  }

  /** Each line of settings with the name of its group. */
  static List<String> flat(String settings) {
    List<String> lines = new ArrayList<>();
    String group = "";
    for (String line : settings.lines().toList()) {
      boolean top = line.startsWith("  ") && !line.startsWith("   ");
      String text = line.strip();
      if (top && text.endsWith(":")) {
        group = text.substring(0, text.length() - 1) + ".";
      } else {
        lines.add(top ? text : group + text);
      }
    }
    return lines;
  }

  /** What differs on nodes with a bucket cache; the rest is as on the others. */
  static List<String> onBucketCaches() {
    TestbedSettings nodes = Rivals.SCALE.withBucketCache();
    return List.of(
        ("each node has %s heap, %s memory and %s bucket cache, a file in that memory: as much"
                + " block cache, memstores and free heap as other nodes have")
            .formatted(nodes.heap(), nodes.memory(), nodes.bucketCache()),
        "all rivals there: hbase.rs.prefetchblocksonopen, so that the balancer is told what is"
            + " cached; a region that comes is read within the node's disk limit; no change of the"
            + " load, and no StochasticLoadBalancer, so that all runs end within ten hours",
        "CacheAwareLoadBalancer: its costs at their defaults; it waits 12 s instead of 60 s between"
            + " moves that lose a cache (hbase.master.balancer.move.throttlingMillis)",
        "what is cached of a region, as servers tell: HBase 2.6.4 adds each block that comes and"
            + " takes away whole files only, so that it may be more than 1");
  }

  /** What all rivals have. */
  static List<String> common(TestbedSettings scale, long seed) {
    return List.of(
        "HBase %s; %d nodes, each %s heap, %.2f cores, %s memory, %d reads/s from disk"
            .formatted(
                org.apache.hadoop.hbase.util.VersionInfo.getVersion(),
                scale.nodes(),
                scale.heap(),
                scale.cores(),
                scale.memory(),
                scale.readIops()),
        ("six tenants as in E1, %,d records each (d: a tenth), placed at random (seed %d for the"
                + " first run) on homogeneous nodes")
            .formatted(scale.records(), seed),
        ("%d s before anybody acts, %d s after that, %d s after each change; levels, and the 99th"
                + " percentiles of a level, are of the last %d s of each")
            .formatted(
                Rivals.BEFORE.toSeconds(),
                Rivals.PLACED.toSeconds(),
                Rivals.CHANGED.toSeconds(),
                Rivals.LEVEL.toSeconds()),
        Load.describe(scale),
        "before anybody acts HBase's balancer is off and nothing else moves partitions; where the"
            + " balancer is the rival, it and the normalizer are switched on then: every 60 s,"
            + " tables normalized; by requests: the costs of read and write requests 500 instead of"
            + " 5",
        "where a policy is the rival HBase's balancer stays off (Trimtab would switch it off at its"
            + " first plan); its controller watches from the start without acting, as operators let"
            + " it, and what it has seen of the load until then is what it begins with",
        ("policies: a sample every %d s, %d for a decision, cooldown %d s, one move at a time, as"
                + " many nodes as there are; a load is counted on for %d minutes (choice.horizon,"
                + " split.hysteresis; stability.window twice that; by default hours); a node is"
                + " slow after %d s; plans also while no node is overloaded (place.whenHealthy)")
            .formatted(
                PERIOD.toSeconds(),
                SAMPLES,
                COOLDOWN.toSeconds(),
                LOAD.toMinutes(),
                SLOW_FOR.toSeconds()),
        "not settings, and so as they are: block counts age (by half every 200,000 requests of a"
            + " region, and every 30 minutes), a plan ends after two minutes below half the level"
            + " before it, and a plan's pace follows that level also where the load has changed"
            + " under it");
  }
}

package io.trimtab.experiments.model;

import io.trimtab.controller.learn.CostSamples;
import io.trimtab.controller.learn.NodeLearning;
import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Testbed;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.workload.TenantSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ordinary load on a bed's node for some time: every few minutes something else is asked for, in
 * other shares and more or less often. A controller's own record learns from it what requests cost,
 * by looks as often as a controller's.
 */
final class OrdinaryLoad {
  /** For which as much is asked for. */
  static final Duration STRETCH = Duration.ofMinutes(3);

  /** Usage that is intended, from the least to the most. */
  private static final double LEAST = 0.15;

  private static final double MOST = 0.75;

  /** As often as a controller looks by default. */
  static final Duration PERIOD = ObserveSettings.builder().build().period();

  private final Testbed bed;
  private final Console console;
  private final Stretch next;

  /** What is asked for in a stretch. */
  interface Stretch {
    /**
     * @param random of the run
     * @param level intended usage, in (0, 1)
     */
    List<TenantSpec> asking(Random random, double level) throws Exception;
  }

  /**
   * What was learned.
   *
   * @param minutes of load
   * @param looks at the node
   * @param waits what its I/O wait was computed from
   * @param kept as a controller keeps it
   * @param samples from which that was learned, of its looks; none in files of before they were
   *     kept
   */
  record Lesson(
      double minutes, int looks, String waits, NodeLearning.Kept kept, List<CostSample> samples) {
    Lesson {
      samples = samples == null ? List.of() : List.copyOf(samples);
    }

    /** What requests cost on a node. */
    LearnedCosts costs(NodeId node) throws EngineException {
      return NodeLearning.of(kept)
          .learned()
          .map(nodes -> nodes.of(node.name()))
          .orElseThrow(
              () ->
                  new EngineException(
                      "nothing was learned from "
                          + looks
                          + " looks at "
                          + node
                          + ": its usage or the misses of its cache are unknown"));
    }
  }

  OrdinaryLoad(Testbed bed, Console console, Stretch next) {
    this.bed = bed;
    this.console = console;
    this.next = next;
  }

  /**
   * Asks for so long, with the node's limits in force.
   *
   * @param seed of what is asked for
   */
  Lesson during(Duration time, long seed) throws Exception {
    bed.limit(true);
    Random random = new Random(seed);
    ClusterSnapshot before = bed.engine().snapshot();
    LoadRecord record = LoadRecord.NOTHING.with(before);
    List<NodeUsage> usages = new ArrayList<>();
    List<CostSample> samples = new ArrayList<>();
    long looks = Math.max(1, time.toSeconds() / PERIOD.toSeconds());
    long inStretch = STRETCH.toSeconds() / PERIOD.toSeconds();
    while (usages.size() < looks) {
      double level = LEAST + (MOST - LEAST) * random.nextDouble();
      try (TestbedLoad load = bed.start(next.asking(random, level))) {
        for (int i = 0; i < inStretch && usages.size() < looks; i++) {
          load.follow(
              console, "ordinary load, look %d of %d".formatted(usages.size() + 1, looks), PERIOD);
          ClusterSnapshot seen = bed.engine().snapshot();
          record = record.with(seen);
          samples.addAll(CostSamples.between(before, seen).values());
          before = seen;
          usages.add(Testbed.live(seen, bed.nodes().get(0)).usage());
        }
      }
    }
    Lesson lesson =
        new Lesson(
            usages.size() * PERIOD.toSeconds() / 60.0,
            usages.size(),
            WaitSource.phrase(usages),
            record.kept().orElseThrow().learned(),
            samples);
    console.step(
        "learned from %d looks at %d minutes of ordinary load"
            .formatted(lesson.looks(), Math.round(lesson.minutes())));
    return lesson;
  }
}

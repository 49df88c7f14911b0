package io.trimtab.experiments.cost;

import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.experiments.cost.ObservedCluster.Kind;
import io.trimtab.experiments.cost.ObservedCluster.Part;
import io.trimtab.lab.testbed.Console;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * OBSERVED: what it costs a node that an autopilot looks at it. An HBase and a Cassandra cluster
 * stand side by side under a small load, and in each interval one of them is observed: a pair of
 * intervals shows each cluster with and without it.
 */
public final class Observed {
  static final int PAIRS_PER_RUN = 2;
  static final int PERIODS = 2;
  static final Duration WARM_UP = Duration.ofSeconds(60);
  static final Duration WARM_PERIOD = Duration.ofSeconds(2);
  static final Duration SETTLE = Duration.ofSeconds(5);

  /** Every sample but a run's first one is decided on, as it is after a while by default. */
  static final int SAMPLES = 2;

  private static final Duration FIRST_LIMIT = Duration.ofMinutes(2);

  /**
   * What a process took in an interval.
   *
   * @param pair from 0 on
   * @param node whether it is a database's node, and not a process beside them
   * @param cpuS user and system time, s
   */
  record Half(
      int pair, String process, boolean node, boolean observed, double seconds, double cpuS) {

    double percentOfCore() {
      return 100 * cpuS / seconds;
    }
  }

  /** What the autopilot did in the intervals. */
  static final class Looks {
    final List<Double> snapshotS = new ArrayList<>();
    final Map<String, Integer> verdicts = new TreeMap<>();
  }

  private final Console console;
  private final Path folder;
  private final int pairs;
  private final long seed;
  private final String labName;
  private final double loadAverage =
      ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  private final List<Half> halves = new ArrayList<>();
  private final Map<Kind, Looks> looks = new EnumMap<>(Kind.class);

  public Observed(Console console, Path folder, int runs, long seed, String labName) {
    this.console = console;
    this.folder = folder;
    this.pairs = runs * PAIRS_PER_RUN;
    this.seed = seed;
    this.labName = labName;
    for (Kind kind : Kind.values()) {
      looks.put(kind, new Looks());
    }
  }

  /** The defaults, but for how many samples a decision needs. */
  static Settings settings(Duration period) {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(period).samples(SAMPLES).build());
  }

  /** As by default. */
  static Duration period() {
    return Settings.defaults().observe().period();
  }

  public Path run() throws Exception {
    try (ObservedCluster hbase = ObservedCluster.open(Kind.HBASE, labName + "-h", console);
        ObservedCluster ring = ObservedCluster.open(Kind.CASSANDRA, labName + "-c", console)) {
      warmUp(hbase, ring);
      Random random = new Random(seed);
      Path written = null;
      for (int pair = 0; pair < pairs; pair++) {
        boolean hbaseFirst = random.nextBoolean();
        ObservedCluster first = hbaseFirst ? hbase : ring;
        ObservedCluster second = hbaseFirst ? ring : hbase;
        half(pair, first, second);
        half(pair, second, first);
        // What is known is not lost where the rest is cut off.
        written = report().write(List.of(hbase, ring), halves, looks);
      }
      return written;
    }
  }

  private ObservedReport report() {
    return new ObservedReport(folder, pairs, seed, loadAverage);
  }

  /** Often, so that what answers is compiled as it is after a day. */
  private void warmUp(ObservedCluster one, ObservedCluster other) throws Exception {
    console.step("both warm up");
    try (Looking first = new Looking(one.lab(), settings(WARM_PERIOD));
        Looking second = new Looking(other.lab(), settings(WARM_PERIOD))) {
      first.awaitSample(FIRST_LIMIT);
      second.awaitSample(FIRST_LIMIT);
      pause("both warm up", WARM_UP);
    }
  }

  /** An interval in which one cluster is observed and the other is not. */
  private void half(int pair, ObservedCluster seen, ObservedCluster alone) throws Exception {
    String title = "pair %d of %d: %s is observed".formatted(pair + 1, pairs, seen.kind().title);
    try (Looking looking = new Looking(seen.lab(), settings(period()))) {
      looking.awaitSample(FIRST_LIMIT);
      pause(title, SETTLE);
      int samples = looking.samples();
      int snapshots = looking.snapshotS().size();
      Map<String, Integer> verdicts = looking.verdicts();
      Map<String, Double> before = cpuS(seen, alone);
      long from = System.nanoTime();
      pause(title, period().multipliedBy(PERIODS));
      double seconds = (System.nanoTime() - from) / 1e9;
      Map<String, Double> after = cpuS(seen, alone);
      if (looking.samples() < samples + PERIODS) {
        throw new EngineException(
            "%s was observed %d times instead of %d: %s"
                .formatted(
                    seen.kind().title, looking.samples() - samples, PERIODS, looking.reason()));
      }
      for (ObservedCluster cluster : List.of(seen, alone)) {
        cluster.lab().requireWhole();
        for (Part part : cluster.parts()) {
          double spent = after.get(part.name()) - before.get(part.name());
          halves.add(new Half(pair, part.name(), part.node(), cluster == seen, seconds, spent));
        }
      }
      keep(looks.get(seen.kind()), looking, snapshots, verdicts);
    }
    console.step(title + ": " + lastHalf());
  }

  private static void keep(Looks all, Looking looking, int from, Map<String, Integer> before) {
    List<Double> seconds = looking.snapshotS();
    all.snapshotS.addAll(seconds.subList(from, seconds.size()));
    looking
        .verdicts()
        .forEach(
            (what, times) -> {
              int news = times - before.getOrDefault(what, 0);
              if (news > 0) {
                all.verdicts.merge(what, news, Integer::sum);
              }
            });
  }

  private static Map<String, Double> cpuS(ObservedCluster... clusters) throws IOException {
    Map<String, Double> all = new HashMap<>();
    for (ObservedCluster cluster : clusters) {
      for (Part part : cluster.parts()) {
        all.put(part.name(), part.cpuS());
      }
    }
    return all;
  }

  /** The nodes of the last interval, for the person who watches. */
  private String lastHalf() {
    List<String> names = halves.stream().map(Half::process).distinct().toList();
    Stream<Half> last = halves.subList(halves.size() - names.size(), halves.size()).stream();
    return String.join(
        "; ",
        last.filter(Half::node)
            .map(
                half ->
                    String.format(Locale.ROOT, "%s %.2f %%", half.process(), half.percentOfCore()))
            .toList());
  }

  private void pause(String what, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      console.live(what + ", " + TimeUnit.NANOSECONDS.toSeconds(left) + " s left");
      TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }
}

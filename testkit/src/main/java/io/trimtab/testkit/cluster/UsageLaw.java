package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.testkit.law.LruSimulation;
import io.trimtab.testkit.law.RequestCosts;
import io.trimtab.testkit.load.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What requests cost a node, by a law of the test kit's own.
 *
 * <p>No policy reads it. But it has the form that policies assume (so much CPU and disk time for
 * each read, row, miss and write), and the costs that a cluster has by default are near those with
 * which {@code LearnedCosts} begins before it has seen anything. What a policy does with costs that
 * it has to learn only clusters with other ones show ({@link ClusterSpec#withCosts}).
 *
 * <p>Hit ratio: where a node's data do not all fit into its cache, requests are drawn and a cache
 * that drops what was used longest ago is simulated ({@link LruSimulation}), with at most about 500
 * units, each standing for blocks of like popularity. The result is kept until what the node
 * serves, its cache, or the shares of its partitions' requests (by 10 % in sum) change. Against a
 * simulation block by block, a node's hit ratio is within 0.03 (tested).
 *
 * <p>Warm-up: a partition that was moved, or whose node was restarted, begins without cached
 * blocks, and approaches its steady hit ratio exponentially; the time constant is what reads take
 * to touch as many blocks as it will have in the cache.
 *
 * <p>Cost ({@link RequestCosts}): CPU time for each read, row, scan and write; disk time for each
 * miss (more where the file is not local) and for what writes rewrite later (more with a small
 * memstore). CPU and disk each saturate; a node that is requested more than it can do serves a
 * share of it, and counters grow by what is served. What a snapshot tells has 2 % of noise (see
 * {@link #noise}), a function of seed, node and time, so that it does not depend on who asked
 * before.
 */
final class UsageLaw {
  /** 99th percentile of the times of requests that wait for no others, in milliseconds. */
  private static final double ALONE_P99_MS = 4;

  private static final double LEFT_MIN = 0.05;

  /** Of the load average, which approaches what is active exponentially, as the kernel's does. */
  private static final double LOAD_SECONDS = 300;

  /** Of a written byte, with a memstore of 0.26 of the heap. */
  private static final double REWRITES = 4;

  private static final double MEMSTORE_USUAL = 0.26;
  private static final double NOISE = 0.02;
  private static final int UNITS = 500;
  private static final double SHARES_DIFFER = 0.1;

  /** Not at each of a plan's moves: what has just been moved is cold anyway. */
  private static final double REDRAW_SECONDS = 15;

  private final ClusterSpec spec;
  private final RequestCosts costs;

  UsageLaw(ClusterSpec spec) {
    this.spec = spec;
    this.costs = spec.costs();
  }

  /**
   * Seconds of a node for the requests of a second.
   *
   * @param cpu of all cores together, where it is used little
   * @param saved how much less that is where it is used fully
   */
  record Work(double cpu, double saved, double disk) {}

  double cacheBytes(NodeModel node) {
    return node.profile.cacheFraction() * spec.heapBytes();
  }

  /**
   * Lets a node serve for a while what its tables are requested.
   *
   * @param usual whether hit ratios may be drawn of it; not while clients are held up for a moment,
   *     whose blocks would count as asked for by nobody
   */
  void serve(NodeModel node, double seconds, boolean usual) {
    double touches = 0;
    for (PartitionModel p : node.serves()) {
      p.touches = touches(p, p.table.asked);
      touches += p.touches;
    }
    node.sinceDraw += seconds;
    boolean due = usual && node.sinceDraw >= REDRAW_SECONDS;
    if (due && (node.changed || differ(node, touches))) {
      draw(node, touches);
    }
    double cpu = 0;
    double saved = 0;
    double disk = 0;
    double used = 0;
    for (PartitionModel p : node.serves()) {
      Work work = work(node, p, p.table.asked);
      cpu += work.cpu();
      saved += work.saved();
      disk += work.disk();
      used += p.resident * p.warm;
    }
    cpu = RequestCosts.used(cpu / spec.cores(), saved / spec.cores());
    node.demand = Math.max(cpu, disk);
    double served = 1 / Math.max(1, node.demand);
    for (PartitionModel p : node.serves()) {
      count(node, p, p.table.asked, served * seconds);
    }
    node.cacheUsed = used;
    node.cpu = Math.min(1, cpu * served);
    node.ioWait = (1 - node.cpu) * Math.min(1, disk * served);
    double active = node.cpu + node.ioWait;
    node.load5 =
        Double.isNaN(node.load5)
            ? active
            : active + (node.load5 - active) * Math.exp(-seconds / LOAD_SECONDS);
  }

  /** Blocks of a partition that a table's requests ask for. */
  private static double touches(PartitionModel p, Access asked) {
    if (asked.scans() == 0) {
      return p.readShare * asked.reads();
    }
    double perScan = Math.max(1, asked.rowsPerScan() * p.table.spec.rowBytes() / p.blockBytes);
    return p.readShare * (asked.reads() + asked.scans() * perScan);
  }

  /** What a partition's part of its table's requests takes of its node, with its cache as it is. */
  Work work(NodeModel node, PartitionModel p, Access asked) {
    double missed = touches(p, asked) * (1 - p.steadyHit * p.warm);
    double reading =
        p.readShare
            * (asked.reads() * costs.readSeconds()
                + asked.scans() * (costs.scanSeconds() + asked.rowsPerScan() * costs.rowSeconds()));
    double disk = 0;
    if (missed > 0) {
      double far = 1 + (costs.remoteFactor() - 1) * (1 - p.locality);
      disk = missed * far * (costs.seekSeconds() + p.blockBytes / costs.diskBytesPerSecond());
    }
    double writing = 0;
    double written = p.writeShare * asked.writes();
    if (written > 0) {
      double less = MEMSTORE_USUAL / node.profile.memstoreFraction();
      double rewritten = StrictMath.pow(less, costs.memstorePower());
      writing =
          written * costs.writeSeconds() * (1 - costs.rewriting() + costs.rewriting() * rewritten);
      disk +=
          written * p.table.spec.rowBytes() * (REWRITES * rewritten) / costs.diskBytesPerSecond();
    }
    return new Work(
        reading + missed * costs.missSeconds() + writing,
        reading * (1 - costs.readsWhenFull()) + writing * (1 - costs.writesWhenFull()),
        disk);
  }

  private static void count(NodeModel node, PartitionModel p, Access asked, double seconds) {
    p.reads += p.readShare * asked.reads() * seconds;
    p.scans += p.readShare * asked.scans() * seconds;
    p.rows += p.readShare * asked.scans() * asked.rowsPerScan() * seconds;
    p.writes += p.writeShare * asked.writes() * seconds;
    double requests =
        (p.readShare * (asked.reads() + asked.scans()) + p.writeShare * asked.writes()) * seconds;
    p.seen += requests;
    p.table.served += requests;
    node.requests += requests;
    double blocks = p.touches * seconds;
    node.hits += blocks * p.steadyHit * p.warm;
    node.misses += blocks * (1 - p.steadyHit * p.warm);
    if (p.warm < 1 && p.touches > 0) {
      double toFill = Math.max(1, p.resident / p.blockBytes);
      p.warm = 1 - (1 - p.warm) * Math.exp(-blocks / toFill);
      p.warm = p.warm > 0.9999 ? 1 : p.warm;
    }
  }

  private static boolean differ(NodeModel node, double touches) {
    double sum = 0;
    for (PartitionModel p : node.serves()) {
      sum += Math.abs((touches > 0 ? p.touches / touches : 0) - p.drawnShare);
    }
    return sum > SHARES_DIFFER;
  }

  private void draw(NodeModel node, double touches) {
    node.changed = false;
    node.sinceDraw = 0;
    List<PartitionModel> asked = new ArrayList<>();
    double bytes = 0;
    double largestBlock = 1;
    for (PartitionModel p : node.serves()) {
      p.drawnShare = touches > 0 ? p.touches / touches : 0;
      if (p.touches > 0 && p.bytes > 0) {
        asked.add(p);
        bytes += p.bytes;
        largestBlock = Math.max(largestBlock, p.blockBytes);
      } else {
        steady(p, 1, 0);
      }
    }
    double cache = cacheBytes(node);
    if (bytes <= cache) {
      asked.forEach(p -> steady(p, 1, p.bytes));
      return;
    }
    double unit = Math.max(largestBlock, bytes / UNITS);
    BlockPopularity units = units(asked, unit);
    LruSimulation.Result drawn =
        LruSimulation.run(
            units.popularity,
            units.owner,
            asked.size(),
            Math.max(1, (int) (cache / unit)),
            new SplittableRandom(node.seed));
    for (int i = 0; i < asked.size(); i++) {
      PartitionModel p = asked.get(i);
      steady(p, drawn.hitRatio()[i], Math.min(p.bytes, drawn.resident()[i] * unit));
    }
  }

  /** What is cached of a partition stays when it may have more; it then warms up again. */
  private static void steady(PartitionModel p, double hitRatio, double resident) {
    if (resident > p.resident) {
      p.warm *= p.resident / resident;
    }
    p.steadyHit = hitRatio;
    p.resident = resident;
  }

  private record BlockPopularity(double[] popularity, int[] owner) {}

  private static BlockPopularity units(List<PartitionModel> asked, double unit) {
    int all = 0;
    for (PartitionModel p : asked) {
      all += (int) Math.ceil(p.bytes / unit);
    }
    double[] popularity = new double[all];
    int[] owner = new int[all];
    int at = 0;
    for (int i = 0; i < asked.size(); i++) {
      PartitionModel p = asked.get(i);
      int n = (int) Math.ceil(p.bytes / unit);
      double power = 1 - p.table.spec.skew();
      for (int k = 0; k < n; k++) {
        double share = Math.pow((k + 1.0) / n, power) - Math.pow((double) k / n, power);
        popularity[at] = p.touches * share;
        owner[at++] = i;
      }
    }
    return new BlockPopularity(popularity, owner);
  }

  /**
   * As of one queue: the time that a request needs alone, divided by what is left of the node.
   * Where more is asked for than it can serve, clients are as many as wait, and the queue does not
   * grow further.
   */
  static RequestTimes times(NodeModel node) {
    double left = Math.max(LEFT_MIN, 1 - node.demand);
    return new RequestTimes((long) node.requests, ALONE_P99_MS / left, 0);
  }

  /** A factor about 1, the same for the same node and moment. */
  static double noise(NodeModel node, long millis, int what) {
    SplittableRandom random = new SplittableRandom(node.seed ^ (millis * 31 + what));
    // Four uniform ones are near enough to a normal one.
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += random.nextDouble() - 0.5;
    }
    return 1 + NOISE * sum * Math.sqrt(3);
  }
}

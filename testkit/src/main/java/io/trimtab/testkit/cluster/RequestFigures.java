package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.testkit.law.ChanceCounts;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What plug-ins count: where requests halve, and how often blocks and tokens are requested. */
final class RequestFigures {
  private static final int HINT_REQUESTS_MIN = 1_000;
  private static final int BINS = 24;

  /** Tokens that stand for a ring. */
  private static final int RING_CELLS = 4_096;

  private final ClusterState state;

  /** Seen by each partition when counting began. */
  private NavigableMap<PartitionId, Double> counting;

  RequestFigures(ClusterState state) {
    this.state = state;
  }

  /** With the state's monitor held. */
  List<SplitHint> splitHints() {
    List<SplitHint> hints = new ArrayList<>();
    if (state.ring() || !state.spec.online()) {
      return hints;
    }
    double seconds = state.seconds(state.now);
    for (PartitionModel p : state.every()) {
      hints.add(hint(p, seconds));
    }
    return hints;
  }

  private static SplitHint hint(PartitionModel p, double seconds) {
    long seen = (long) p.seen;
    if (seen < HINT_REQUESTS_MIN) {
      return none(p, SplitHint.Verdict.WAIT, "only " + seen + " requests so far");
    }
    KeyDistribution keys = p.table.spec.keys();
    if (p.halves == null || keys.moves()) {
      p.halves = halves(p, keys, seconds);
    }
    SplitHint known = p.halves;
    return new SplitHint(
        p.id, known.verdict(), known.key(), known.leftShare(), known.bound(), seen, known.reason());
  }

  /** Where they halve does not depend on how many there are. */
  private static SplitHint halves(PartitionModel p, KeyDistribution keys, double seconds) {
    double all = keys.between(p.from, p.to, seconds);
    double median = keys.median(p.from, p.to, seconds);
    RowKey key = PartitionModel.key(median);
    double grain = 2e-6 * (p.to - p.from);
    if (keys.between(median - grain, median + grain, seconds) > all / 2) {
      return none(p, SplitHint.Verdict.UNSPLITTABLE_HOT_KEY, "one key has most requests");
    }
    if (!p.range.splitsAt(key)) {
      return none(p, SplitHint.Verdict.NOT_WORTH_IT, "there is no key between its ends");
    }
    double left = keys.between(p.from, PartitionModel.fraction(key), seconds) / all;
    return new SplitHint(
        p.id,
        SplitHint.Verdict.SPLIT,
        key,
        left,
        0.02,
        (long) p.seen,
        "its requests halve at " + key);
  }

  private static SplitHint none(PartitionModel p, SplitHint.Verdict verdict, String why) {
    return new SplitHint(p.id, verdict, RowKey.EMPTY, Double.NaN, 1, (long) p.seen, why);
  }

  /** The first call begins the counting. */
  List<BlockHistogram> histograms() {
    List<BlockHistogram> all = new ArrayList<>();
    if (state.ring() || !state.spec.online()) {
      return all;
    }
    if (counting == null) {
      counting = new TreeMap<>();
      state.partitions.values().forEach(p -> counting.put(p.id, p.seen));
    }
    double seconds = state.seconds(state.now);
    for (PartitionModel p : state.every()) {
      double before = counting.getOrDefault(p.id, 0.0);
      double share = p.seen > 0 ? Math.max(0, p.seen - Math.min(before, p.seen)) / p.seen : 0;
      all.add(histogram(p, share, p.table.spec.load().at(seconds)));
    }
    return all;
  }

  /** The hottest blocks first, in ranges of rank that double. */
  private BlockHistogram histogram(PartitionModel p, double share, Access asked) {
    double blocks = Math.max(1, p.bytes / p.blockBytes);
    double perScan = Math.max(1, asked.rowsPerScan() * p.table.spec.rowBytes() / p.blockBytes);
    double touched = share * (p.reads + p.scans * perScan);
    double power = 1 - p.table.spec.skew();
    List<ChanceCounts.Group> means = new ArrayList<>();
    double from = 0;
    for (int i = BINS - 1; i >= 0; i--) {
      double to = i == 0 ? 1 : Math.pow(2, -i);
      double count = (Math.pow(to, power) - Math.pow(from, power)) * touched;
      means.add(new ChanceCounts.Group(count / ((to - from) * blocks), (to - from) * blocks));
      from = to;
    }
    List<BlockHistogram.Bin> bins =
        (state.spec.chance() ? ChanceCounts.of(means) : means)
            .stream().map(its -> new BlockHistogram.Bin(its.count(), its.blocks())).toList();
    // A scan takes one call here, and a row has one cell.
    long scans = (long) (share * p.scans);
    long rows = (long) (share * p.rows);
    return new BlockHistogram(
        p.id, bins, p.blockBytes, scans, scans, rows, rows, (long) (scans * perScan));
  }

  /** As many requests as come in the time, at tokens that stand for equal parts of the ring. */
  RingRequests ringRequests(Duration watch) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    double now = state.seconds(state.now);
    for (TableModel table : state.tables.values()) {
      Access asked = table.spec.load().at(now);
      double requests =
          (asked.reads() + asked.scans() + asked.writes() * state.spec.replication())
              * watch.toMillis()
              / 1000.0;
      for (int i = 0; i < RING_CELLS; i++) {
        double from = (double) i / RING_CELLS;
        double to = (i + 1.0) / RING_CELLS;
        long count = Math.round(requests * table.spec.keys().between(from, to, now));
        if (count > 0) {
          counts.merge(Ring.token((from + to) / 2), count, Long::sum);
        }
      }
    }
    return new RingRequests(owners(), counts, "");
  }

  TreeMap<Long, NodeId> owners() {
    TreeMap<Long, NodeId> owners = new TreeMap<>();
    Ring.owners(state.nodes.values()).forEach((token, node) -> owners.put(token, node.id));
    return owners;
  }
}

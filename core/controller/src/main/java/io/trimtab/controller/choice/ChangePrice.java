package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What it costs to change the cluster as it is into another layout, in seconds of one node: the
 * time for which partitions and nodes do not serve, the misses until caches are warm, and the bytes
 * that are rewritten. Users' requests that are lost weigh as much as those that a full node loses
 * ({@code choice.lossWeight}); how many that are is what plans have cost here, once that was
 * measured ({@link PlanCosts}).
 */
final class ChangePrice {
  /** For which a partition is closed while it moves, or is split. */
  private static final double CLOSED_SECONDS = 2;

  /** For which a node does not serve while it restarts. */
  private static final double RESTART_SECONDS = 30;

  /** That a compaction rewrites. */
  static final double COMPACT_BYTES_PER_SECOND = 100e6;

  private static final double BLOCK_BYTES = 64 << 10;

  /** For which a plan waits at most until cached blocks are at the node that they go to. */
  private static final double HANDOVER_SECONDS = 20;

  /**
   * What a block costs that is handed over, as a share of a miss: it is read from disk once more,
   * in the order in which it is there, and nobody waits for it (ours).
   */
  private static final double HANDED_OVER = 0.25;

  /** For which the guard, the placement and the caches are busy with any change at all. */
  private static final double ANY_SECONDS = 10;

  private final ClusterLoad load;
  private final Layout now;
  private final double lossWeight;

  /** Seconds of all users' requests that each partition costs that is moved or split. */
  private final OptionalDouble each;

  /** How much of that is believed, in [0, 1]. */
  private final double believed;

  /** Seconds that plans of late took for each of these. */
  private final OptionalDouble takes;

  /** Whether all nodes that there are have the plug-in: known once, as it is asked of each move. */
  private final boolean allHandOver;

  ChangePrice(ClusterLoad load, Layout now) {
    this.load = load;
    this.now = now;
    this.lossWeight = load.settings().choice().lossWeight();
    Instant at = load.context().seen().snapshot().takenAt();
    Optional<PlanCosts> costs = load.context().state().costs();
    this.each = costs.map(PlanCosts::each).orElse(OptionalDouble.empty());
    this.believed = costs.map(c -> c.believed(at)).orElse(0.0);
    this.takes = costs.map(c -> c.takes(at)).orElse(OptionalDouble.empty());
    this.allHandOver = load.nodes().stream().allMatch(NodeState::onlineProfile);
  }

  /** What was measured, to end a sentence; empty if nothing was, or it is next to nothing. */
  String told() {
    return each.isPresent() && believed * each.getAsDouble() >= 0.05
        ? String.format(
            Locale.ROOT,
            "; each partition moved or split lately has cost %.1f s' worth of users' requests",
            each.getAsDouble())
        : "";
  }

  /** Of everything in which a layout differs. */
  double of(Layout then) {
    double price = 0;
    for (int item = 0; item < then.items(); item++) {
      price += isSame(then, item) ? 0 : ofItem(then, item);
    }
    for (int n = 0; n < now.nodes(); n++) {
      if (then.isPresent(n)) {
        price += ofProfile(then, n);
      }
    }
    return price > 0 || then.size() != now.size() ? price + ANY_SECONDS : 0;
  }

  /** Of nearly all partitions. */
  private boolean isSame(Layout then, int item) {
    return item < now.items() && then.nodeOf(item) == now.nodeOf(item) && !then.isCompacted(item);
  }

  private double ofItem(Layout then, int item) {
    int to = then.nodeOf(item);
    if (to < 0) {
      return 0;
    }
    int from = now.nodeOf(then.partition(item));
    if (then.isCompacted(item)) {
      return ofCompaction(then.demand(item), from);
    }
    if (then.half(item).isPresent()) {
      return ofHalf(then.demand(item), from, from == to);
    }
    return from == to ? 0 : ofMove(then.demand(item), from, to);
  }

  /**
   * A half gets files of its own by a compaction, so that the blocks that were cached are of no use
   * any more, wherever it is.
   */
  private double ofHalf(Demand half, int from, boolean stays) {
    // What was measured is of each split and of each move: of the half that stays, and of the
    // other.
    int times = stays || each.isPresent() ? 1 : 2;
    return times * lost(half) + cold(half, from) + half.bytes() / COMPACT_BYTES_PER_SECOND;
  }

  /** Of a partition that is rewritten where it is: its cached blocks are those of old files. */
  double ofCompaction(Demand rewritten, int at) {
    return rewritten.bytes() / COMPACT_BYTES_PER_SECOND + cold(rewritten, at);
  }

  /** Of a split whose right half goes to another node. */
  double ofSplit(Demand whole, double leftShare, int from) {
    return ofHalf(whole.part(leftShare), from, true)
        + ofHalf(whole.part(1 - leftShare), from, false);
  }

  /**
   * What it costs that an item is at a node, whatever moves lead there; nothing where it is now.
   */
  double ofPlace(Layout layout, int item, int at) {
    int from = now.nodeOf(layout.partition(item));
    return from == at ? 0 : ofMove(layout.demand(item), from, at);
  }

  /**
   * Of one partition.
   *
   * @param from negative for one that is not served
   */
  double ofMove(Demand moved, int from, int to) {
    if (from < 0) {
      return 0;
    }
    double cached = handsOver(from) && handsOver(to) ? handedOver(moved, from) : cold(moved, from);
    return lost(moved) + cached + rewritten(moved, from);
  }

  /**
   * Of one that leaves a node while it restarts: its blocks are fetched twice, and none is
   * rewritten, as its files are where it comes back to.
   */
  private double ofReturn(Demand moved, int at) {
    return 2 * (ofMove(moved, at, at) - rewritten(moved, at));
  }

  /** What users lose as a partition is closed; never nothing, so that no move is free. */
  private double lost(Demand closed) {
    double own = CLOSED_SECONDS * closed.corrected();
    if (each.isEmpty()) {
      return lossWeight * own;
    }
    double measured = lossWeight * each.getAsDouble() * load.nodes().size();
    return Math.max(own, believed * measured + (1 - believed) * lossWeight * own);
  }

  /** A node that is added is taken to have the plug-in where those have it that there are. */
  private boolean handsOver(int node) {
    return node < load.nodes().size() ? load.nodes().get(node).onlineProfile() : allHandOver;
  }

  /** Misses until the blocks that were in the cache are there again. */
  private double cold(Demand moved, int from) {
    return cached(moved, from) * load.basis().missSeconds();
  }

  /** The same where the plug-in hands over as many blocks as it gets to before the move (0009). */
  private double handedOver(Demand moved, int from) {
    double miss = load.basis().missSeconds();
    double blocks = cached(moved, from);
    double handed = Math.min(blocks, HANDOVER_SECONDS / (HANDED_OVER * miss));
    return (blocks - (1 - HANDED_OVER) * handed) * miss;
  }

  /** Blocks of a partition that are in its node's cache. */
  private double cached(Demand moved, int from) {
    double asked = now.held(from).cache().bytes();
    double inCache = asked > 0 ? Math.min(1, now.memory(from).cacheBytes() / asked) : 0;
    return inCache * moved.cache().bytes() / BLOCK_BYTES;
  }

  /**
   * For locality. A plan compacts nothing on nodes that cache all that they serve; a partition that
   * is small against its node's cache stands for that.
   */
  private double rewritten(Demand moved, int from) {
    return moved.bytes() <= now.memory(from).cacheBytes() / 4
        ? 0
        : moved.bytes() / COMPACT_BYTES_PER_SECOND;
  }

  private double ofProfile(Layout then, int n) {
    return then.profile(n) == null ? 0 : ofProfile(then, n, then.profile(n));
  }

  /** Of another profile of a node that is there now; nothing for one that is added. */
  double ofProfile(Layout layout, int n, Profile after) {
    if (layout.isNew(n) || now.profile(n) == null || now.profile(n).sameMemory(after)) {
      return 0;
    }
    if (isOnline(n)) {
      double less = Math.max(0, now.memory(n).cacheBytes() - load.memory(n, after).cacheBytes());
      return 1 + less / BLOCK_BYTES * load.basis().missSeconds();
    }
    double moves = 0;
    for (int item : now.on(n).toArray()) {
      moves += ofReturn(now.demand(item), n);
    }
    return RESTART_SECONDS * now.usage(n) + moves;
  }

  /**
   * About how long a plan takes once its nodes are there: as many moves at a time as it may make,
   * compactions one by one, nodes that restart one after the other. That is if it waits for nobody;
   * what plans of late took for each partition is believed more, where it is longer.
   */
  double seconds(Layout then) {
    double moving = 0;
    double rewriting = 0;
    int disturbed = 0;
    for (int item = 0; item < then.items(); item++) {
      int to = then.nodeOf(item);
      int from = to < 0 ? to : now.nodeOf(then.partition(item));
      if (from < 0 || isSame(then, item)) {
        continue;
      }
      Demand demand = then.demand(item);
      boolean half = then.half(item).isPresent();
      disturbed += from != to || half ? 1 : 0;
      boolean hands = from != to && !half && handsOver(from) && handsOver(to);
      moving += from == to ? 0 : CLOSED_SECONDS;
      moving += hands ? Math.min(HANDOVER_SECONDS, HANDED_OVER * cold(demand, from)) : 0;
      rewriting +=
          half || then.isCompacted(item)
              ? demand.bytes() / COMPACT_BYTES_PER_SECOND
              : rewritten(demand, from);
    }
    double alone = moving / load.settings().guard().maxConcurrentMoves() + rewriting;
    return Math.max(alone, disturbed * takes.orElse(0)) + restarting(then);
  }

  private double restarting(Layout then) {
    double seconds = 0;
    for (int n = 0; n < now.nodes(); n++) {
      Profile before = now.profile(n);
      Profile after = then.profile(n);
      boolean changes = before != null && after != null && !before.sameMemory(after);
      if (changes && then.isPresent(n) && !isOnline(n)) {
        seconds += RESTART_SECONDS + 2 * CLOSED_SECONDS * now.on(n).count();
      }
    }
    return seconds;
  }

  boolean isOnline(int node) {
    return load.isOnline(node);
  }
}

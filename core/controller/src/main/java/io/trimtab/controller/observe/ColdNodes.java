package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that use more for what they are asked for than they will, as something was opened on them
 * or their process is new. Part of that is counted (blocks that are missed), part is not (a
 * compiler that works, files that are opened, or rewritten after a split). An immutable value.
 */
public final class ColdNodes {
  /**
   * After which a node counts as warm, whatever its cache tells (ours). A cache that fills more
   * slowly than that is asked for little, and a JVM has compiled what it runs by then.
   */
  public static final Duration LONGEST = Duration.ofMinutes(5);

  private static final double LONGEST_SECONDS = LONGEST.toSeconds();

  /**
   * Over which a cache is judged: a look or two say nothing where they are a second apart. Three of
   * the default period are within it.
   */
  private static final double JUDGED_SECONDS = 50;

  private static final int LOOKS_LEAST = 3;

  /** For which opening a partition may go on after it was first seen open (ours). */
  private static final double OPENING_SECONDS = 30;

  /** By which the share of missed blocks falls while a cache fills, at least; of it, and at all. */
  private static final double FALLS = 0.1;

  private static final double FALLS_LEAST = 0.01;

  static final ColdNodes NOTHING = after(Optional.empty());

  /** When a plan ended before the first look; empty if there was none. */
  private final Optional<Instant> changed;

  private final Optional<ClusterSnapshot> last;

  /** When the last look but one was, and the last: seconds since the first, by no wall clock. */
  private final double before;

  private final double now;
  private final Map<NodeId, Node> nodes;

  /**
   * A node.
   *
   * @param opened when something was opened on it last
   * @param explained since when what it uses is explained by what it is asked for
   * @param looks at it since then, and since the last plan, as far as they are needed
   */
  private record Node(long incarnation, double opened, double explained, List<Look> looks) {
    /** The same where something was opened. */
    Node opened(double at, double until) {
      return new Node(incarnation, at, Math.max(explained, until), List.of());
    }

    Node with(Look look) {
      int from = 0;
      while (from + LOOKS_LEAST <= looks.size()
          && looks.get(from + 1).at() <= look.at() - JUDGED_SECONDS) {
        from++;
      }
      List<Look> kept = new ArrayList<>(looks.subList(from, looks.size()));
      kept.add(look);
      return new Node(incarnation, opened, explained, List.copyOf(kept));
    }

    Node again() {
      return new Node(incarnation, opened, explained, List.of());
    }

    /** Whether its cache is full or grows no more, and its misses do not become fewer. */
    boolean isSettled() {
      if (looks.size() < LOOKS_LEAST) {
        return false;
      }
      Look first = looks.get(0);
      Look last = looks.get(looks.size() - 1);
      if (last.at() - first.at() < JUDGED_SECONDS || !first.told() || !last.told()) {
        return false;
      }
      double half = (first.at() + last.at()) / 2;
      Look middle = looks.stream().filter(look -> look.at() >= half).findFirst().orElse(last);
      return CacheWarmup.full(first.usedBytes(), last.usedBytes(), last.maxBytes())
          && !falls(first.missedUntil(middle), middle.missedUntil(last));
    }

    private static boolean falls(Optional<Double> before, Optional<Double> after) {
      // A node that is asked for nothing has nothing to fill its cache with.
      return before.isPresent()
          && after.isPresent()
          && before.get() - after.get() > Math.max(FALLS_LEAST, FALLS * before.get());
    }
  }

  /** What a node's cache tells; −1 for what it does not. */
  private record Look(double at, long usedBytes, long maxBytes, long hits, long misses) {
    static Look of(NodeGauges gauges, double at) {
      return new Look(
          at,
          gauges.cacheUsedBytes(),
          gauges.cacheMaxBytes(),
          gauges.cacheHits(),
          gauges.cacheMisses());
    }

    boolean told() {
      return usedBytes >= 0 && maxBytes >= 0 && hits >= 0 && misses >= 0;
    }

    Optional<Double> missedUntil(Look later) {
      return CacheWarmup.missed((double) later.hits - hits, (double) later.misses - misses);
    }
  }

  private ColdNodes(
      Optional<Instant> changed,
      Optional<ClusterSnapshot> last,
      double before,
      double now,
      Map<NodeId, Node> nodes) {
    this.changed = changed;
    this.last = last;
    this.before = before;
    this.now = now;
    this.nodes = nodes;
  }

  /**
   * Before the first look at a cluster. Which nodes an earlier controller's plan has changed is not
   * known, so that all count as cold since then.
   *
   * @param planEnded when that was; empty if there was none
   */
  static ColdNodes after(Optional<Instant> planEnded) {
    return new ColdNodes(planEnded, Optional.empty(), 0, 0, Map.of());
  }

  /** The same after a plan: caches are judged by what is seen from now on. */
  ColdNodes again() {
    Map<NodeId, Node> all = new HashMap<>();
    nodes.forEach((id, node) -> all.put(id, node.again()));
    return new ColdNodes(changed, last, before, now, all);
  }

  /** The same after one more look. */
  ColdNodes append(ClusterSnapshot next) {
    double elapsed = last.map(next::secondsSince).orElse(0.0);
    if (last.isPresent() && !(elapsed > 0)) {
      return this;
    }
    double at = now + elapsed;
    Map<NodeId, Double> opened = last.map(earlier -> opened(earlier, next)).orElse(Map.of());
    Map<NodeId, Node> all = new HashMap<>();
    for (NodeState state : next.nodes()) {
      boolean read = state.alive() && state.readable();
      Node node = nodes.get(state.id());
      if (node == null && !read) {
        continue;
      }
      if (node == null || (read && node.incarnation() != state.incarnation())) {
        double since = last.isPresent() ? at : -sinceChange(next);
        node = new Node(state.incarnation(), since, since + LONGEST_SECONDS, List.of());
      } else if (opened.containsKey(state.id())) {
        node = node.opened(at, at + opened.get(state.id()));
      }
      all.put(state.id(), read ? node.with(Look.of(state.gauges(), at)) : node);
    }
    return new ColdNodes(changed, Optional.of(next), now, at, all);
  }

  private double sinceChange(ClusterSnapshot next) {
    return changed
        .map(then -> Math.max(0, Duration.between(then, next.takenAt()).toMillis() / 1e3))
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Nodes on which a partition was opened, each with the seconds for which what it uses is not
   * explained. One that was not there before is a part of another, or of two: its files are
   * rewritten next.
   */
  private static Map<NodeId, Double> opened(ClusterSnapshot earlier, ClusterSnapshot next) {
    Map<NodeId, Double> opened = new HashMap<>();
    for (int i = 0; i < next.partitions().size(); i++) {
      PartitionState is = next.partitions().get(i);
      if (is.node().isEmpty()) {
        continue;
      }
      Optional<PartitionState> was = before(earlier, is.id(), i);
      if (was.flatMap(PartitionState::node).filter(is.node().get()::equals).isEmpty()) {
        double seconds = was.isPresent() ? OPENING_SECONDS : LONGEST_SECONDS;
        opened.merge(is.node().get(), seconds, Math::max);
      }
    }
    return opened;
  }

  /** A partition; most are at the same place in every snapshot. */
  private static Optional<PartitionState> before(ClusterSnapshot earlier, PartitionId id, int i) {
    if (i < earlier.partitions().size() && earlier.partitions().get(i).id().equals(id)) {
      return Optional.of(earlier.partitions().get(i));
    }
    return earlier.partition(id);
  }

  /** Nodes that were cold at the last look. */
  public Set<NodeId> now() {
    Set<NodeId> cold = new HashSet<>();
    nodes.forEach(
        (id, node) -> {
          if (now - node.opened() < LONGEST_SECONDS && !node.isSettled()) {
            cold.add(id);
          }
        });
    return cold;
  }

  /**
   * Nodes that used something from the last look but one to the last that is not explained by what
   * they were asked for and what their caches missed.
   */
  public Set<NodeId> unexplained() {
    Set<NodeId> those = new HashSet<>();
    nodes.forEach(
        (id, node) -> {
          if (before < node.explained()) {
            those.add(id);
          }
        });
    return those;
  }

  /** Whether the caches of some nodes have filled since the last plan, as far as they tell. */
  public boolean haveFilled(Collection<NodeId> those) {
    return those.stream().map(nodes::get).allMatch(node -> node != null && node.isSettled());
  }
}

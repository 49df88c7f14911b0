package io.trimtab.controller.observe;

import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Since when each replica has got few reads, from one whole snapshot to the next. An immutable
 * value. Every interval counts, so that what happens now and then makes no node slow; one with too
 * few reads is judged together with the next ones. A partial snapshot is not judged. Where only
 * nodes could not be read, the others are judged by the coordinators that were; what the former
 * have counted meanwhile counts when they are read again.
 */
public final class SlowNodes {
  public static final SlowNodes NONE =
      new SlowNodes(Optional.empty(), Optional.empty(), Collections.emptySortedMap(), List.of());

  /** Of what coordinators know of a node, the newest that count. */
  private static final int MOMENTS_MAX = 24;

  private final Optional<ReadTime> looked;
  private final Optional<ReadCounts> last;
  private final SortedMap<NodeId, Track> tracks;
  private final List<SlowNode> slow;

  /**
   * A node's past.
   *
   * @param judged up to when it was judged
   * @param unjudged what was counted since
   * @param since when it began to get few reads; empty if it does not
   * @param share in the interval that was judged last; NaN before the first
   * @param moments what coordinators knew of it since it gets few
   */
  private record Track(
      ReadTime judged,
      ReadShares unjudged,
      Optional<ReadTime> since,
      double share,
      List<ReplicaSignals> moments) {
    static Track from(ReadTime now) {
      return new Track(now, ReadShares.NONE, Optional.empty(), Double.NaN, List.of());
    }

    Track fair(ReadTime now, double itsShare) {
      return new Track(now, ReadShares.NONE, Optional.empty(), itsShare, List.of());
    }

    Track few(ReadTime now, double itsShare, ReplicaSignals known) {
      List<ReplicaSignals> all = new ArrayList<>(moments);
      all.add(known);
      return new Track(
          now,
          ReadShares.NONE,
          since.or(() -> Optional.of(judged)),
          itsShare,
          List.copyOf(all.subList(Math.max(0, all.size() - MOMENTS_MAX), all.size())));
    }

    Track waiting(ReadShares counted) {
      return new Track(judged, counted, since, share, moments);
    }

    double seconds() {
      return since.map(judged::secondsSince).orElse(0.0);
    }
  }

  private SlowNodes(
      Optional<ReadTime> looked,
      Optional<ReadCounts> last,
      SortedMap<NodeId, Track> tracks,
      List<SlowNode> slow) {
    this.looked = looked;
    this.last = last;
    this.tracks = tracks;
    this.slow = slow;
  }

  /** Nodes that are slow, as of the last whole snapshot, by name. */
  public List<SlowNode> now() {
    return slow;
  }

  /**
   * A node's reads for each of its peers' in the interval that was judged last, if it got no fewer
   * than it may; empty as long as that is not known.
   */
  public OptionalDouble fair(NodeId node) {
    Track track = tracks.get(node);
    return track == null || track.since().isPresent() || Double.isNaN(track.share())
        ? OptionalDouble.empty()
        : OptionalDouble.of(track.share());
  }

  /**
   * The same after one more look.
   *
   * @param gapMax the longest time between two looks, whole or not; after a longer one, nothing
   *     from before counts
   */
  public SlowNodes append(ClusterSnapshot seen, HealthSettings settings, Duration gapMax) {
    double gap = looked.map(seen.readTime()::secondsSince).orElse(0.0);
    if (!(gap >= 0 && gap <= seconds(gapMax))) {
      return NONE.append(seen, settings, gapMax);
    }
    if (!seen.clusterGaps().isEmpty()) {
      return new SlowNodes(Optional.of(seen.readTime()), last, tracks, slow);
    }
    ReadCounts now = ReadCounts.of(seen, last, seconds(gapMax));
    SortedMap<NodeId, Track> next = new TreeMap<>();
    if (!now.counts().isEmpty()) {
      judge(seen, now, settings, next);
    }
    return new SlowNodes(
        Optional.of(seen.readTime()),
        Optional.of(now),
        Collections.unmodifiableSortedMap(next),
        slow(next, settings));
  }

  private void judge(
      ClusterSnapshot seen,
      ReadCounts now,
      HealthSettings settings,
      SortedMap<NodeId, Track> next) {
    ReadTime at = now.at();
    var counted = last.map(now::since).orElse(Map.of());
    // Most nodes were judged at the same time.
    IdentityHashMap<ReadShares, ReadShares> sums = new IdentityHashMap<>();
    for (NodeState node : seen.liveNodes()) {
      Track track = tracks.get(node.id());
      boolean ranThrough = last.filter(then -> now.ranThrough(node.id(), then)).isPresent();
      if (track == null || node.draining() || !ranThrough) {
        next.put(node.id(), Track.from(at));
        continue;
      }
      ReadShares all = sums.computeIfAbsent(track.unjudged(), before -> before.plus(counted));
      if (!node.readable()) {
        // It may have been restarted, which is seen when it is read again.
        next.put(node.id(), track.waiting(all));
        continue;
      }
      OptionalDouble share = all.of(node.id(), peers(seen, node));
      if (share.isEmpty()) {
        // What was long ago says nothing of now.
        boolean old = at.secondsSince(track.judged()) >= seconds(settings.slowFor());
        next.put(node.id(), old ? Track.from(at) : track.waiting(all));
      } else if (share.getAsDouble() < settings.slowShare()) {
        ReplicaSignals known = ReplicaSignals.of(seen, node.id());
        next.put(node.id(), track.few(at, share.getAsDouble(), known));
      } else {
        next.put(node.id(), track.fair(at, share.getAsDouble()));
      }
    }
  }

  /** Nodes for the same reads: replicas in other data centres are not ranked among these. */
  private static List<NodeId> peers(ClusterSnapshot seen, NodeState node) {
    return seen.liveNodes().stream()
        .filter(other -> other.dataCentre().equals(node.dataCentre()))
        .map(NodeState::id)
        .filter(other -> !other.equals(node.id()))
        .toList();
  }

  private static List<SlowNode> slow(SortedMap<NodeId, Track> tracks, HealthSettings settings) {
    List<SlowNode> all = new ArrayList<>();
    tracks.forEach(
        (node, track) -> {
          ReplicaSignals known = ReplicaSignals.mean(track.moments());
          boolean longEnough =
              track.since().isPresent() && track.seconds() >= seconds(settings.slowFor());
          // In a quiet cluster one that others have not heard of lately may get few reads, too.
          if (longEnough && known.areUnusual()) {
            all.add(
                new SlowNode(
                    node,
                    track.share(),
                    Duration.ofMillis(Math.round(track.seconds() * 1e3)),
                    known));
          }
        });
    return List.copyOf(all);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}

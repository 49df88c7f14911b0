package io.trimtab.controller.health;

import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Since when each node has been slower than its peers: in response times, queues or disk. An
 * immutable value. One look at which it is not slower ends it; of one that was late and serves too
 * little to tell by now, that is not known for a while. Not judged where coordinators choose among
 * replicas, who know better ({@link io.trimtab.controller.observe.SlowNodes}).
 */
public final class SlowPeers {
  public static final SlowPeers NONE =
      new SlowPeers(Optional.empty(), Collections.emptySortedMap(), Map.of());

  private final Optional<ReadTime> looked;
  private final SortedMap<NodeId, Track> tracks;

  /** Requests since the start of a node's process, where they are known. */
  private final Map<NodeId, Counted> counts;

  /** For how long a node counts as late that serves too little to show it. */
  private static final double UNTOLD_S = 3_600;

  /**
   * A node's past.
   *
   * @param since when it became slower than its peers; empty if it is not
   * @param signals what is slower
   * @param late its response times; empty if these are not longer
   */
  private record Track(Optional<ReadTime> since, List<String> signals, Optional<Late> late) {}

  /**
   * That a node's requests take longer.
   *
   * @param since when they began to
   * @param answers how many times as long, at the least; NaN where no look has told it
   * @param told at the last look that could compare them
   */
  private record Late(ReadTime since, double answers, ReadTime told) {
    boolean isKnownAt(ReadTime now) {
      return !Double.isNaN(answers) && now.secondsSince(told) <= UNTOLD_S;
    }

    Late and(double more, ReadTime now) {
      boolean unknown = Double.isNaN(answers) || Double.isNaN(more);
      double both = Double.isNaN(more) ? answers : more;
      return new Late(since, unknown ? both : Math.min(answers, more), now);
    }
  }

  private record Counted(long incarnation, long requests) {}

  private SlowPeers(
      Optional<ReadTime> looked, SortedMap<NodeId, Track> tracks, Map<NodeId, Counted> counts) {
    this.looked = looked;
    this.tracks = tracks;
    this.counts = counts;
  }

  /** Nodes that are slow, as of the last look, by name. */
  public List<SlowPeer> now(HealthSettings settings) {
    double least = settings.slowFor().toNanos() / 1e9;
    return tracks.entrySet().stream()
        .filter(e -> e.getValue().since().filter(since -> seconds(since) >= least).isPresent())
        .map(e -> slow(e.getKey(), e.getValue(), least))
        .toList();
  }

  private SlowPeer slow(NodeId node, Track track, double least) {
    double answers =
        track
            .late()
            .filter(late -> seconds(late.since()) >= least && !Double.isNaN(late.answers()))
            .map(Late::answers)
            .orElse(1.0);
    double seconds = seconds(track.since().orElseThrow());
    return new SlowPeer(
        node, track.signals(), answers, Duration.ofMillis(Math.round(seconds * 1e3)));
  }

  private double seconds(ReadTime since) {
    return looked.map(now -> now.secondsSince(since)).orElse(0.0);
  }

  /** Whether a node was judged and is no slower than its peers. */
  public boolean fair(NodeId node) {
    Track track = tracks.get(node);
    return track != null && track.since().isEmpty();
  }

  /**
   * The same after one more look.
   *
   * @param gapMax the longest time between two looks; after a longer one, nothing from before
   *     counts
   */
  public SlowPeers append(ClusterSnapshot seen, HealthSettings settings, Duration gapMax) {
    double gap = looked.map(seen.readTime()::secondsSince).orElse(0.0);
    if (!(gap >= 0 && gap <= gapMax.toNanos() / 1e9)) {
      return NONE.append(seen, settings, gapMax);
    }
    boolean ranked = seen.liveNodes().stream().anyMatch(node -> node.view().isPresent());
    if (ranked || !seen.clusterGaps().isEmpty()) {
      return ranked ? NONE : new SlowPeers(Optional.of(seen.readTime()), tracks, counts);
    }
    List<NodeState> judged =
        seen.liveNodes().stream().filter(n -> n.readable() && !n.draining()).toList();
    Map<NodeId, Counted> read = new TreeMap<>();
    Map<NodeId, Double> served = new TreeMap<>();
    for (NodeState node : judged) {
      Counted is = new Counted(node.incarnation(), node.gauges().times().requests());
      Counted was = counts.get(node.id());
      read.put(node.id(), is);
      boolean goesOn = was != null && was.incarnation() == is.incarnation() && was.requests() >= 0;
      if (goesOn && is.requests() >= was.requests()) {
        served.put(node.id(), (double) (is.requests() - was.requests()));
      }
    }
    SortedMap<NodeId, Track> next = new TreeMap<>();
    judged.stream()
        .collect(Collectors.groupingBy(NodeState::dataCentre))
        .values()
        .forEach(
            nodes -> {
              PeerSignals signals = new PeerSignals(nodes, served, settings.slowTimes());
              for (NodeState node : nodes) {
                track(node.id(), signals.of(node), seen.readTime())
                    .ifPresent(track -> next.put(node.id(), track));
              }
            });
    return new SlowPeers(
        Optional.of(seen.readTime()), Collections.unmodifiableSortedMap(next), Map.copyOf(read));
  }

  /** A node's past with one more look; empty if nothing is known of it. */
  private Optional<Track> track(NodeId node, Optional<PeerSignals.Look> look, ReadTime now) {
    Optional<Track> before = Optional.ofNullable(tracks.get(node));
    Optional<Late> late = before.flatMap(Track::late);
    boolean untold = look.filter(PeerSignals.Look::timed).isEmpty();
    if (untold && late.filter(l -> l.isKnownAt(now)).isPresent()) {
      return before;
    }
    if (look.isEmpty() || look.get().signals().isEmpty()) {
      return look.map(fair -> new Track(Optional.empty(), List.of(), Optional.empty()));
    }
    ReadTime since = before.flatMap(Track::since).orElse(now);
    return Optional.of(
        new Track(Optional.of(since), look.get().signals(), late(late, look.get(), now)));
  }

  private static Optional<Late> late(Optional<Late> before, PeerSignals.Look look, ReadTime now) {
    double answers = look.answers();
    return !look.timed() || answers == 1
        ? Optional.empty()
        : before.map(late -> late.and(answers, now)).or(() -> first(answers, now));
  }

  private static Optional<Late> first(double answers, ReadTime now) {
    return Optional.of(new Late(now, answers, now));
  }
}

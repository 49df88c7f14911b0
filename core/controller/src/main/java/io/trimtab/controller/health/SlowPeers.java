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

/**
 * Since when each node has been slower than its peers: in response times, queues or disk. An
 * immutable value. One look at which it is not slower ends it. Not judged where coordinators choose
 * among replicas, who know better ({@link io.trimtab.controller.observe.SlowNodes}).
 */
public final class SlowPeers {
  public static final SlowPeers NONE =
      new SlowPeers(Optional.empty(), Collections.emptySortedMap(), Map.of());

  private final Optional<ReadTime> looked;
  private final SortedMap<NodeId, Track> tracks;

  /** Requests since the start of a node's process, where they are known. */
  private final Map<NodeId, Counted> counts;

  /**
   * A node's past.
   *
   * @param since when it became slower than its peers; empty if it is not
   * @param signals what is slower
   */
  private record Track(Optional<ReadTime> since, List<PeerSignals.Slower> signals) {}

  private record Counted(long incarnation, long requests) {}

  private SlowPeers(
      Optional<ReadTime> looked, SortedMap<NodeId, Track> tracks, Map<NodeId, Counted> counts) {
    this.looked = looked;
    this.tracks = tracks;
    this.counts = counts;
  }

  /** Nodes that are slow, as of the last look, by name. */
  public List<SlowPeer> now(HealthSettings settings) {
    return tracks.entrySet().stream()
        .filter(e -> e.getValue().since().isPresent())
        .filter(e -> seconds(e.getValue()) >= settings.slowFor().toNanos() / 1e9)
        .map(
            e ->
                new SlowPeer(
                    e.getKey(),
                    e.getValue().signals().stream().map(PeerSignals.Slower::text).toList(),
                    e.getValue().signals().stream()
                        .mapToDouble(PeerSignals.Slower::answers)
                        .max()
                        .orElse(1),
                    Duration.ofMillis(Math.round(seconds(e.getValue()) * 1e3))))
        .toList();
  }

  private double seconds(Track track) {
    return track.since().isPresent() && looked.isPresent()
        ? looked.get().secondsSince(track.since().get())
        : 0;
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
    for (NodeState node : judged) {
      List<NodeState> peers =
          judged.stream()
              .filter(n -> !n.id().equals(node.id()) && n.dataCentre().equals(node.dataCentre()))
              .toList();
      PeerSignals.of(node, peers, served, settings.slowTimes())
          .ifPresent(slower -> next.put(node.id(), track(node.id(), slower, seen.readTime())));
    }
    return new SlowPeers(
        Optional.of(seen.readTime()), Collections.unmodifiableSortedMap(next), Map.copyOf(read));
  }

  private Track track(NodeId node, List<PeerSignals.Slower> slower, ReadTime now) {
    if (slower.isEmpty()) {
      return new Track(Optional.empty(), slower);
    }
    Optional<ReadTime> since = Optional.ofNullable(tracks.get(node)).flatMap(Track::since);
    return new Track(since.or(() -> Optional.of(now)), slower);
  }
}

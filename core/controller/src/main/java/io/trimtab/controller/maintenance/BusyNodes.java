package io.trimtab.controller.maintenance;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Nodes that do work beside serving, from one snapshot to the next. One look is not enough: such
 * work has phases in which nothing of it is seen. An immutable value.
 *
 * @param nodes by name
 * @param since since when there has always been one of them, whichever; empty if there is none
 */
public record BusyNodes(List<Busy> nodes, Optional<Instant> since) {
  /**
   * For which a controller may be away, from what it kept last to what the next one sees first,
   * without work that goes on counting as new (ours).
   */
  private static final Duration RESTART = Duration.ofMinutes(15);

  /** Before the first snapshot. */
  public static final BusyNodes NONE = new BusyNodes(List.of(), Optional.empty());

  public BusyNodes {
    nodes = List.copyOf(nodes);
  }

  /** The same after one more look. */
  public BusyNodes append(ClusterSnapshot seen) {
    Instant now = seen.takenAt();
    List<Busy> next = new ArrayList<>();
    for (NodeState node : seen.liveNodes()) {
      Optional<Busy> before = of(node.id()).map(busy -> busy.notAfter(now));
      if (node.maintenance().isEmpty()) {
        before.filter(busy -> busy.goesOn(now)).ifPresent(next::add);
      } else {
        Instant begun = before.map(Busy::since).orElse(now);
        next.add(new Busy(node.id(), node.maintenance(), begun, now));
      }
    }
    return new BusyNodes(
        next,
        next.isEmpty() ? Optional.empty() : Optional.of(Busy.earlier(since.orElse(now), now)));
  }

  /**
   * What is kept of them on disk, so that a wait does not begin anew with each controller.
   *
   * @param since null if there is none
   */
  public record Kept(List<KeptNode> nodes, Instant since) {
    public Kept {
      nodes = List.copyOf(nodes);
    }
  }

  /** A node that was busy, by its name. */
  public record KeptNode(String node, List<String> work, Instant since, Instant seen) {
    public KeptNode {
      work = List.copyOf(work);
    }
  }

  /** The same, as they are kept. */
  public Kept kept() {
    return new Kept(
        nodes.stream()
            .map(busy -> new KeptNode(busy.node().name(), busy.work(), busy.since(), busy.seen()))
            .toList(),
        since.orElse(null));
  }

  /** Those that were kept, which go on. */
  public static BusyNodes of(Kept kept) {
    return new BusyNodes(
        kept.nodes().stream()
            .map(n -> new Busy(new NodeId(n.node()), n.work(), n.since(), n.seen()))
            .toList(),
        Optional.ofNullable(kept.since()));
  }

  /**
   * Before the first snapshot of another controller: without those that were seen so long ago that
   * what they do now may be something else.
   */
  public BusyNodes resumed(Instant now) {
    List<Busy> left =
        nodes.stream()
            .filter(busy -> Duration.between(busy.seen(), now).compareTo(RESTART) < 0)
            .toList();
    return left.isEmpty() ? NONE : new BusyNodes(left, since);
  }

  private Optional<Busy> of(NodeId node) {
    return nodes.stream().filter(busy -> busy.node().equals(node)).findFirst();
  }
}

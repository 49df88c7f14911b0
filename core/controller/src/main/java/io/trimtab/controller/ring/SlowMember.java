package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.NodeWanted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A node of a ring that coordinators avoid. Its peers have its reads already; its writes and its
 * data it has until it leaves.
 *
 * @param capacity what it does of what one of its peers does, in [0, 1]
 * @param bytes that it stores
 * @param othersBytes that its peers store, all together
 */
public record SlowMember(SlowNode told, double capacity, double bytes, double othersBytes) {
  /**
   * The slowest of some nodes; empty if none is slow.
   *
   * @param usable nodes that are not about to leave
   */
  public static Optional<SlowMember> of(Observation.Usable seen, Collection<NodeId> usable) {
    // Every partition's node is looked up in it.
    Set<NodeId> those = Set.copyOf(usable);
    return seen.slow().stream()
        .filter(slow -> those.contains(slow.node()))
        .min(Comparator.comparingDouble(SlowNode::share))
        .map(slow -> of(seen, slow, those));
  }

  private static SlowMember of(Observation.Usable seen, SlowNode slow, Set<NodeId> usable) {
    double reads = 0;
    double all = 0;
    for (Rates rates : seen.rates().values()) {
      reads += rates.reads();
      all += rates.total();
    }
    double avoidable = all > 0 ? Math.min(1, reads / all) : 1;
    double bytes = bytes(seen, slow.node()::equals);
    double others = bytes(seen, id -> usable.contains(id) && !id.equals(slow.node()));
    double capacity = 1 - avoidable * (1 - Math.min(1, slow.share()));
    return new SlowMember(slow, capacity, bytes, others);
  }

  private static double bytes(Observation.Usable seen, Predicate<NodeId> nodes) {
    return seen.snapshot().partitions().stream()
        .filter(p -> p.node().filter(nodes).isPresent())
        .mapToDouble(PartitionState::sizeBytes)
        .sum();
  }

  public NodeId node() {
    return told.node();
  }

  /**
   * What it brings that another takes its place, less what that costs, in seconds of a node. What
   * has been slow for a while is expected to stay so for as long again: a short disturbance is no
   * reason to copy its data twice: to the other, and as it leaves. The cleanups of its peers are
   * counted as if they rewrote all that these store, which is the most that they do.
   *
   * @param horizon the longest time that is looked ahead
   */
  public double gain(Duration horizon) {
    double ahead = Math.min(told.lasted().toMillis(), horizon.toMillis()) / 1e3;
    return (1 - capacity) * ahead - change().price();
  }

  /** Another takes its place. */
  RingChange change() {
    return RingChange.replacing(bytes, othersBytes);
  }

  /** Why another can't take its place now, if so, a clause. */
  public Optional<String> stays(DecisionContext context) {
    ClusterSnapshot seen = context.seen().snapshot();
    Optional<Instant> from = context.state().replaceableFrom(node(), seen.takenAt());
    if (from.isPresent()) {
      return Optional.of(
          "it was part of a replacement less than a day ago, so that it is not replaced before "
              + from.get().truncatedTo(ChronoUnit.SECONDS));
    }
    Removable removable = UsableNodes.removable(context.seen());
    if (!removable.allows(node(), List.of(), true)) {
      return Optional.of("it can't be given back when another has joined: " + removable.rule());
    }
    Optional<String> own = seen.node(node()).map(NodeWanted::place);
    Optional<String> asked = NodeWanted.place(seen);
    boolean places =
        UsableNodes.of(context.seen()).stream().map(NodeWanted::place).distinct().count() > 1;
    return places && !asked.equals(own)
        ? Optional.of(
            "a new node may come to another rack or data centre, where it would not get its ranges"
                + asked.map(rack -> ": one is asked for in " + rack).orElse(""))
        : Optional.empty();
  }
}

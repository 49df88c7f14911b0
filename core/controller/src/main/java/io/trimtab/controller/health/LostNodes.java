package io.trimtab.controller.health;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Nodes that were lost by themselves, or fell silent, and what that leaves for a while: partitions
 * that no node serves, and clients that wait for them. Rates of that time are no load that a
 * decision may go by: to it, a table whose clients wait is one that nobody asks for. A node that
 * dies is silent first, until the cluster counts it as dead. An immutable value, from one snapshot
 * to the next.
 *
 * @param whole the last snapshot without a gap that is no node's
 * @param loss what has happened, as long as it matters
 * @param counted when nodes were lost in the last hour; another loss of one of them does not count,
 *     so that a node that dies again and again does not keep the others from being looked after
 * @param silences the same of nodes that fell silent
 * @param beginsAnew whether what was seen until now is no load to decide by, so that samples begin
 *     with the last snapshot: a node was lost since the one before, its partitions are not served,
 *     or were not until then; or what was waited for is over
 */
public record LostNodes(
    Optional<ClusterSnapshot> whole,
    Optional<Loss> loss,
    Map<NodeId, ReadTime> counted,
    Map<NodeId, ReadTime> silences,
    boolean beginsAnew) {
  public static final LostNodes NONE =
      new LostNodes(Optional.empty(), Optional.empty(), Map.of(), Map.of(), false);

  private static final Duration COUNTED_FOR = Duration.ofHours(1);

  public LostNodes {
    counted = Collections.unmodifiableMap(new TreeMap<>(counted));
    silences = Collections.unmodifiableMap(new TreeMap<>(silences));
  }

  /** The same after a plan, which may have restarted or removed nodes. */
  public LostNodes afterPlan() {
    return new LostNodes(Optional.empty(), Optional.empty(), counted, silences, false);
  }

  /**
   * With one more snapshot. One with a gap that is no node's tells nothing of nodes.
   *
   * @param history without it
   */
  public LostNodes append(History history, ClusterSnapshot seen, PaceSettings pace) {
    if (!seen.clusterGaps().isEmpty()) {
      return new LostNodes(whole, loss, counted, silences, false);
    }
    ReadTime now = seen.readTime();
    Map<NodeId, ReadTime> died = lately(counted, now);
    Map<NodeId, ReadTime> quiet = lately(silences, now);
    Set<NodeId> lost = whole.map(before -> lost(before, seen)).orElseGet(() -> dead(seen));
    lost.removeIf(node -> died.putIfAbsent(node, now) != null);
    Set<NodeId> fell = whole.map(before -> fallenSilent(before, seen)).orElseGet(TreeSet::new);
    fell.removeIf(node -> quiet.putIfAbsent(node, now) != null);

    Optional<Loss> known = loss.flatMap(before -> before.goesOn(seen, lost));
    if (known.isEmpty() && (!lost.isEmpty() || !fell.isEmpty())) {
      known = Optional.of(Loss.begun(whole.orElse(seen).readTime(), now, history.rates()));
    }
    Set<PartitionId> its = partitions(lost, seen);
    Optional<Loss> next =
        known.map(before -> before.with(lost, its, fell, now).seen(history, seen, pace));
    boolean anew =
        !lost.isEmpty()
            || next.filter(is -> is.unserved() > 0).isPresent()
            || loss.filter(was -> was.isOver(next, now)).isPresent();
    return new LostNodes(Optional.of(seen), next, died, quiet, anew);
  }

  private static Map<NodeId, ReadTime> lately(Map<NodeId, ReadTime> all, ReadTime now) {
    Map<NodeId, ReadTime> lately = new TreeMap<>(all);
    lately.values().removeIf(at -> now.secondsSince(at) > COUNTED_FOR.toSeconds());
    return lately;
  }

  /** Those that nodes served, or that nobody serves where they were dead at the first look. */
  private Set<PartitionId> partitions(Set<NodeId> nodes, ClusterSnapshot seen) {
    if (nodes.isEmpty()) {
      return Set.of();
    }
    Predicate<PartitionState> its =
        whole.isPresent()
            ? p -> p.node().filter(nodes::contains).isPresent()
            : p -> p.node().isEmpty();
    return whole.orElse(seen).partitions().stream()
        .filter(its)
        .map(PartitionState::id)
        .collect(Collectors.toSet());
  }

  private static Set<NodeId> fallenSilent(ClusterSnapshot before, ClusterSnapshot now) {
    return before.liveNodes().stream()
        .filter(NodeState::readable)
        .map(NodeState::id)
        .filter(node -> Loss.isSilent(now, node))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** At a first look: dead nodes whose partitions nobody has taken over yet. */
  private static Set<NodeId> dead(ClusterSnapshot seen) {
    boolean areServed = seen.partitions().stream().allMatch(p -> p.node().isPresent());
    return seen.nodes().stream()
        .filter(node -> !areServed && !node.alive())
        .map(NodeState::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Nodes with partitions, or data, that were alive and are not any more, or began anew. */
  private static Set<NodeId> lost(ClusterSnapshot before, ClusterSnapshot now) {
    boolean assigns = PlacementModel.of(before).assignsPartitions();
    Set<NodeId> serving =
        before.partitions().stream().flatMap(p -> p.node().stream()).collect(Collectors.toSet());
    Set<NodeId> lost = new TreeSet<>();
    for (NodeState node : before.liveNodes()) {
      // What is no member of a ring any more was taken out of it.
      boolean goesOn = now.node(node.id()).map(is -> goesOn(node, is)).orElse(!assigns);
      if (!goesOn && (!assigns || serving.contains(node.id()))) {
        lost.add(node.id());
      }
    }
    return lost;
  }

  private static boolean goesOn(NodeState was, NodeState is) {
    boolean compares = was.incarnation() > 0 && is.incarnation() > 0;
    return is.alive() && (!compares || is.incarnation() == was.incarnation());
  }

  /** Why nothing is decided yet; empty if no loss is in the way. */
  public Optional<Loss.Wait> waits() {
    return loss.flatMap(Loss::waits);
  }

  /**
   * What users are served before a plan: before a loss, as long as that is waited for, else now.
   *
   * @param worst how requests were served in the samples
   */
  public UsersLevel usual(History history, ServedTimes worst) {
    Optional<ReadTime> now = history.last().map(ClusterSnapshot::readTime);
    Map<PartitionId, Rates> rates =
        loss.filter(known -> now.filter(known::isPatient).isPresent())
            .map(Loss::before)
            .filter(before -> !before.isEmpty())
            .orElse(history.rates());
    return new UsersLevel(rates, history.dips().least(), worst);
  }
}

package io.trimtab.controller.health;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Nodes that were lost by themselves, and what that leaves for a while: partitions that no node
 * serves yet, and clients that wait for them. Rates of that time are no load that a decision may go
 * by: to it, a table whose clients wait is one that nobody asks for. An immutable value, from one
 * snapshot to the next.
 *
 * @param loss what is waited for now
 * @param counted when nodes were lost in the last hour; another loss of one of them is not waited
 *     for, so that a node that dies again and again does not keep the others from being looked
 *     after
 */
public record LostNodes(Optional<Loss> loss, Map<NodeId, ReadTime> counted) {
  public static final LostNodes NONE = new LostNodes(Optional.empty(), Map.of());

  private static final Duration COUNTED_FOR = Duration.ofHours(1);

  /** For which users' requests are waited for; as long as a plan goes on where they are as low. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Of fewer requests a second the number varies by chance. */
  private static final double RATE_MIN = 5;

  /**
   * A loss that is waited for.
   *
   * @param nodes that were lost, one or more
   * @param since the last snapshot in which all was well
   * @param before rates until then
   * @param unserved partitions of which the last snapshot named no node
   * @param served the first snapshot from which on all have one; empty while some have none
   * @param anew whether the last snapshot begins a new history: a node was lost since the one
   *     before, or partitions are not served, or were not until then
   */
  public record Loss(
      SortedSet<NodeId> nodes,
      ReadTime since,
      Map<PartitionId, Rates> before,
      long unserved,
      Optional<ReadTime> served,
      boolean anew) {
    public Loss {
      nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
      before = Map.copyOf(before);
    }

    /** The beginning of a sentence. */
    public String text() {
      return nodes.stream().map(NodeId::name).collect(Collectors.joining(", "))
          + (nodes.size() == 1 ? " was lost" : " were lost");
    }
  }

  /**
   * Why nothing is decided.
   *
   * @param reason a sentence without an end
   * @param setting that would change it; "" if none does
   */
  public record Wait(String reason, String setting) {}

  public LostNodes {
    counted = Collections.unmodifiableMap(new TreeMap<>(counted));
  }

  /**
   * With one more snapshot.
   *
   * @param history without it; one that has just begun can't tell what was lost
   */
  public LostNodes append(History history, ClusterSnapshot seen) {
    SortedSet<NodeId> gone = history.last().map(last -> gone(last, seen)).orElseGet(TreeSet::new);
    ReadTime now = seen.readTime();
    Map<NodeId, ReadTime> lately = new TreeMap<>(counted);
    lately.values().removeIf(at -> now.secondsSince(at) > COUNTED_FOR.toSeconds());
    gone.removeAll(lately.keySet());
    gone.forEach(node -> lately.put(node, now));
    if (loss.isEmpty() && gone.isEmpty()) {
      return new LostNodes(loss, lately);
    }
    Loss next = loss.map(l -> next(l, gone, seen)).orElseGet(() -> first(gone, history, seen));
    boolean isOver =
        next.served().filter(at -> now.secondsSince(at) > PATIENCE.toSeconds()).isPresent();
    return new LostNodes(isOver ? Optional.empty() : Optional.of(next), lately);
  }

  private static Loss first(SortedSet<NodeId> gone, History history, ClusterSnapshot seen) {
    long unserved = unserved(seen);
    return new Loss(
        gone,
        history.last().orElseThrow().readTime(),
        history.rates(),
        unserved,
        unserved > 0 ? Optional.empty() : Optional.of(seen.readTime()),
        true);
  }

  private static Loss next(Loss before, SortedSet<NodeId> gone, ClusterSnapshot seen) {
    long unserved = unserved(seen);
    boolean anew = !gone.isEmpty() || unserved > 0 || before.unserved() > 0;
    SortedSet<NodeId> nodes = new TreeSet<>(before.nodes());
    nodes.addAll(gone);
    Optional<ReadTime> served = anew ? Optional.of(seen.readTime()) : before.served();
    return new Loss(
        nodes,
        before.since(),
        before.before(),
        unserved,
        unserved > 0 ? Optional.empty() : served,
        anew);
  }

  private static long unserved(ClusterSnapshot seen) {
    return seen.partitions().stream().filter(p -> p.node().isEmpty()).count();
  }

  /** Nodes with partitions, or data, that were alive and are not any more, or began anew. */
  private static SortedSet<NodeId> gone(ClusterSnapshot before, ClusterSnapshot now) {
    boolean assigns = PlacementModel.of(before).assignsPartitions();
    Set<NodeId> serving =
        before.partitions().stream().flatMap(p -> p.node().stream()).collect(Collectors.toSet());
    // One that is missing where the cluster tells only a part may be there.
    boolean tellsAll = now.clusterGaps().isEmpty();
    SortedSet<NodeId> gone = new TreeSet<>();
    for (NodeState node : before.liveNodes()) {
      boolean goesOn = now.node(node.id()).map(is -> goesOn(node, is)).orElse(!tellsAll);
      if (!goesOn && (!assigns || serving.contains(node.id()))) {
        gone.add(node.id());
      }
    }
    return gone;
  }

  private static boolean goesOn(NodeState was, NodeState is) {
    boolean compares = was.readable() && is.readable();
    return is.alive() && (!compares || is.incarnation() == was.incarnation());
  }

  /** Whether the last snapshot begins a new history. */
  public boolean beginsAnew() {
    return loss.filter(Loss::anew).isPresent();
  }

  /**
   * Why nothing is decided yet; empty if no loss is in the way.
   *
   * @param history with the last snapshot
   */
  public Optional<Wait> waits(History history, Settings settings) {
    if (loss.isEmpty()) {
      return Optional.empty();
    }
    Loss known = loss.get();
    if (known.unserved() > 0) {
      String what = Counted.are(known.unserved(), "partition") + " not served by any node yet";
      return Optional.of(new Wait(known.text() + ", and " + what, ""));
    }
    List<UsersLevel.Level> tables = levels(known.before(), history.rates());
    if (history.samples() < settings.observe().samples() || tables.isEmpty()) {
      return Optional.empty();
    }
    double kept = UsersLevel.kept(tables, UsersLevel.Level::ofMean);
    if (kept >= settings.pace().endBelow()) {
      return Optional.empty();
    }
    UsersLevel.Level worst =
        Collections.min(tables, Comparator.comparingDouble(UsersLevel.Level::ofMean));
    String what =
        String.format(
            Locale.ROOT,
            "%s, and users' requests are at %.2f of the level before (table %s: %.2f)",
            known.text(),
            kept,
            worst.table(),
            worst.ofMean());
    return Optional.of(new Wait(what, "pace.endBelow"));
  }

  private static List<UsersLevel.Level> levels(
      Map<PartitionId, Rates> before, Map<PartitionId, Rates> now) {
    Map<String, Double> was = byTable(before);
    Map<String, Double> is = byTable(now);
    List<UsersLevel.Level> levels = new ArrayList<>();
    was.forEach(
        (table, rate) -> {
          if (rate >= RATE_MIN) {
            double level = is.getOrDefault(table, 0.0) / rate;
            levels.add(new UsersLevel.Level(table, rate, level, level));
          }
        });
    return levels;
  }

  private static Map<String, Double> byTable(Map<PartitionId, Rates> rates) {
    Map<String, Double> sums = new TreeMap<>();
    new TreeMap<>(rates).forEach((id, rate) -> sums.merge(id.table(), rate.total(), Double::sum));
    return sums;
  }
}

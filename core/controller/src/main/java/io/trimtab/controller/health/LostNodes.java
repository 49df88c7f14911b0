package io.trimtab.controller.health;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.time.Duration;
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
import java.util.stream.Stream;

/**
 * Nodes that were lost by themselves, or fell silent, and what that leaves for a while: partitions
 * that no node serves, and clients that wait for them. Rates of that time are no load that a
 * decision may go by: to it, a table whose clients wait is one that nobody asks for. A node that
 * dies is silent first, until the cluster counts it as dead. An immutable value, from one snapshot
 * to the next.
 *
 * @param loss what is waited for now
 * @param counted when nodes were lost in the last hour; another loss of one of them is not waited
 *     for, so that a node that dies again and again does not keep the others from being looked
 *     after
 * @param silences the same of nodes that fell silent
 */
public record LostNodes(
    Optional<Loss> loss, Map<NodeId, ReadTime> counted, Map<NodeId, ReadTime> silences) {
  public static final LostNodes NONE = new LostNodes(Optional.empty(), Map.of(), Map.of());

  private static final Duration COUNTED_FOR = Duration.ofHours(1);

  /** For which users' requests are waited for; as long as a plan goes on where they are as low. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * A loss that is waited for.
   *
   * @param lost nodes that died or began anew
   * @param silent nodes that could be read before and can't be now; one of both is not empty
   * @param since the last snapshot in which all was well
   * @param before rates until then
   * @param unserved partitions of which the last snapshot named no node, if a node was lost
   * @param last the first snapshot after the last event: that a node was lost or fell silent, or
   *     that all partitions are served again
   * @param levels of users' requests to tables, between the last two snapshots that told any
   * @param anew whether the last snapshot begins a new history: a node was lost since the one
   *     before, or partitions are not served, or were not until then
   */
  public record Loss(
      SortedSet<NodeId> lost,
      SortedSet<NodeId> silent,
      ReadTime since,
      Map<PartitionId, Rates> before,
      long unserved,
      ReadTime last,
      List<UsersLevel.Level> levels,
      boolean anew) {
    public Loss {
      lost = Collections.unmodifiableSortedSet(new TreeSet<>(lost));
      silent = Collections.unmodifiableSortedSet(new TreeSet<>(silent));
      before = Map.copyOf(before);
      levels = List.copyOf(levels);
    }

    /** The beginning of a sentence. */
    public String text() {
      return Stream.of(
              names(lost, lost.size() == 1 ? " was lost" : " were lost"),
              names(silent, " can't be read"))
          .filter(part -> !part.isEmpty())
          .collect(Collectors.joining(", "));
    }

    private static String names(Set<NodeId> nodes, String what) {
      return nodes.isEmpty()
          ? ""
          : nodes.stream().map(NodeId::name).collect(Collectors.joining(", ")) + what;
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
    silences = Collections.unmodifiableMap(new TreeMap<>(silences));
  }

  /**
   * With one more snapshot.
   *
   * @param history without it; one that has just begun can't tell what was lost
   */
  public LostNodes append(History history, ClusterSnapshot seen) {
    if (history.last().isEmpty()) {
      return this;
    }
    ClusterSnapshot before = history.last().get();
    ReadTime now = seen.readTime();
    Map<NodeId, ReadTime> died = lately(counted, now);
    Map<NodeId, ReadTime> quiet = lately(silences, now);
    Set<NodeId> gone = gone(before, seen);
    gone.removeIf(node -> died.putIfAbsent(node, now) != null);
    Set<NodeId> silent = silent(before, seen);
    silent.removeIf(node -> quiet.putIfAbsent(node, now) != null);
    return new LostNodes(next(history, before, seen, gone, silent), died, quiet);
  }

  private static Map<NodeId, ReadTime> lately(Map<NodeId, ReadTime> all, ReadTime now) {
    Map<NodeId, ReadTime> lately = new TreeMap<>(all);
    lately.values().removeIf(at -> now.secondsSince(at) > COUNTED_FOR.toSeconds());
    return lately;
  }

  private Optional<Loss> next(
      History history,
      ClusterSnapshot before,
      ClusterSnapshot seen,
      Set<NodeId> gone,
      Set<NodeId> silent) {
    SortedSet<NodeId> lost = new TreeSet<>(gone);
    SortedSet<NodeId> quiet = new TreeSet<>(silent);
    loss.ifPresent(
        known -> {
          lost.addAll(known.lost());
          known.silent().stream().filter(n -> isSilent(seen, n)).forEach(quiet::add);
        });
    if (lost.isEmpty() && quiet.isEmpty()) {
      return Optional.empty();
    }
    Map<PartitionId, Rates> rates = loss.map(Loss::before).orElse(history.rates());
    long unserved = lost.isEmpty() ? 0 : unserved(seen);
    boolean wereUnserved = loss.filter(known -> known.unserved() > 0).isPresent();
    boolean event = !gone.isEmpty() || !silent.isEmpty() || unserved > 0 || wereUnserved;
    ReadTime last = loss.map(Loss::last).filter(at -> !event).orElse(seen.readTime());
    if (seen.readTime().secondsSince(last) > PATIENCE.toSeconds()) {
      return Optional.empty();
    }
    List<UsersLevel.Level> levels = new UsersLevel(rates, Map.of()).levels(before, seen);
    return Optional.of(
        new Loss(
            lost,
            quiet,
            loss.map(Loss::since).orElse(before.readTime()),
            rates,
            unserved,
            last,
            levels.isEmpty() ? loss.map(Loss::levels).orElse(levels) : levels,
            !gone.isEmpty() || unserved > 0 || wereUnserved));
  }

  private static long unserved(ClusterSnapshot seen) {
    return seen.partitions().stream().filter(p -> p.node().isEmpty()).count();
  }

  private static boolean isSilent(ClusterSnapshot seen, NodeId node) {
    return seen.node(node).filter(n -> n.alive() && !n.readable()).isPresent();
  }

  private static Set<NodeId> silent(ClusterSnapshot before, ClusterSnapshot now) {
    return before.liveNodes().stream()
        .filter(NodeState::readable)
        .map(NodeState::id)
        .filter(node -> isSilent(now, node))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Nodes with partitions, or data, that were alive and are not any more, or began anew. */
  private static Set<NodeId> gone(ClusterSnapshot before, ClusterSnapshot now) {
    boolean assigns = PlacementModel.of(before).assignsPartitions();
    Set<NodeId> serving =
        before.partitions().stream().flatMap(p -> p.node().stream()).collect(Collectors.toSet());
    // One that is missing where the cluster tells only a part may be there, and one that is no
    // member of a ring any more was taken out of it.
    boolean missingIsLost = assigns && now.clusterGaps().isEmpty();
    Set<NodeId> gone = new TreeSet<>();
    for (NodeState node : before.liveNodes()) {
      boolean goesOn = now.node(node.id()).map(is -> goesOn(node, is)).orElse(!missingIsLost);
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

  /** Why nothing is decided yet; empty if no loss is in the way. */
  public Optional<Wait> waits(PaceSettings settings) {
    return loss.flatMap(known -> waits(known, settings));
  }

  private static Optional<Wait> waits(Loss known, PaceSettings settings) {
    if (known.unserved() > 0) {
      return Optional.of(new Wait(known.text() + unserved(known.unserved()), ""));
    }
    if (known.before().isEmpty() && !known.silent().isEmpty()) {
      return Optional.of(
          new Wait(known.text() + ", and what users asked for before is not known", ""));
    }
    // The worst one, as what others are served says nothing of a table whose clients wait.
    return known.levels().stream()
        .min(Comparator.comparingDouble(UsersLevel.Level::ofMean))
        .filter(worst -> worst.ofMean() < settings.endBelow())
        .map(
            worst ->
                new Wait(
                    String.format(
                        Locale.ROOT,
                        "%s, and users' requests to table %s are at %.2f of the level before",
                        known.text(),
                        worst.table(),
                        worst.ofMean()),
                    "pace.endBelow"));
  }

  /** The end of a sentence on nodes that were lost. */
  public static String unserved(long partitions) {
    return partitions == 0
        ? ""
        : ", and " + Counted.are(partitions, "partition") + " not served by any node yet";
  }
}

package io.trimtab.controller.health;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nodes that were lost, or fell silent, in one go; an immutable value.
 *
 * @param lost nodes that died or began anew
 * @param silent nodes that could be read before and can't be now
 * @param its partitions that lost nodes served
 * @param since the last snapshot in which all was well
 * @param begun the first one in which something was seen of it
 * @param last the first one after the last event: that a node was lost or fell silent, or that all
 *     partitions are served again
 * @param before rates until then
 * @param unserved of its partitions, those of which the last snapshot named no node
 * @param levels of users' requests to tables, between the last two snapshots that told any
 * @param waits why nothing is decided; empty if it is not in the way
 */
public record Loss(
    SortedSet<NodeId> lost,
    SortedSet<NodeId> silent,
    Set<PartitionId> its,
    ReadTime since,
    ReadTime begun,
    ReadTime last,
    Map<PartitionId, Rates> before,
    long unserved,
    List<UsersLevel.Level> levels,
    Optional<Wait> waits) {
  /** For which users' requests are waited for; as long as a plan goes on where they are as low. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** After which nothing is waited for, however many nodes follow each other (ours). */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /**
   * Why nothing is decided.
   *
   * @param reason a sentence without an end
   * @param setting that would change it; "" if none does
   */
  public record Wait(String reason, String setting) {}

  public Loss {
    lost = Collections.unmodifiableSortedSet(new TreeSet<>(lost));
    silent = Collections.unmodifiableSortedSet(new TreeSet<>(silent));
    its = Set.copyOf(its);
    before = Map.copyOf(before);
    levels = List.copyOf(levels);
  }

  /** Before any node is named. */
  static Loss begun(ReadTime since, ReadTime now, Map<PartitionId, Rates> before) {
    return new Loss(
        Collections.emptySortedSet(),
        Collections.emptySortedSet(),
        Set.of(),
        since,
        now,
        now,
        before,
        0,
        List.of(),
        Optional.empty());
  }

  static boolean isSilent(ClusterSnapshot seen, NodeId node) {
    return seen.node(node).filter(n -> n.alive() && !n.readable()).isPresent();
  }

  /**
   * What of it still matters; empty if nothing does. Of a node that stays silent what users asked
   * for before does, for when it turns out to be dead.
   *
   * @param dead nodes that the snapshot shows as lost
   */
  Optional<Loss> goesOn(ClusterSnapshot seen, Set<NodeId> dead) {
    SortedSet<NodeId> still =
        silent.stream()
            .filter(node -> isSilent(seen, node))
            .collect(Collectors.toCollection(TreeSet::new));
    boolean matters = !lost.isEmpty() && (isPatient(seen.readTime()) || isUnserved(seen));
    Loss next =
        new Loss(
            matters ? lost : Collections.emptySortedSet(),
            still,
            matters ? its : Set.of(),
            since,
            begun,
            last,
            before,
            matters ? unserved : 0,
            levels,
            waits);
    boolean died = silent.stream().anyMatch(dead::contains);
    return Optional.of(next).filter(loss -> matters || died || !still.isEmpty());
  }

  boolean isPatient(ReadTime now) {
    return now.secondsSince(last) <= PATIENCE.toSeconds() && !isTooLong(now);
  }

  private boolean isTooLong(ReadTime now) {
    return now.secondsSince(begun) > LONGEST.toSeconds();
  }

  private boolean isUnserved(ClusterSnapshot seen) {
    return unserved(seen) > 0 && !isTooLong(seen.readTime());
  }

  private long unserved(ClusterSnapshot seen) {
    return seen.partitions().stream()
        .filter(p -> p.node().isEmpty() && its.contains(p.id()))
        .count();
  }

  /** The same with more nodes, and the partitions of those that were lost. */
  Loss with(Set<NodeId> more, Set<PartitionId> theirs, Set<NodeId> fell, ReadTime now) {
    if (more.isEmpty() && fell.isEmpty()) {
      return this;
    }
    SortedSet<NodeId> allLost = new TreeSet<>(lost);
    allLost.addAll(more);
    SortedSet<NodeId> allSilent = new TreeSet<>(silent);
    allSilent.addAll(fell);
    Set<PartitionId> all = new HashSet<>(its);
    all.addAll(theirs);
    // Where one was silent for long, and dies, it is another matter.
    ReadTime from = isPatient(now) || unserved > 0 ? begun : now;
    return new Loss(allLost, allSilent, all, since, from, now, before, unserved, levels, waits);
  }

  /** The same with what a snapshot tells of users. */
  Loss seen(History history, ClusterSnapshot seen, PaceSettings pace) {
    ReadTime now = seen.readTime();
    long missing = isTooLong(now) ? 0 : unserved(seen);
    List<UsersLevel.Level> told =
        history
            .last()
            .map(earlier -> new UsersLevel(before, Map.of()).levels(earlier, seen))
            .filter(tables -> !tables.isEmpty())
            .orElse(levels);
    ReadTime event = missing > 0 || unserved > 0 ? now : last;
    Loss next =
        new Loss(lost, silent, its, since, begun, event, before, missing, told, Optional.empty());
    return next.waiting(next.reason(now, pace));
  }

  private Loss waiting(Optional<Wait> why) {
    return new Loss(lost, silent, its, since, begun, last, before, unserved, levels, why);
  }

  private Optional<Wait> reason(ReadTime now, PaceSettings pace) {
    if (unserved > 0) {
      return Optional.of(new Wait(text(), ""));
    }
    if (!pace.followUsers() || !isPatient(now)) {
      return Optional.empty();
    }
    if (before.isEmpty() && !silent.isEmpty()) {
      return Optional.of(new Wait(names() + ", and what users asked for before is not known", ""));
    }
    // The worst one, as what others are served says nothing of a table whose clients wait.
    return levels.stream()
        .min(Comparator.comparingDouble(UsersLevel.Level::ofMean))
        .filter(worst -> worst.ofMean() < pace.endBelow())
        .map(
            worst ->
                new Wait(
                    String.format(
                        Locale.ROOT,
                        "%s, and users' requests to table %s are at %.2f of the level before",
                        names(),
                        worst.table(),
                        worst.ofMean()),
                    "pace.endBelow"));
  }

  /**
   * Whether what was waited for is over and users are back, so that samples of the time before
   * would be wrong; not if it was only waited for long enough.
   *
   * @param next what has become of it
   */
  boolean isOver(Optional<Loss> next, ReadTime now) {
    boolean waitsStill = next.flatMap(Loss::waits).isPresent();
    return waits.isPresent() && !waitsStill && !isTooLong(now) && (unserved > 0 || isPatient(now));
  }

  /** What has happened; a sentence without an end. */
  public String text() {
    return unserved == 0
        ? names()
        : names() + ", and " + Counted.are(unserved, "partition") + " not served by any node yet";
  }

  private String names() {
    return Stream.of(
            names(lost, lost.size() == 1 ? "was lost" : "were lost"),
            names(silent, "can't be read"))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String names(Set<NodeId> nodes, String what) {
    String all = nodes.stream().map(NodeId::name).collect(Collectors.joining(", "));
    return nodes.isEmpty() ? "" : (nodes.size() == 1 ? "node " : "nodes ") + all + " " + what;
  }
}

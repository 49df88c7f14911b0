package io.trimtab.controller.policy;

import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.controller.plan.PlanEffect;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A policy's state between decisions.
 *
 * @param step number of nodes to add next time, ≥ 1 (Cruz 2016, Algorithm 1)
 * @param first whether the initial reconfiguration has not been done yet
 * @param classes the partitions' classes at the last decision
 * @param boundaries boundaries made or removed by the autopilot, latest last
 * @param rewrites partitions that it has compacted within a day, latest last
 * @param replaced nodes of a ring that were replaced within a day, and those in their place
 * @param left partitions that it has moved off slow nodes within a day, latest last
 * @param full nodes that were used so fully that nothing told how much they were asked for, each
 *     with the plans in a row that were made meanwhile
 * @param costs what plans have cost users; empty while that was not measured
 * @param effect what the last plan promised, and how much of that is believed; empty before any
 */
public record PolicyState(
    int step,
    boolean first,
    List<Classified> classes,
    List<Boundary> boundaries,
    List<Rewrite> rewrites,
    List<Replaced> replaced,
    List<LeftSlow> left,
    List<Full> full,
    Optional<PlanCosts> costs,
    Optional<PlanEffect> effect) {

  public record Classified(PartitionId partition, AccessClass accessClass) {}

  /**
   * A key at which a partition was split, or two were merged.
   *
   * @param split whether the boundary was made; false: removed
   */
  public record Boundary(String table, RowKey key, boolean split, Instant at) {
    /** Whether another one was made, or removed, at the same key. */
    boolean isSame(Boundary other) {
      return table.equals(other.table) && key.equals(other.key) && split == other.split;
    }
  }

  /** A partition whose files were rewritten to be near its node. */
  public record Rewrite(PartitionId partition, Instant at) {}

  /** A node in whose place another was put, or that other. */
  public record Replaced(NodeId node, Instant at) {}

  /**
   * A partition that was moved off a node that was slow.
   *
   * @param from that node
   */
  public record LeftSlow(PartitionId partition, NodeId from, Instant at) {}

  /**
   * A node that was used so fully that nothing told how much it was asked for.
   *
   * @param plans in a row that were made while it was so, &gt; 0
   */
  public record Full(NodeId node, int plans) {}

  private static boolean isOld(Instant at, Instant now) {
    return Duration.between(at, now).compareTo(AGAIN) >= 0;
  }

  /** Older boundaries are dropped; the partitions of such splits are no longer merged. */
  private static final int BOUNDARIES_MAX = 1_000;

  /**
   * What has not brought a partition's files near does not bring them near a little later, a node
   * that is slow again in another's place is not so because of the node, and where a partition's
   * next node is slow, too, it may be because of the partition.
   */
  private static final Duration AGAIN = Duration.ofDays(1);

  private static final int REWRITES_MAX = 5_000;
  private static final int LEFT_MAX = 5_000;

  public static final PolicyState INITIAL = new PolicyState(1, true, List.of(), List.of());

  public PolicyState {
    classes = List.copyOf(classes);
    // Older journals know none of these.
    boundaries = boundaries == null ? List.of() : List.copyOf(boundaries);
    rewrites = rewrites == null ? List.of() : List.copyOf(rewrites);
    replaced = replaced == null ? List.of() : List.copyOf(replaced);
    left = left == null ? List.of() : List.copyOf(left);
    full = full == null ? List.of() : List.copyOf(full);
    costs = costs == null ? Optional.empty() : costs;
    effect = effect == null ? Optional.empty() : effect;
  }

  /** A state of policies that know of no rewrites, and of no slow or saturated nodes. */
  public PolicyState(int step, boolean first, List<Classified> classes, List<Boundary> boundaries) {
    this(
        step,
        first,
        classes,
        boundaries,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** A copy that remembers the same, with other values. */
  public PolicyState next(int step, boolean first, List<Classified> classes) {
    return new PolicyState(
        step, first, classes, boundaries, rewrites, replaced, left, full, costs, effect);
  }

  /**
   * A copy after a plan. Of other nodes it is forgotten once they are {@link #relieved}.
   *
   * @param saturated nodes that did not tell how much they were asked for when it was made
   */
  public PolicyState after(Set<NodeId> saturated) {
    List<Full> all = new ArrayList<>(full);
    all.removeIf(one -> saturated.contains(one.node()));
    saturated.stream()
        .sorted()
        .forEach(node -> all.add(new Full(node, Saturation.next(fullFor(node)))));
    return knowing(all);
  }

  /** Plans in a row that have left a node so full that it told nothing of what it is asked for. */
  public int fullFor(NodeId node) {
    return full.stream()
        .filter(one -> one.node().equals(node))
        .mapToInt(Full::plans)
        .findFirst()
        .orElse(0);
  }

  /** The same that has forgotten what was in vain for nodes that have been relieved since. */
  public PolicyState relieved(Predicate<NodeId> isRelieved) {
    List<Full> all = full.stream().filter(one -> !isRelieved.test(one.node())).toList();
    return all.size() == full.size() ? this : knowing(all);
  }

  private PolicyState knowing(List<Full> all) {
    return new PolicyState(
        step, first, classes, boundaries, rewrites, replaced, left, all, costs, effect);
  }

  /** A copy that knows what plans have cost users. */
  public PolicyState with(Optional<PlanCosts> measured) {
    return new PolicyState(
        step, first, classes, boundaries, rewrites, replaced, left, full, measured, effect);
  }

  /** A copy that knows what a plan promises. */
  public PolicyState expecting(PlanEffect promised) {
    Optional<PlanEffect> one = Optional.of(promised);
    return new PolicyState(
        step, first, classes, boundaries, rewrites, replaced, left, full, costs, one);
  }

  /** A copy with one more boundary, which replaces an earlier one of the same key. */
  public PolicyState with(Boundary boundary) {
    List<Boundary> all = new ArrayList<>(boundaries);
    all.removeIf(b -> b.table().equals(boundary.table()) && b.key().equals(boundary.key()));
    all.add(boundary);
    return new PolicyState(
        step,
        first,
        classes,
        newest(all, BOUNDARIES_MAX),
        rewrites,
        replaced,
        left,
        full,
        costs,
        effect);
  }

  private static <T> List<T> newest(List<T> all, int most) {
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  /** A copy that knows of more rewrites, each in place of an earlier one of its partition. */
  private PolicyState with(Collection<PartitionId> rewritten, Instant at) {
    List<Rewrite> all = new ArrayList<>(rewrites);
    all.removeIf(past -> isOld(past.at(), at) || rewritten.contains(past.partition()));
    rewritten.forEach(partition -> all.add(new Rewrite(partition, at)));
    return new PolicyState(
        step,
        first,
        classes,
        boundaries,
        newest(all, REWRITES_MAX),
        replaced,
        left,
        full,
        costs,
        effect);
  }

  /**
   * The same after a plan's actions: with the boundaries that they make and remove, and what they
   * compact.
   */
  public PolicyState after(List<PlannedAction> actions, Instant at) {
    PolicyState state = this;
    for (PlannedAction planned : actions) {
      Optional<Action.Split> split = planned.action().as(Action.Split.class);
      Optional<Action.Merge> merge = planned.action().as(Action.Merge.class);
      if (split.isPresent()) {
        String table = split.get().partition().table();
        state = state.with(new Boundary(table, split.get().key(), true, at));
      } else if (merge.isPresent()) {
        String table = merge.get().left().table();
        state = state.with(new Boundary(table, merge.get().boundary(), false, at));
      }
    }
    Set<PartitionId> rewritten = new LinkedHashSet<>();
    actions.forEach(
        planned ->
            planned
                .action()
                .as(Action.Compact.class)
                .ifPresent(compact -> rewritten.add(compact.partition())));
    return rewritten.isEmpty() ? state : state.with(rewritten, at);
  }

  /** Partitions that were compacted within a day, and are not to be for their locality. */
  public Set<PartitionId> rewrittenLately(Instant now) {
    return rewrites.stream()
        .filter(rewrite -> !isOld(rewrite.at(), now))
        .map(Rewrite::partition)
        .collect(Collectors.toSet());
  }

  /**
   * A copy that knows of a replacement.
   *
   * @param instead the plan's placeholder of the node that joins
   */
  public PolicyState replacing(NodeId slow, NodeId instead, Instant at) {
    List<Replaced> all = new ArrayList<>(replaced);
    all.removeIf(past -> isOld(past.at(), at));
    all.add(new Replaced(slow, at));
    all.add(new Replaced(instead, at));
    return with(all);
  }

  private PolicyState with(List<Replaced> all) {
    return new PolicyState(
        step, first, classes, boundaries, rewrites, all, left, full, costs, effect);
  }

  /**
   * A copy in which nodes that have joined have their names.
   *
   * @param added nodes by a plan's placeholders
   */
  public PolicyState named(Map<NodeId, NodeId> added) {
    return with(
        replaced.stream()
            .map(past -> new Replaced(added.getOrDefault(past.node(), past.node()), past.at()))
            .toList());
  }

  /** A copy with the replacements of a plan that was begun and not done; see afterActions. */
  public PolicyState afterPart(PolicyState planned) {
    return with(planned.replaced());
  }

  /**
   * A copy that knows what a plan did that was begun and not done: which partitions have left slow
   * nodes, what was split, merged and compacted. Only what would be known after all of the plan: an
   * operator's splits are not the autopilot's to merge.
   *
   * @param planned as it would be after all of the plan
   * @param done actions that were carried out
   * @param at when it ended
   */
  public PolicyState afterActions(PolicyState planned, List<PlannedAction> done, Instant at) {
    PolicyState made = INITIAL.after(done, at);
    PolicyState state = this;
    for (Boundary one : made.boundaries) {
      if (planned.boundaries.stream().anyMatch(one::isSame)) {
        state = state.with(one);
      }
    }
    Set<PartitionId> rewritten =
        planned.rewrites.stream().map(Rewrite::partition).collect(Collectors.toSet());
    List<PartitionId> compacted =
        made.rewrites.stream().map(Rewrite::partition).filter(rewritten::contains).toList();
    if (!compacted.isEmpty()) {
      state = state.with(compacted, at);
    }
    return state.afterMoves(planned, done);
  }

  private PolicyState afterMoves(PolicyState planned, List<PlannedAction> done) {
    Set<PartitionId> moved =
        done.stream()
            .flatMap(one -> one.action().as(Action.Move.class).stream())
            .map(Action.Move::partition)
            .collect(Collectors.toSet());
    List<LeftSlow> added =
        planned.left().stream()
            .filter(one -> moved.contains(one.partition()) && !left.contains(one))
            .toList();
    return added.isEmpty() ? this : leaving(added, added.get(0).at());
  }

  /**
   * A copy that knows of the partitions that a plan moves off slow nodes.
   *
   * @param slow nodes that answer late
   */
  PolicyState leaving(Set<NodeId> slow, List<PlannedAction> actions, Instant at) {
    List<LeftSlow> added = new ArrayList<>();
    for (PlannedAction planned : actions) {
      planned
          .action()
          .as(Action.Move.class)
          .filter(move -> slow.contains(move.from()))
          .ifPresent(move -> added.add(new LeftSlow(move.partition(), move.from(), at)));
    }
    return added.isEmpty() ? this : leaving(added, at);
  }

  private PolicyState leaving(List<LeftSlow> added, Instant at) {
    Set<PartitionId> again = added.stream().map(LeftSlow::partition).collect(Collectors.toSet());
    List<LeftSlow> all = new ArrayList<>(left);
    all.removeIf(past -> isOld(past.at(), at) || again.contains(past.partition()));
    all.addAll(added);
    return new PolicyState(
        step,
        first,
        classes,
        boundaries,
        rewrites,
        replaced,
        newest(all, LEFT_MAX),
        full,
        costs,
        effect);
  }

  /** Partitions that were moved off slow nodes within a day, each with that node. */
  public Map<PartitionId, NodeId> leftLately(Instant now) {
    return left.stream()
        .filter(past -> !isOld(past.at(), now))
        .collect(Collectors.toMap(LeftSlow::partition, LeftSlow::from, (earlier, later) -> later));
  }

  /** When a node may be replaced that has been part of a replacement; empty if it may be now. */
  public Optional<Instant> replaceableFrom(NodeId node, Instant now) {
    return replaced.stream()
        .filter(past -> past.node().equals(node) && !isOld(past.at(), now))
        .map(past -> past.at().plus(AGAIN))
        .max(Comparator.naturalOrder());
  }

  /** Partitions with their classes, by id. */
  static List<Classified> classified(Partitions partitions) {
    List<Classified> list = new ArrayList<>(partitions.size());
    for (int p = 0; p < partitions.size(); p++) {
      list.add(new Classified(partitions.state(p).id(), partitions.accessClass(p)));
    }
    return list;
  }

  public Map<PartitionId, AccessClass> classMap() {
    return classes.stream()
        .collect(Collectors.toMap(Classified::partition, Classified::accessClass, (a, b) -> b));
  }
}

package io.trimtab.controller.choice;

import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Small steps out of the most used node, each the one that brings most for its price, until no node
 * is above the target or no step pays: a partition moves or changes places with another one, is
 * split, or a node gets another profile.
 */
final class Relief {
  /** What steps may be. */
  enum Kind {
    MOVE,
    SPLIT,
    PROFILE
  }

  private static final int ITEMS = 12;
  private static final int NODES = 6;
  private static final int SWAPPED = 4;
  private static final int STEPS_MAX = 500;

  private final Evaluator evaluator;
  private final Budget budget;
  private final Set<Kind> kinds;

  Relief(Evaluator evaluator, Budget budget, Set<Kind> kinds) {
    this.evaluator = evaluator;
    this.budget = budget;
    this.kinds = EnumSet.copyOf(kinds);
  }

  /**
   * A step that could be made.
   *
   * @param gain in seconds of a node, over the horizon, less its price
   * @param moves of partitions that it takes
   */
  private record Step(double gain, int moves, Runnable make) {}

  /** Makes steps in a layout as long as they pay; returns how many. */
  int improve(Layout layout) {
    Set<Integer> hopeless = new HashSet<>();
    int steps = 0;
    // More would be refused; the first ones bring most.
    int movesLeft = layout.load().settings().guard().maxMoves() - (int) layout.moved().count();
    while (steps < STEPS_MAX && !budget.isSpent()) {
      Optional<Integer> full = mostUsed(layout, hopeless);
      if (full.isEmpty()) {
        break;
      }
      Optional<Step> best = best(layout, full.get(), movesLeft);
      if (best.isPresent()) {
        best.get().make().run();
        movesLeft -= best.get().moves();
        steps++;
      } else {
        hopeless.add(full.get());
      }
    }
    return steps;
  }

  /** The most used of the nodes above the target for which something could be done. */
  private Optional<Integer> mostUsed(Layout layout, Set<Integer> hopeless) {
    return layout
        .present()
        .filter(n -> !hopeless.contains(n) && evaluator.isOver(layout, n))
        .boxed()
        .max(Comparator.comparingDouble(layout::usage));
  }

  private Optional<Step> best(Layout layout, int full, int movesLeft) {
    List<Integer> items =
        layout
            .on(full)
            .boxed()
            .filter(item -> isFree(layout, item))
            .sorted(Comparator.comparingDouble(item -> -layout.demand(item).corrected()))
            .limit(ITEMS)
            .toList();
    int[] others =
        layout
            .present()
            .filter(n -> n != full)
            .boxed()
            .sorted(Comparator.comparingDouble(layout::usage))
            .limit(NODES)
            .mapToInt(n -> n)
            .toArray();
    List<Step> steps = new ArrayList<>();
    for (int item : items) {
      if (kinds.contains(Kind.MOVE)) {
        moves(layout, item, full, others, steps);
      }
      if (kinds.contains(Kind.SPLIT) && item < layout.load().partitions().size()) {
        splits(layout, item, full, others, steps);
      }
    }
    if (kinds.contains(Kind.PROFILE)) {
      profiles(layout, full, steps);
    }
    return steps.stream()
        .filter(step -> step.gain() > 0 && step.moves() <= movesLeft)
        .max(Comparator.comparingDouble(Step::gain));
  }

  private static boolean isFree(Layout layout, int item) {
    // What is split is moved by the split itself, once.
    return layout.half(item).isEmpty() && !layout.load().stays(item);
  }

  private void moves(Layout layout, int item, int full, int[] others, List<Step> steps) {
    Demand moved = layout.demand(item);
    Demand less = layout.held(full).minus(moved);
    double here = loss(layout, full, less, layout.worthOn(full) - layout.worth(item));
    double before = loss(layout, full);
    for (int other : others) {
      if (!budget.take(2)) {
        return;
      }
      double price = moving(layout, item, full, other);
      Demand more = layout.held(other).plus(moved);
      double there = loss(layout, other, more, layout.worthOn(other) + layout.worth(item));
      double gain = before + loss(layout, other) - here - there - price;
      steps.add(new Step(gain, 1, () -> layout.move(item, other)));
      swaps(layout, item, full, other, steps);
    }
  }

  /** What comes back is a little less than what leaves. */
  private void swaps(Layout layout, int item, int full, int other, List<Step> steps) {
    Demand moved = layout.demand(item);
    List<Integer> back =
        layout
            .on(other)
            .boxed()
            .filter(i -> isFree(layout, i) && layout.demand(i).corrected() < moved.corrected())
            .sorted(Comparator.comparingDouble(i -> -layout.demand(i).corrected()))
            .limit(SWAPPED)
            .toList();
    double before = loss(layout, full) + loss(layout, other);
    for (int i : back) {
      if (!budget.take(2)) {
        return;
      }
      Demand returned = layout.demand(i);
      double worth = layout.worth(item) - layout.worth(i);
      double here =
          loss(
              layout,
              full,
              layout.held(full).minus(moved).plus(returned),
              layout.worthOn(full) - worth);
      double there =
          loss(
              layout,
              other,
              layout.held(other).minus(returned).plus(moved),
              layout.worthOn(other) + worth);
      double price = moving(layout, item, full, other) + moving(layout, i, other, full);
      steps.add(
          new Step(
              before - here - there - price,
              2,
              () -> {
                layout.move(item, other);
                layout.move(i, full);
              }));
    }
  }

  /** What a move adds to the price, or saves where it takes back an earlier one. */
  private double moving(Layout layout, int item, int from, int to) {
    return evaluator.price().ofPlace(layout, item, to)
        - evaluator.price().ofPlace(layout, item, from);
  }

  private void splits(Layout layout, int item, int full, int[] others, List<Step> steps) {
    Optional<SplitHint> hint = layout.load().splitsAt(item);
    int most = layout.load().settings().split().maxSplits();
    // Splits come first in a plan, so that it has to be where it is now.
    if (hint.isEmpty() || layout.load().at(item) != full || layout.halves().size() >= 2 * most) {
      return;
    }
    RowKey key = hint.get().key();
    double left = hint.get().leftShare();
    Demand right = layout.demand(item).part(1 - left);
    double worth = layout.worth(item) * (1 - left);
    double before = loss(layout, full);
    double here = loss(layout, full, layout.held(full).minus(right), layout.worthOn(full) - worth);
    for (int other : others) {
      // The half goes along with the split, before nodes have joined.
      if (layout.isNew(other) || !budget.take(2)) {
        continue;
      }
      double there =
          loss(layout, other, layout.held(other).plus(right), layout.worthOn(other) + worth);
      double price = evaluator.price().ofSplit(layout.demand(item), left, full);
      double gain = before + loss(layout, other) - here - there - price;
      steps.add(new Step(gain, 1, () -> layout.split(item, key, left, other)));
    }
  }

  private void profiles(Layout layout, int full, List<Step> steps) {
    Profile now = layout.profile(full);
    // A node that restarts is emptied first, and halves can't be told apart before the split.
    boolean restarts = !layout.isNew(full) && !evaluator.price().isOnline(full);
    if (now == null
        || !evaluator.mayReconfigure(layout, full)
        || (restarts && kinds.contains(Kind.SPLIT))) {
      return;
    }
    double before = loss(layout, full);
    for (Profile profile : Profile.STANDARD) {
      if (profile.sameMemory(now) || !budget.take(1)) {
        continue;
      }
      Memory memory = layout.load().memory(full, profile);
      double after =
          evaluator.loss(layout.forecast(layout.held(full), memory), layout.worthOn(full));
      double price = evaluator.price().ofProfile(layout, full, profile);
      steps.add(new Step(before - after - price, 0, () -> layout.configure(full, profile)));
    }
  }

  /** What is lost on a node over the horizon. */
  private double loss(Layout layout, int node) {
    return evaluator.loss(layout.forecast(node), layout.worthOn(node));
  }

  private double loss(Layout layout, int node, Demand held, double worth) {
    return evaluator.loss(layout.forecast(held, layout.memory(node)), worth);
  }
}

package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.BestStep;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.choice.layout.StepWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Small steps out of the most used node, each the one that brings most for its price, until no node
 * is above the target or no step pays: a partition moves or changes places with another one, is
 * split, or a node gets another profile. What a node has least of, CPU or disk, decides what it
 * gives first, and to whom.
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
  private final Partners partners;
  private final Loss loss;

  /** Which nodes take what a full one gives. */
  interface Partners {
    boolean may(int full, int other);
  }

  /** What a node's usage counts as, of which what is on it is worth so much. */
  interface Loss {
    double of(Forecast forecast, double worth);
  }

  Relief(Evaluator evaluator, Budget budget, Set<Kind> kinds) {
    this(evaluator, budget, kinds, (full, other) -> true, evaluator::loss);
  }

  Relief(Evaluator evaluator, Budget budget, Set<Kind> kinds, Partners partners, Loss loss) {
    this.evaluator = evaluator;
    this.budget = budget;
    this.kinds = EnumSet.copyOf(kinds);
    this.partners = partners;
    this.loss = loss;
  }

  /** Makes steps in a layout as long as they pay; returns how many. */
  int improve(Layout layout) {
    Set<Integer> hopeless = new HashSet<>();
    int steps = 0;
    // More would be refused; the first ones bring most.
    PlanWork room = evaluator.limits().room(layout);
    while (steps < STEPS_MAX && !budget.isSpent()) {
      Optional<Integer> full = mostUsed(layout, hopeless);
      if (full.isEmpty()) {
        break;
      }
      Optional<BestStep.Step> best = best(layout, full.get(), room);
      if (best.isPresent()) {
        best.get().make().run();
        room = room.minus(best.get().work());
        steps++;
      } else {
        hopeless.add(full.get());
      }
    }
    return steps;
  }

  /** The most used of the nodes above the target for which something could be done. */
  private Optional<Integer> mostUsed(Layout layout, Set<Integer> hopeless) {
    IntPredicate may = n -> !hopeless.contains(n) && evaluator.isOver(layout, n);
    return layout.present().filter(may).boxed().max(Comparator.comparingDouble(layout::usage));
  }

  /**
   * Those of the nodes that there are, but one, that are used least, the least used first; those
   * that have been slow for long only if there are no others.
   */
  private static int[] leastUsed(
      Layout layout, int most, IntPredicate may, ToDoubleFunction<Forecast> usage) {
    IntPredicate fast = n -> may.test(n) && !layout.load().isSlow(n);
    int[] least = leastOf(layout, most, fast, usage);
    return least.length > 0 ? least : leastOf(layout, most, may, usage);
  }

  private static int[] leastOf(
      Layout layout, int most, IntPredicate may, ToDoubleFunction<Forecast> usage) {
    int[] least = new int[most];
    double[] used = new double[most];
    int found = 0;
    for (int n : layout.present().filter(may).toArray()) {
      double its = usage.applyAsDouble(layout.forecast(n));
      int at = found;
      while (at > 0 && its < used[at - 1]) {
        at--;
      }
      if (at < most) {
        found = Math.min(most, found + 1);
        System.arraycopy(least, at, least, at + 1, found - at - 1);
        System.arraycopy(used, at, used, at + 1, found - at - 1);
        least[at] = n;
        used[at] = its;
      }
    }
    return Arrays.copyOf(least, found);
  }

  /** Nodes that could take something of a full one; with most of what it lacks first. */
  private int[] others(Layout layout, int full) {
    IntPredicate may = n -> n != full && partners.may(full, n);
    boolean disk = layout.forecast(full).isShortOfDisk();
    int[] first = leastUsed(layout, NODES / 2, may, disk ? Forecast::disk : Forecast::cpu);
    IntStream all = Arrays.stream(leastUsed(layout, NODES, may, Forecast::usage));
    return IntStream.concat(Arrays.stream(first), all).distinct().limit(NODES).toArray();
  }

  /** Where an item would be felt least, but for one node. */
  static int leastFelt(Layout layout, int item, int but) {
    Demand moved = layout.demand(item);
    return Arrays.stream(leastUsed(layout, NODES, n -> n != but, Forecast::usage))
        .boxed()
        .min(
            Comparator.comparingDouble(
                n -> layout.forecast(n, layout.held(n).plus(moved), layout.memory(n)).usage()))
        .orElseThrow();
  }

  private Optional<BestStep.Step> best(Layout layout, int full, PlanWork room) {
    int[] others = others(layout, full);
    BestStep best = new BestStep(room);
    Swaps swaps = new Swaps(layout, full);
    for (int item : swaps.largest(full).limit(ITEMS).toList()) {
      if (kinds.contains(Kind.MOVE)) {
        moves(layout, item, full, others, swaps, best);
      }
      if (kinds.contains(Kind.SPLIT) && item < layout.load().partitions().size()) {
        splits(layout, item, full, others, best);
      }
    }
    if (kinds.contains(Kind.PROFILE)) {
      profiles(layout, full, best);
    }
    return best.found();
  }

  private void moves(Layout layout, int item, int full, int[] others, Swaps swaps, BestStep best) {
    double worth = layout.worth(item);
    Demand moved = layout.demand(item);
    if (!best.isBelow(Double.POSITIVE_INFINITY, 1)
        || !best.hasRoom(new PlanWork(1, 0, 0, 2 * moved.bytes()))
        || !budget.take(1)) {
      return;
    }
    Demand less = layout.held(full).minus(moved);
    double saved = loss(layout, full) - loss(layout, full, less, layout.worthOn(full) - worth);
    for (int other : others) {
      // Nothing at all would be lost where it goes.
      double most = saved + loss(layout, other) - moving(layout, item, full, other);
      if (best.isBelow(most, 1)) {
        if (!budget.take(1)) {
          return;
        }
        Demand more = layout.held(other).plus(moved);
        double there = loss(layout, other, more, layout.worthOn(other) + worth);
        PlanWork work = StepWork.move(layout, item, other);
        best.offer(most - there, work, () -> layout.move(item, other));
      }
      swaps.offer(item, other, most, less, best);
    }
  }

  /** Partitions that change places: what comes back is a little less than what leaves. */
  private final class Swaps {
    private final Layout layout;
    private final int full;
    private final boolean disk;
    private final Map<Integer, List<Integer>> largest = new HashMap<>();

    Swaps(Layout layout, int full) {
      this.layout = layout;
      this.full = full;
      this.disk = layout.forecast(full).isShortOfDisk();
    }

    /** What an item asks for of what the full node has least of. */
    private double asks(int item) {
      return layout.demand(item).asks(disk);
    }

    /** What may leave a node, the largest first. */
    Stream<Integer> largest(int node) {
      return largest
          .computeIfAbsent(
              node,
              n ->
                  layout
                      .on(n)
                      .boxed()
                      .filter(item -> isFree(layout, item))
                      .sorted(Comparator.comparingDouble(item -> -asks(item)))
                      .toList())
          .stream();
    }

    /**
     * @param most that is gained if the item goes and nothing comes back
     * @param less what the full node holds then
     */
    void offer(int item, int other, double most, Demand less, BestStep best) {
      if (!best.isBelow(Double.POSITIVE_INFINITY, 2)) {
        return;
      }
      Demand moved = layout.demand(item);
      for (int back : largest(other).filter(i -> asks(i) < asks(item)).limit(SWAPPED).toList()) {
        // What comes back is not served for less than nothing.
        double atMost = most - moving(layout, back, other, full);
        if (!best.isBelow(atMost, 2)) {
          continue;
        }
        if (!budget.take(2)) {
          return;
        }
        Demand returned = layout.demand(back);
        double worth = layout.worth(item) - layout.worth(back);
        Demand here = less.plus(returned);
        Demand there = layout.held(other).minus(returned).plus(moved);
        double lost =
            loss(layout, full, here, layout.worthOn(full) - worth)
                + loss(layout, other, there, layout.worthOn(other) + worth);
        double price = moving(layout, item, full, other) + moving(layout, back, other, full);
        double gain = loss(layout, full) + loss(layout, other) - lost - price;
        best.offer(
            gain,
            StepWork.swap(layout, item, other, back),
            () -> {
              layout.move(item, other);
              layout.move(back, full);
            });
      }
    }
  }

  private static boolean isFree(Layout layout, int item) {
    // What is split is moved by the split itself, once.
    return layout.half(item).isEmpty() && !layout.load().stays(item);
  }

  /** What a move adds to the price, or saves where it takes back an earlier one. */
  private double moving(Layout layout, int item, int from, int to) {
    return evaluator.price().ofPlace(layout, item, to)
        - evaluator.price().ofPlace(layout, item, from);
  }

  private void splits(Layout layout, int item, int full, int[] others, BestStep best) {
    Optional<SplitHint> hint = layout.load().splitsAt(item);
    PlanWork work = StepWork.split(layout, item);
    // Splits come first in a plan, so that it has to be where it is now.
    if (hint.isEmpty()
        || layout.load().at(item) != full
        || !best.hasRoom(work)
        || !best.isBelow(Double.POSITIVE_INFINITY, 1)
        || !budget.take(1)) {
      return;
    }
    RowKey key = hint.get().key();
    double left = hint.get().leftShare();
    Demand right = layout.demand(item).part(1 - left);
    double worth = layout.worth(item) * (1 - left);
    double here = loss(layout, full, layout.held(full).minus(right), layout.worthOn(full) - worth);
    double price = evaluator.price().ofSplit(layout.demand(item), left, full);
    for (int other : others) {
      double most = loss(layout, full) + loss(layout, other) - here - price;
      // The half goes along with the split, before nodes have joined.
      if (layout.isNew(other) || !best.isBelow(most, 1) || !budget.take(1)) {
        continue;
      }
      double there =
          loss(layout, other, layout.held(other).plus(right), layout.worthOn(other) + worth);
      best.offer(most - there, work, () -> layout.split(item, key, left, other));
    }
  }

  private void profiles(Layout layout, int full, BestStep best) {
    Profile now = layout.profile(full);
    // A node that restarts is emptied first, and halves can't be told apart before the split.
    boolean restarts = !layout.isNew(full) && !evaluator.price().isOnline(full);
    if (now == null
        || !evaluator.mayReconfigure(layout, full)
        || (restarts && kinds.contains(Kind.SPLIT))) {
      return;
    }
    double worth = layout.worthOn(full);
    double before = loss(layout, full);
    for (Profile profile : Profile.STANDARD) {
      double price = evaluator.price().ofProfile(layout, full, profile);
      PlanWork work = StepWork.profile(layout, full, profile);
      if (profile.sameMemory(now)
          || !best.hasRoom(work)
          || !best.isBelow(before - price, work.moves())
          || !budget.take(1)) {
        continue;
      }
      Memory memory = layout.load().memory(full, profile);
      double after = loss.of(layout.forecast(full, layout.held(full), memory), worth);
      best.offer(before - after - price, work, () -> layout.configure(full, profile));
    }
  }

  /** What is lost on a node over the horizon. */
  private double loss(Layout layout, int node) {
    return loss.of(layout.forecast(node), layout.worthOn(node));
  }

  private double loss(Layout layout, int node, Demand held, double worth) {
    return loss.of(layout.forecast(node, held, layout.memory(node)), worth);
  }
}

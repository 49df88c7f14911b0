package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.choice.layout.StepWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * In which order partitions go to where a layout has them: next is always the one that brings most
 * for its price, with those before it in place. So a plan may end after any move, or be cut there,
 * and leaves the cluster better than it was. Two that change places go one after the other: between
 * the two, one node holds both.
 */
final class GainOrder {
  /** Of the partitions that move, those whose order is looked for: what is asked for most. */
  private static final int CONSIDERED = 1_000;

  /** That could come back for one that does harm alone. */
  private static final int PARTNERS = 4;

  /** In seconds of a node; below it all prices are alike. */
  private static final double PRICE_MIN = 1e-3;

  /** What is lost more is rounding, or the tail of an interval. */
  private static final double HARM = 1e-6;

  private final Evaluator evaluator;
  private final Layout then;
  private final Budget budget;

  /** As far as it has come. */
  private final Layout layout;

  private final List<Pending> pending = new ArrayList<>();
  private final List<Integer> moved = new ArrayList<>();

  /** What may still be done. */
  private PlanWork room;

  /** A move that is to be made. */
  private static final class Pending {
    private final int item;
    private final int from;
    private final int to;

    /**
     * What it brings: above 0 for each second of its price, below 0 in all. Where it is not known,
     * what it brought when it last was.
     */
    private double value = Double.POSITIVE_INFINITY;

    private boolean known;

    Pending(int item, int from, int to) {
      this.item = item;
      this.from = from;
      this.to = to;
    }

    boolean touches(Pending other) {
      return from == other.from || from == other.to || to == other.from || to == other.to;
    }

    boolean goesBack(Pending other) {
      return from == other.to && to == other.from;
    }
  }

  private GainOrder(Layout begin, Layout then, Evaluator evaluator, Budget budget, PlanWork room) {
    this.evaluator = evaluator;
    this.room = room;
    this.then = then;
    this.layout = begin;
    this.budget = budget;
    IntStream.range(0, begin.load().partitions().size())
        .filter(item -> begin.nodeOf(item) >= 0 && then.nodeOf(item) >= 0)
        .filter(item -> begin.nodeOf(item) != then.nodeOf(item))
        // Nodes that leave are emptied, in whatever order.
        .filter(item -> then.isPresent(begin.nodeOf(item)))
        .boxed()
        .sorted(Comparator.comparingDouble(item -> -begin.demand(item).corrected()))
        .limit(CONSIDERED)
        .forEach(item -> pending.add(new Pending(item, begin.nodeOf(item), then.nodeOf(item))));
  }

  /** The partitions whose order was found; all others move after them. */
  static int[] of(Layout now, Layout then, Evaluator evaluator) {
    Layout begin = withNodesOf(now, then);
    // As plans do it: caches that grow do so before anything moves.
    for (int n = 0; n < now.nodes(); n++) {
      if (then.isPresent(n)
          && then.profile(n) != null
          && evaluator.price().isOnline(n)
          && then.memory(n).cacheBytes() > now.memory(n).cacheBytes()) {
        begin.configure(n, then.profile(n));
      }
    }
    GainOrder order = new GainOrder(begin, then, evaluator, evaluator.orderBudget(), PlanWork.ANY);
    order.run(false);
    return order.moved.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * The first part of a change, as much of it as one plan may do: moves, and the profiles that pay
   * after them. Where nothing is left to move, the profiles alone.
   *
   * @return what they lead to; empty where not even the first ones do no harm
   */
  static Optional<Layout> begun(Layout now, Layout then, Evaluator evaluator) {
    GainOrder order =
        new GainOrder(
            withNodesOf(now, then), then, evaluator, evaluator.budget(), evaluator.limits().all());
    boolean onlyProfiles = order.pending.isEmpty();
    order.run(true);
    order.profiles(now);
    Layout part = order.layout;
    boolean inVain = part.present().anyMatch(n -> part.isNew(n) && part.count(n) == 0);
    boolean begins = onlyProfiles ? part.hasOtherProfiles() : !order.moved.isEmpty();
    return begins && !inVain ? Optional.of(part) : Optional.empty();
  }

  private static Layout withNodesOf(Layout now, Layout then) {
    Layout begin = now.copy();
    for (int n = now.nodes(); n < then.nodes(); n++) {
      begin.add(then.profile(n));
    }
    return begin;
  }

  /**
   * Makes moves, until none is left, the next one would be too much, or no more can be computed.
   *
   * @param harmless whether it ends as well where the next one would do harm
   */
  private void run(boolean harmless) {
    while (!pending.isEmpty() && room.moves() > 0) {
      Optional<Pending> next = next();
      if (next.isEmpty()) {
        return;
      }
      Pending best = next.get();
      Optional<Pending> back =
          best.value < -HARM && room.moves() >= 2 ? partner(best) : Optional.empty();
      PlanWork work = work(best).plus(back.map(this::work).orElse(PlanWork.NONE));
      if (!work.fits(room) || (harmless && best.value < -HARM && back.isEmpty())) {
        return;
      }
      make(best);
      back.ifPresent(this::make);
      room = room.minus(work);
    }
  }

  private PlanWork work(Pending one) {
    return StepWork.move(layout, one.item, one.to);
  }

  private void make(Pending next) {
    layout.move(next.item, next.to);
    moved.add(next.item);
    pending.remove(next);
    for (Pending other : pending) {
      other.known &= !other.touches(next);
      if (other.goesBack(next)) {
        // It may bring more by now, and is looked at next.
        other.value = Double.POSITIVE_INFINITY;
      }
    }
  }

  /**
   * The one that brings most; empty if that can't be computed. A move that shares a node with those
   * that were made mostly brings less by now: how much is found when it would be next. Of few nodes
   * all moves share them, and to value all after each would be quadratic.
   */
  private Optional<Pending> next() {
    while (true) {
      Pending best =
          Collections.max(pending, Comparator.comparingDouble((Pending one) -> one.value));
      if (best.known && (best.value >= -HARM || pending.stream().allMatch(one -> one.known))) {
        return Optional.of(best);
      }
      // Before harm is done all are looked at: another one may do none by now.
      boolean valued = best.known ? look() : value(best);
      if (!valued) {
        return Optional.empty();
      }
    }
  }

  /** Values those of which it is not known what they bring; false if that can't be computed. */
  private boolean look() {
    for (Pending one : pending) {
      if (!one.known && !value(one)) {
        return false;
      }
    }
    return true;
  }

  private boolean value(Pending one) {
    if (!budget.take(2)) {
      return false;
    }
    double gain = gain(one, Demand.NONE, 0);
    one.value = gain > 0 ? gain / price(one) : gain;
    one.known = true;
    return true;
  }

  private double price(Pending one) {
    return Math.max(PRICE_MIN, evaluator.price().ofPlace(layout, one.item, one.to));
  }

  /** One that goes the other way, so that both together do no harm. */
  private Optional<Pending> partner(Pending one) {
    return pending.stream()
        .filter(other -> other.from == one.to && other.to == one.from)
        .limit(PARTNERS)
        .filter(
            other ->
                budget.take(2)
                    && gain(one, layout.demand(other.item), layout.worth(other.item)) >= -HARM)
        .findFirst();
  }

  /**
   * What is lost less on its two nodes over the horizon.
   *
   * @param back what comes from where it goes
   * @param backWorth of that
   */
  private double gain(Pending one, Demand back, double backWorth) {
    Demand goes = layout.demand(one.item);
    double worth = layout.worth(one.item) - backWorth;
    Demand less = layout.held(one.from).minus(goes).plus(back);
    Demand more = layout.held(one.to).minus(back).plus(goes);
    return lost(one.from)
        + lost(one.to)
        - lost(one.from, less, layout.worthOn(one.from) - worth)
        - lost(one.to, more, layout.worthOn(one.to) + worth);
  }

  private double lost(int node) {
    return lost(node, layout.forecast(node), layout.worthOn(node));
  }

  private double lost(int node, Demand held, double worth) {
    return lost(node, layout.forecast(node, held, layout.memory(node)), worth);
  }

  private double lost(int node, Forecast forecast, double worth) {
    return evaluator.loss(forecast, worth) + evaluator.slowLoss(node, worth);
  }

  /**
   * Profiles of the layout that it leads to, each where it pays with what is there so far, and one
   * plan may do it: a node that restarts is emptied first, and gets everything back.
   */
  private void profiles(Layout now) {
    for (int n = 0; n < now.nodes(); n++) {
      if (!then.isPresent(n) || then.profile(n) == null || !evaluator.mayReconfigure(layout, n)) {
        continue;
      }
      Memory memory = layout.load().memory(n, then.profile(n));
      double after = evaluator.loss(layout.forecast(n, layout.held(n), memory), layout.worthOn(n));
      double before = evaluator.loss(layout.forecast(n), layout.worthOn(n));
      if (before - after > evaluator.price().ofProfile(layout, n, then.profile(n))) {
        layout.configure(n, then.profile(n));
        if (!evaluator.limits().allow(LayoutWork.of(layout))) {
          layout.configure(n, now.profile(n));
        }
      }
    }
  }
}

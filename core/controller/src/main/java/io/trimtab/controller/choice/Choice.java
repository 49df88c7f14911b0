package io.trimtab.controller.choice;

import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.choice.Evaluator.Cost;
import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.policy.Policy;
import io.trimtab.engineapi.plan.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Compares candidates with the cluster as it is, and takes the cheapest that brings every node
 * below the target; where none does, of those that save nearly most the one that saves most for its
 * price. None, where nothing is worth its price, or no more than predictions may be off by: where
 * no node ever gets below the target, else each look would find something to move. While an
 * agreement is missed, whatever keeps it goes first, and need not be worth its price; where nodes
 * are used too much besides, what ends that, too, before what does not. More nodes than agreements
 * need have to be worth their price. Those after the first are for the case that it is refused.
 */
final class Choice {
  /**
   * Share of the most that any of them saves, from which on the price decides (ours). By the price
   * alone the smallest step would always be taken, with a pause after each.
   */
  private static final double NEARLY_MOST = 0.8;

  /** In seconds of a node; below it prices are alike. */
  private static final double PRICE_MIN = 1;

  /**
   * A candidate with its cost.
   *
   * @param gain what it saves over the horizon, less its price, in seconds of a node
   * @param uncertain one standard deviation of that
   */
  record Weighed(Candidate candidate, Cost cost, double gain, double uncertain) {
    boolean isWorthIt() {
      return gain > 0 && gain > uncertain;
    }
  }

  private final Cost stay;
  private final Evaluator evaluator;
  private final Floor agreed;
  private final List<Weighed> all = new ArrayList<>();
  private final List<Weighed> ranked;

  /**
   * @param stay what doing nothing costs
   * @param agreed the nodes that agreements need
   */
  Choice(Cost stay, Evaluator evaluator, List<Candidate> candidates, Floor agreed) {
    this.stay = stay;
    this.evaluator = evaluator;
    this.agreed = agreed;
    for (Candidate candidate : candidates) {
      Cost cost = evaluator.cost(candidate.layout());
      double uncertain = evaluator.uncertain(candidate.layout());
      double unbelieved = evaluator.unbelieved(stay, candidate.layout(), cost);
      all.add(new Weighed(candidate, cost, stay.sum() - cost.sum() - unbelieved, uncertain));
    }
    all.sort(Comparator.comparingDouble(w -> -w.gain()));
    ranked = ranked(stay, all, this::keeps, this::suffices);
  }

  /**
   * Whether a candidate keeps an agreement that is missed now, as far as can be told. None does
   * where nodes do next to nothing: that is not why it is missed.
   */
  boolean keeps(Weighed weighed) {
    return agreed.isMissed()
        && stay.over() > 0
        && (weighed.candidate().layout().size() >= agreed.nodes() || weighed.cost().over() == 0);
  }

  /**
   * Whether it leaves no node used too much, as far as that counts beside an agreement: where the
   * target is lower for its sake, nodes need only be below the usual one.
   */
  private boolean suffices(Weighed weighed) {
    double usual = evaluator.usualTarget();
    boolean isEnough =
        weighed.cost().over() == 0
            || (agreed.isMissed() && evaluator.target() < usual && weighed.cost().most() <= usual);
    return isEnough && (!mustPay(weighed) || weighed.isWorthIt());
  }

  /** Of what keeps an agreement only nodes that it does not need must be worth their price. */
  private boolean mustPay(Weighed weighed) {
    return !agreed.isMissed() || weighed.candidate().layout().size() > agreed.nodes();
  }

  /** Those that are worth their price or keep an agreement, the one to be taken first. */
  List<Weighed> ranked() {
    return List.copyOf(ranked);
  }

  /**
   * Those that keep an agreement, the cheapest first, and those that do not suffice after all that
   * do, the one that saves most first; then those that are worth their price. What tables are
   * served less than now is part of what they take: else one that spares a table, and moves more
   * for it, would never be taken.
   *
   * @param all the one that saves most first
   */
  static List<Weighed> ranked(
      Cost stay, List<Weighed> all, Predicate<Weighed> keeps, Predicate<Weighed> suffices) {
    List<Weighed> keeping = all.stream().filter(keeps).toList();
    List<Weighed> ordered =
        new ArrayList<>(
            keeping.stream()
                .filter(suffices)
                .sorted(Comparator.comparingDouble(w -> takes(w) + w.cost().regret()))
                .toList());
    keeping.stream().filter(suffices.negate()).forEach(ordered::add);
    ranked(stay, all).stream().filter(keeps.negate()).forEach(ordered::add);
    return ordered;
  }

  /** In seconds of a node. */
  private static double takes(Weighed weighed) {
    return weighed.cost().nodes() + weighed.cost().change();
  }

  /**
   * Those that are worth their price, the one to be taken first.
   *
   * @param all the one that saves most first
   */
  static List<Weighed> ranked(Cost stay, List<Weighed> all) {
    List<Weighed> worth = all.stream().filter(Weighed::isWorthIt).toList();
    // What is enough is enough: not the last bit of usage, but what it takes decides.
    List<Weighed> ordered =
        new ArrayList<>(
            worth.stream()
                .filter(w -> w.cost().over() == 0)
                .sorted(Comparator.comparingDouble(Choice::takes))
                .toList());
    List<Weighed> lacking = worth.stream().filter(w -> w.cost().over() > 0).toList();
    double enough = lacking.isEmpty() ? 0 : NEARLY_MOST * lacking.get(0).gain();
    lacking.stream()
        .filter(w -> w.gain() >= enough)
        .sorted(Comparator.comparingDouble(w -> -w.gain() / price(stay, w)))
        .forEach(ordered::add);
    lacking.stream().filter(w -> w.gain() < enough).forEach(ordered::add);
    return ordered;
  }

  /** Of the change and of the nodes that it adds, in seconds of a node. */
  private static double price(Cost stay, Weighed weighed) {
    double more = Math.max(0, weighed.cost().nodes() - stay.nodes());
    return Math.max(PRICE_MIN, weighed.cost().change() + more);
  }

  /**
   * All, the one that saves most first, each with what is said of it.
   *
   * @param taken empty if none is
   * @param refusals of those that may not be carried out
   */
  List<Alternative> alternatives(Optional<Weighed> taken, Map<Weighed, Policy.Refused> refusals) {
    return all.stream()
        .map(weighed -> alternative(weighed, verdict(weighed, taken, refusals)))
        .toList();
  }

  private Alternative alternative(Weighed weighed, String verdict) {
    Layout then = weighed.candidate().layout();
    LayoutWork work = LayoutWork.of(then);
    return new Alternative(
        weighed.candidate().title(),
        stay.most(),
        weighed.cost().most(),
        weighed.cost().over(),
        then.size(),
        work.most().moves(),
        work.most().splits(),
        work.moved(),
        work.rewritten(),
        evaluator.seconds(then),
        weighed.cost().change(),
        weighed.gain(),
        evaluator.changes(then),
        verdict);
  }

  private String verdict(
      Weighed weighed, Optional<Weighed> taken, Map<Weighed, Policy.Refused> refusals) {
    if (taken.isPresent() && taken.get() == weighed) {
      return "chosen";
    }
    if (refusals.containsKey(weighed)) {
      return "refused: " + refusals.get(weighed).reason();
    }
    if (agreed.isMissed() && !keeps(weighed)) {
      return agreed.brief();
    }
    if (mustPay(weighed) && !weighed.isWorthIt()) {
      return weighed.gain() > 0
          ? "saves no more than predictions may be off by"
          : "costs more than it saves";
    }
    return suffices(weighed)
        ? "takes more than the chosen one"
        : Counted.of(weighed.cost().over(), "node") + " above the target";
  }
}

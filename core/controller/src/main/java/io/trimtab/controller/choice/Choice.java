package io.trimtab.controller.choice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Compares candidates with the cluster as it is, and takes the cheapest that brings every node
 * below the target; where none does, the one that saves most. None, where nothing is worth its
 * price. Those after the first are for the case that it is refused.
 */
final class Choice {
  /**
   * A candidate with its cost.
   *
   * @param gain what it saves over the horizon, less its price, in seconds of a node
   */
  record Weighed(Candidate candidate, Cost cost, double gain) {}

  private final List<Weighed> all = new ArrayList<>();
  private final List<Weighed> ranked;

  /**
   * @param stay what doing nothing costs
   */
  Choice(Cost stay, Evaluator evaluator, List<Candidate> candidates) {
    for (Candidate candidate : candidates) {
      Cost cost = evaluator.cost(candidate.layout());
      all.add(new Weighed(candidate, cost, stay.sum() - cost.sum()));
    }
    all.sort(Comparator.comparingDouble(w -> -w.gain()));
    ranked = rank();
  }

  /** All, the one that saves most first. */
  List<Weighed> all() {
    return List.copyOf(all);
  }

  /** Those that are worth their price, the one to be taken first. */
  List<Weighed> ranked() {
    return List.copyOf(ranked);
  }

  private List<Weighed> rank() {
    List<Weighed> worth = all.stream().filter(w -> w.gain() > 0).toList();
    // What is enough is enough: not the last bit of usage, but what it takes decides.
    List<Weighed> ordered =
        new ArrayList<>(
            worth.stream()
                .filter(w -> w.cost().over() == 0)
                .sorted(Comparator.comparingDouble(w -> w.cost().nodes() + w.cost().change()))
                .toList());
    worth.stream().filter(w -> w.cost().over() > 0).forEach(ordered::add);
    return ordered;
  }
}

package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Steps that are judged by what tables' clients get, where these fill all nodes: each that makes
 * the whole cheaper is kept, until none does. From the cluster as it is, and from all partitions
 * grouped by access class, which no sequence of small steps comes to.
 */
final class ClientShares implements Generator {
  /** Layouts that are tried from each start. */
  private static final int TRIES = 1_500;

  /** Partitions that are looked at for these, so that many take no longer than few. */
  private static final int LOOKS = 150_000;

  /** In seconds of a node; less is no gain. */
  private static final double LEAST_GAIN = 1e-6;

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    if (!evaluator.isFull()) {
      return found;
    }
    found.add(new Candidate("move by what clients get", climb(now, evaluator)));
    Layout grouped = now.copy();
    Regroup.group(grouped);
    found.add(new Candidate("group by access", grouped));
    found.add(new Candidate("group, and move by what clients get", climb(grouped, evaluator)));
    int most = now.load().settings().guard().maxMoves();
    found.removeIf(
        one ->
            one.layout().moved().count() > most
                || one.layout().moved().findAny().isEmpty() && !one.layout().hasOtherProfiles());
    return found;
  }

  private static Layout climb(Layout from, Evaluator evaluator) {
    Budget budget = new Budget(Math.min(TRIES, LOOKS / Math.max(1, from.items())));
    Layout best = from;
    double least = evaluator.tried(best);
    boolean better = true;
    while (better) {
      better = false;
      Iterator<Consumer<Layout>> steps = steps(best, evaluator).iterator();
      while (steps.hasNext()) {
        if (!budget.take(1)) {
          return best;
        }
        Layout tried = best.copy();
        steps.next().accept(tried);
        double cost = evaluator.tried(tried);
        if (cost < least - LEAST_GAIN) {
          best = tried;
          least = cost;
          better = true;
        }
      }
    }
    return best;
  }

  /**
   * Other profiles, partitions on other nodes, and partitions of two tables in each other's place;
   * those that cause most usage first, as not all may be tried.
   */
  private static Stream<Consumer<Layout>> steps(Layout from, Evaluator evaluator) {
    List<Integer> items =
        from.present()
            .flatMap(from::on)
            .filter(item -> !from.load().stays(from.partition(item)))
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer item) -> -from.demand(item).corrected())
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    return Stream.concat(
        from.present().boxed().flatMap(n -> profiles(from, n, evaluator)),
        IntStream.range(0, items.size()).boxed().flatMap(i -> places(from, items, i)));
  }

  private static Stream<Consumer<Layout>> profiles(Layout from, int n, Evaluator evaluator) {
    return Profile.STANDARD.stream()
        .filter(
            profile ->
                from.profile(n) != null
                    && !profile.sameMemory(from.profile(n))
                    && evaluator.mayReconfigure(from, n))
        .map(profile -> layout -> layout.configure(n, profile));
  }

  /**
   * @param i index of an item; in another's place it is tried by the one that comes first
   */
  private static Stream<Consumer<Layout>> places(Layout from, List<Integer> items, int i) {
    int item = items.get(i);
    Stream<Consumer<Layout>> moves =
        from.present()
            .filter(n -> n != from.nodeOf(item))
            .mapToObj(n -> layout -> layout.move(item, n));
    Stream<Consumer<Layout>> swaps =
        items.subList(i + 1, items.size()).stream()
            .filter(other -> isOfAnotherTable(from, item, other))
            .map(other -> layout -> swap(layout, item, other));
    return Stream.concat(moves, swaps);
  }

  private static boolean isOfAnotherTable(Layout layout, int one, int two) {
    return layout.nodeOf(one) != layout.nodeOf(two)
        && layout.load().partitions().table(layout.partition(one))
            != layout.load().partitions().table(layout.partition(two));
  }

  private static void swap(Layout layout, int one, int two) {
    int first = layout.nodeOf(one);
    int second = layout.nodeOf(two);
    layout.move(one, second);
    layout.move(two, first);
  }
}

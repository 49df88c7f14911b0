package io.trimtab.controller.choice;

import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.List;

/** Steps by what clients get through, where the cluster is full. */
final class FairShares implements Generator {
  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    if (!evaluator.isFull()) {
      return List.of();
    }
    List<Candidate> found = new ArrayList<>();
    Budget budget = new Budget(Integer.getInteger("tt.tries", 3000));
    Layout grouped = now.copy();
    Regroup.group(grouped);
    long t0 = System.nanoTime();
    found.add(new Candidate("share nodes", climb(now.copy(), evaluator, budget)));
    budget = new Budget(Integer.getInteger("tt.tries", 3000));
    found.add(new Candidate("group and share nodes", climb(grouped, evaluator, budget)));
    if (System.getenv("DBG") != null) System.out.println("  ## climbs took " + (System.nanoTime() - t0) / 1000000 + " ms");
    return found;
  }

  private static Layout climb(Layout layout, Evaluator evaluator, Budget budget) {
    Layout best = layout;
    double least = evaluator.tried(best);
    boolean better = true;
    while (better) {
      better = false;
      Layout from = best;
      for (Layout tried : near(from, evaluator)) {
        if (!budget.take(1)) {
          return best;
        }
        double cost = evaluator.tried(tried);
        if (cost < least - 1e-6) {
          best = tried;
          least = cost;
          better = true;
        }
      }
    }
    return best;
  }

  private static Iterable<Layout> near(Layout from, Evaluator evaluator) {
    List<java.util.function.Supplier<Layout>> steps = new ArrayList<>();
    int[] nodes = from.present().toArray();
    int items = from.load().partitions().size();
    for (int n : nodes) {
      if (from.profile(n) != null && evaluator.mayReconfigure(from, n)) {
        for (Profile p : Profile.STANDARD) {
          if (!p.sameMemory(from.profile(n))) {
            steps.add(() -> { Layout l = from.copy(); l.configure(n, p); return l; });
          }
        }
      }
    }
    for (int i = 0; i < items; i++) {
      int item = i;
      if (from.nodeOf(i) < 0 || from.load().stays(i)) {
        continue;
      }
      for (int n : nodes) {
        if (n != from.nodeOf(i)) {
          steps.add(() -> { Layout l = from.copy(); l.move(item, n); return l; });
        }
      }
      for (int j = i + 1; j < items; j++) {
        int other = j;
        if (from.nodeOf(j) >= 0 && !from.load().stays(j) && from.nodeOf(j) != from.nodeOf(i)
            && from.load().partitions().table(i) != from.load().partitions().table(j)) {
          steps.add(() -> { Layout l = from.copy(); int a = l.nodeOf(item); int b = l.nodeOf(other); l.move(item, b); l.move(other, a); return l; });
        }
      }
    }
    return () -> steps.stream().map(java.util.function.Supplier::get).iterator();
  }
}

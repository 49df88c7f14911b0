package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * One more node, and more, until they suffice; each takes what relieves the most used ones. As many
 * as agreements need are proposed whether they suffice or not.
 */
final class MoreNodes implements Generator {
  private final int owed;
  private final int most;

  /**
   * @param owed nodes that agreements need; 0 if they need no more than there are
   * @param most nodes that there may be
   */
  MoreNodes(int owed, int most) {
    this.owed = owed;
    this.most = most;
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    int least = leastMore(now, evaluator);
    int forAgreements = Math.min(owed, most) - now.size();
    if (forAgreements > 0 && forAgreements < least) {
      with(now, forAgreements, evaluator, evaluator.budget()).ifPresent(found::add);
    }
    Budget budget = evaluator.budget();
    for (int more = least; now.size() + more <= most; more++) {
      Optional<Candidate> candidate = with(now, more, evaluator, budget);
      candidate.filter(c -> isNew(c, found)).ifPresent(found::add);
      // Where some would stay empty, more would, too.
      int wanted = now.size() + more;
      if (candidate
          .filter(c -> c.layout().size() == wanted && evaluator.cost(c.layout()).over() > 0)
          .isEmpty()) {
        break;
      }
    }
    return found;
  }

  private static boolean isNew(Candidate candidate, List<Candidate> found) {
    return found.stream().noneMatch(c -> c.layout().size() == candidate.layout().size());
  }

  /**
   * With some more nodes, or with fewer where nothing is worth moving to all of them; empty if it
   * is not to any.
   */
  private static Optional<Candidate> with(
      Layout now, int more, Evaluator evaluator, Budget budget) {
    Layout layout = now.copy();
    for (int i = 0; i < more; i++) {
      layout.add(ofMostUsed(now));
    }
    new Relief(evaluator, budget, EnumSet.allOf(Relief.Kind.class)).improve(layout);
    int used =
        (int) IntStream.range(now.nodes(), layout.nodes()).filter(n -> layout.count(n) > 0).count();
    if (used < more) {
      return used == 0 ? Optional.empty() : with(now, used, evaluator, budget);
    }
    return Optional.of(new Candidate(more == 1 ? "add a node" : "add " + more + " nodes", layout));
  }

  /** With fewer nodes not even an even share would be below the target. */
  private int leastMore(Layout now, Evaluator evaluator) {
    double nodes =
        Math.max(
            needed(now, evaluator.target(), Forecast::cpu),
            needed(now, evaluator.target(), Forecast::disk));
    return Math.max(1, (int) Math.min(most, Math.ceil(nodes)) - now.size());
  }

  private static double needed(Layout now, double target, ToDoubleFunction<Forecast> of) {
    double idle = of.applyAsDouble(now.load().none());
    double sum = now.present().mapToDouble(n -> of.applyAsDouble(now.forecast(n)) - idle).sum();
    return sum / (target - idle);
  }

  private static Profile ofMostUsed(Layout now) {
    int full = now.present().boxed().max(Comparator.comparingDouble(now::usage)).orElseThrow();
    Profile profile = now.profile(full);
    return profile == null ? Profile.HOMOGENEOUS : profile;
  }
}

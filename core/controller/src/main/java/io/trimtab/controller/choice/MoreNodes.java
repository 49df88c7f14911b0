package io.trimtab.controller.choice;

import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One more node, and more, until they suffice; each takes what relieves the most used ones. */
final class MoreNodes implements Generator {
  private final int most;

  /**
   * @param most nodes that there may be
   */
  MoreNodes(int most) {
    this.most = most;
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    Budget budget = evaluator.budget();
    for (int more = leastMore(now, evaluator); now.size() + more <= most; more++) {
      Layout layout = now.copy();
      for (int i = 0; i < more; i++) {
        layout.add(ofMostUsed(now));
      }
      new Relief(evaluator, budget, EnumSet.allOf(Relief.Kind.class)).improve(layout);
      if (layout.isEmpty(layout.nodes() - 1)) {
        // Nothing is worth moving to the last one.
        break;
      }
      found.add(new Candidate(more == 1 ? "add a node" : "add " + more + " nodes", layout));
      if (evaluator.cost(layout).over() == 0) {
        break;
      }
    }
    return found;
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

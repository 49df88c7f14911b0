package io.trimtab.controller.learn;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.settings.Settings;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A built model whose predictions were off too much. Policies that can do without one decide as if
 * none had been given, by what requests cost so far; plans of one that can't are advice only.
 *
 * @param error mean absolute error of its newest predictions, in usage; empty where it is not
 *     refuted
 * @param isNeeded whether nothing can be decided without a model
 */
public record RefutedModel(OptionalDouble error, boolean isNeeded) {
  /**
   * Whether it is refuted.
   *
   * @param error of the newest predictions; empty while there are too few
   */
  public static RefutedModel of(OptionalDouble error, Settings settings) {
    boolean refuted = error.isPresent() && error.getAsDouble() > settings.usage().errorMax();
    return new RefutedModel(
        refuted ? error : OptionalDouble.empty(), settings.policy().needs().contains(Need.MODEL));
  }

  private boolean isDropped(Observation.Usable seen) {
    return error.isPresent() && !isNeeded && seen.model().isPresent();
  }

  /** What is to be decided by. */
  public Observation.Usable without(Observation.Usable seen) {
    return isDropped(seen) ? seen.withoutModel() : seen;
  }

  /** To end what is told of a decision; empty where there is nothing to tell. */
  public String text(Observation.Usable seen) {
    return isDropped(seen)
        ? String.format(
            Locale.ROOT,
            "; the built model is not used, as its last predictions were %.2f off on average"
                + " (usage.errorMax): see trimtab ledger, and build it anew",
            error.getAsDouble())
        : "";
  }

  /**
   * Why a plan is advice only, if it is. What was predicted from something else, or not at all, is
   * not that model's.
   */
  public Optional<String> doubt(Optional<UsagePrediction> predicted) {
    return error.isPresent()
            && predicted.filter(p -> p.from() == UsagePrediction.Origin.BUILT).isPresent()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the model's last predictions were %.2f off on average, so its plans are advice"
                    + " only until it is rebuilt; see trimtab ledger",
                error.getAsDouble()))
        : Optional.empty();
  }
}

package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Load;
import java.util.Locale;

/** Usage of a node by its load, whatever that is known from. */
public interface UsageEstimate {
  /** Usage without load, in [0, 1). */
  double idle();

  /**
   * Usage with a load; above 1 where the node can't serve it.
   *
   * @throws IllegalArgumentException if a kind of request in the load is not covered
   */
  double usage(Load load);

  /** Standard deviation of {@link #usage}. */
  double deviation(Load load);

  /** How uncertain the usage with a load is, and what would change that: a clause. */
  default String uncertainty(Load load) {
    return String.format(Locale.ROOT, "± %.0f points", 100 * deviation(load));
  }

  /** What a read that misses the cache costs beyond one that hits it, in seconds of the node. */
  double missSeconds();
}

package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Load;
import java.util.Locale;
import java.util.Optional;

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

  /**
   * Usage by what is used; together what {@link #usage} is.
   *
   * @param cpu share of the node's CPU
   * @param waiting share of the time in which the CPU was idle and the disk was waited for
   */
  record Parts(double cpu, double waiting) {}

  /** The same with CPU and disk apart; empty if they are not told apart. */
  default Optional<Parts> parts(Load load) {
    return Optional.empty();
  }

  /** Standard deviation of {@link #usage}. */
  double deviation(Load load);

  /** How uncertain the usage with a load is, and what would change that: a clause. */
  default String uncertainty(Load load) {
    return String.format(Locale.ROOT, "± %.0f points", 100 * deviation(load));
  }

  /** What a read that misses the cache costs beyond one that hits it, in seconds of the node. */
  double missSeconds();
}

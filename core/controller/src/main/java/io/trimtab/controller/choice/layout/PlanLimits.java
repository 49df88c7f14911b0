package io.trimtab.controller.choice.layout;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;

/** How much one plan may do. What is more than that is done by several. */
public final class PlanLimits {
  static final double GIB = 1L << 30;

  private final PlanWork all;

  public PlanLimits(Settings settings) {
    GuardSettings guard = settings.guard();
    all =
        new PlanWork(
            guard.maxMoves(),
            Math.min(guard.maxSplits(), settings.split().maxSplits()),
            guard.maxCompactions(),
            guard.maxMovedGiB() * GIB);
  }

  /** What a plan may do in all. */
  public PlanWork all() {
    return all;
  }

  /**
   * What a plan may do beyond what leads to a layout. What already moves or compacts more than one
   * plan may is done by several, whatever else moves.
   */
  public PlanWork room(Layout layout) {
    LayoutWork work = LayoutWork.of(layout);
    PlanWork left = all.minus(work.most());
    // Bytes that count once, where caches hold what has moved, are taken for twice as many here.
    double none = allow(work) ? 0 : Double.POSITIVE_INFINITY;
    return new PlanWork(
        left.moves() < 0 ? Integer.MAX_VALUE : left.moves(),
        left.splits(),
        left.compactions() < 0 ? Integer.MAX_VALUE : left.compactions(),
        left.bytes() < 0 ? none : left.bytes());
  }

  /** Whether the guard lets one plan do it. */
  public boolean allow(LayoutWork work) {
    PlanWork most = work.most();
    return new PlanWork(most.moves(), most.splits(), most.compactions(), work.counted()).fits(all);
  }

  /** How many times what one plan may do it is. */
  public double plans(PlanWork work) {
    double counts =
        Math.max(
            (double) work.moves() / all.moves(), (double) work.compactions() / all.compactions());
    return Math.max(counts, work.bytes() / all.bytes());
  }

  /** The same of all that leads to a layout. */
  public double plans(Layout layout) {
    return plans(LayoutWork.of(layout).most());
  }
}

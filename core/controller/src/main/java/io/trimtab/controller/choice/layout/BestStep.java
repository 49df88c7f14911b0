package io.trimtab.controller.choice.layout;

import java.util.Optional;

/** The best of the steps that were looked at, of those for which a plan has room. */
public final class BestStep {
  /** A step that is so little better is not looked for, and that with fewer moves is taken. */
  private static final double BETTER = 1e-3;

  private final PlanWork room;
  private Step step = new Step(0, PlanWork.NONE, () -> {});

  /**
   * A step that could be made.
   *
   * @param gain in seconds of a node, over the horizon, less its price
   */
  public record Step(double gain, PlanWork work, Runnable make) {}

  /**
   * @param room what the plan may still do
   */
  public BestStep(PlanWork room) {
    this.room = room;
  }

  /** Whether a step of so many moves that brings so much at the very most need be looked at. */
  public boolean isBelow(double most, int moves) {
    double least = moves < step.work().moves() ? 1 - BETTER : 1 + BETTER;
    return moves <= room.moves() && most > least * step.gain();
  }

  public boolean hasRoom(PlanWork work) {
    return work.fits(room);
  }

  /** Takes a step if it is better than those before. */
  public void offer(double gain, PlanWork work, Runnable make) {
    double least = work.moves() < step.work().moves() ? 1 - BETTER : 1;
    if (gain > least * step.gain() && hasRoom(work)) {
      step = new Step(gain, work, make);
    }
  }

  /** None where nothing is gained by any. */
  public Optional<Step> found() {
    return step.gain() > 0 ? Optional.of(step) : Optional.empty();
  }
}

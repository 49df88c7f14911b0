package io.trimtab.controller.choice.layout;

/**
 * How much a plan does, or may do, by what the guard limits.
 *
 * @param moves of partitions, also off nodes that restart and back, and of halves of split ones
 * @param splits of partitions
 * @param compactions of partitions that the plan names; splits compact their halves themselves
 * @param bytes of what is moved, split and compacted, as often as it is
 */
public record PlanWork(int moves, int splits, int compactions, double bytes) {
  public static final PlanWork NONE = new PlanWork(0, 0, 0, 0);

  /** Where nothing limits a plan. */
  public static final PlanWork ANY =
      new PlanWork(
          Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Double.POSITIVE_INFINITY);

  public PlanWork plus(PlanWork more) {
    return new PlanWork(
        moves + more.moves,
        splits + more.splits,
        compactions + more.compactions,
        bytes + more.bytes);
  }

  public PlanWork minus(PlanWork part) {
    return new PlanWork(
        moves - part.moves,
        splits - part.splits,
        compactions - part.compactions,
        bytes - part.bytes);
  }

  /** Whether there is room for it. */
  public boolean fits(PlanWork room) {
    return moves <= room.moves
        && splits <= room.splits
        && compactions <= room.compactions
        && bytes <= room.bytes;
  }
}

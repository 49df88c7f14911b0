package io.trimtab.controller.plan;

import io.trimtab.engineapi.plan.PlannedAction;

/**
 * Texts of a compaction in a plan.
 *
 * @param below locality below which it is done
 */
record CompactTexts(Why why, double below, long sizeBytes) implements PlannedAction.Texts {
  /** What it is done for. */
  enum Why {
    /** Its table's block size. */
    RESIZED,
    /** Locality, which it loses by a move. */
    MOVED,
    /** Locality, which it has lost. */
    FAR
  }

  @Override
  public String reason() {
    return switch (why) {
      case RESIZED -> "its table has another block size";
      case MOVED -> "it moved; done if locality is below " + below;
      case FAR -> "its files are on other nodes; done if locality is below " + below;
    };
  }

  @Override
  public String effect() {
    return "store files local to its node";
  }

  @Override
  public String cost() {
    return MoveTexts.mebibytes(sizeBytes) + " MiB rewritten";
  }

  @Override
  public String undo() {
    return "none needed";
  }
}

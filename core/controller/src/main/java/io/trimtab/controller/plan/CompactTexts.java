package io.trimtab.controller.plan;

import io.trimtab.engineapi.plan.PlannedAction;

/**
 * Texts of a compaction in a plan.
 *
 * @param resized whether it is done for its table's block size, else for locality
 * @param below locality below which it is done
 */
record CompactTexts(boolean resized, double below, long sizeBytes) implements PlannedAction.Texts {
  @Override
  public String reason() {
    return resized
        ? "its table has another block size"
        : "it moved; done if locality is below " + below;
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

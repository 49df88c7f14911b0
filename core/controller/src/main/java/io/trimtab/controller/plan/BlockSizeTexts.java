package io.trimtab.controller.plan;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.plan.PlannedAction;

/**
 * Texts of a change of a table's block size in a plan.
 *
 * @param main class that most of its requests are of
 */
record BlockSizeTexts(AccessClass main, int fromBytes, int toBytes) implements PlannedAction.Texts {
  @Override
  public String reason() {
    return "most of its requests are " + main;
  }

  @Override
  public String effect() {
    return "blocks of " + toBytes / 1024 + " KiB in new store files";
  }

  @Override
  public String cost() {
    return "takes effect by compaction";
  }

  @Override
  public String undo() {
    return "set it to " + fromBytes / 1024 + " KiB";
  }
}

package io.trimtab.controller.choice.layout;

import io.trimtab.engineapi.Profile;

/**
 * How much more a plan does for one more step of a layout, at most: so that steps end before the
 * guard would refuse the plan. Whatever moves may be rewritten, and counts twice in bytes.
 */
public final class StepWork {
  private StepWork() {}

  /** Of a partition that goes to another node. */
  public static PlanWork move(Layout layout, int item, int to) {
    double bytes = layout.demand(item).bytes();
    double before = stored(layout, to);
    Profile profile = layout.profile(to);
    int compactions = 0;
    if (!LayoutWork.isCached(layout, to, profile, before + bytes)) {
      compactions = 1 + (LayoutWork.isCached(layout, to, profile, before) ? moved(layout, to) : 0);
    }
    return new PlanWork(1, 0, compactions, 2 * bytes);
  }

  /** Of two partitions that change places. */
  public static PlanWork swap(Layout layout, int item, int to, int back) {
    return move(layout, item, to).plus(move(layout, back, layout.nodeOf(item)));
  }

  /** Of a partition whose right half goes to another node; all of it is rewritten, once. */
  public static PlanWork split(Layout layout, int item) {
    return new PlanWork(1, 1, 0, layout.demand(item).bytes());
  }

  /** Of another profile: a node that restarts for it is emptied first, and gets all of it back. */
  public static PlanWork profile(Layout layout, int node, Profile profile) {
    if (layout.isNew(node)) {
      return PlanWork.NONE;
    }
    int off = 0;
    double bytes = 0;
    if (!layout.load().isOnline(node) && !layout.restarts(node)) {
      for (int item : layout.on(node).toArray()) {
        if (layout.load().at(layout.partition(item)) == node) {
          off++;
          bytes += layout.demand(item).bytes();
        }
      }
    }
    int compactions = 0;
    double held = stored(layout, node);
    if (!LayoutWork.isCached(layout, node, profile, held)) {
      boolean before = LayoutWork.isCached(layout, node, layout.profile(node), held);
      compactions = off + (before ? moved(layout, node) : 0);
    }
    return new PlanWork(2 * off, 0, compactions, 3 * bytes);
  }

  /** Bytes on a node by which a plan compacts what comes there: what is split counts as a whole. */
  private static double stored(Layout layout, int node) {
    double bytes = layout.held(node).bytes();
    for (int item = layout.load().partitions().size(); item < layout.items(); item++) {
      double half = layout.demand(item).bytes();
      bytes -= layout.nodeOf(item) == node ? half : 0;
      bytes += layout.load().at(layout.partition(item)) == node ? half : 0;
    }
    return bytes;
  }

  /** Partitions that are compacted once their node no more caches all that it serves. */
  private static int moved(Layout layout, int node) {
    return (int)
        layout
            .on(node)
            .filter(
                item -> layout.restarts(node) || layout.load().at(layout.partition(item)) != node)
            .count();
  }
}

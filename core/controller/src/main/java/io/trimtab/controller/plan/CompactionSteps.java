package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.PartitionState;

/** Block sizes of tables, and compactions of what has moved or has another block size. */
record CompactionSteps(PlanDraft plan) {
  /**
   * Nodes whose block cache will hold all that they serve. Where files lie matters little to them,
   * and a compaction would push out of the cache what is in it.
   */
  private boolean[] wholeInCache() {
    double[] bytes = new double[plan.in.nodeCount()];
    boolean[] whole = new boolean[plan.in.nodeCount()];
    for (int p = 0; p < plan.partitions.size(); p++) {
      if (plan.at[p] >= 0) {
        bytes[plan.at[p]] += plan.partitions.state(p).sizeBytes();
      }
    }
    for (int n = 0; n < whole.length; n++) {
      Profile profile = plan.profiles[n];
      whole[n] =
          profile != null
              && bytes[n]
                  <= plan.in
                      .node(plan.in.name(n))
                      .map(s -> s.gauges().cacheBytes(profile))
                      .orElse(0.0);
    }
    return whole;
  }

  /**
   * Gives each table the block size of the class that most of its load belongs to; by table,
   * whether its size changes.
   */
  boolean[] blockSizes() {
    Partitions partitions = plan.partitions;
    boolean[] resized = new boolean[partitions.tables()];
    if (!plan.in.settings().blockSizes()) {
      return resized;
    }
    double[][] load = new double[resized.length][AccessClass.values().length];
    PartitionState[] first = new PartitionState[resized.length];
    boolean[] fixed = new boolean[resized.length];
    for (int p : partitions.asListed()) {
      int table = partitions.table(p);
      load[table][partitions.accessClass(p).ordinal()] += partitions.load(p);
      fixed[table] = plan.in.fixed(p);
      first[table] = first[table] == null ? partitions.state(p) : first[table];
    }
    for (int table = 0; table < resized.length; table++) {
      AccessClass main = AccessClass.values()[0];
      for (AccessClass c : AccessClass.values()) {
        main = load[table][c.ordinal()] > load[table][main.ordinal()] ? c : main;
      }
      int now = first[table].blockSizeBytes();
      int to = Classifier.profile(main).blockSizeBytes();
      // All partitions of a table are fixed, or none is.
      if (!fixed[table] && load[table][main.ordinal()] > 0 && now > 0 && now != to) {
        plan.add(
            new Action.SetBlockSize(first[table].id().table(), now, to),
            new BlockSizeTexts(main, now, to));
        resized[table] = true;
      }
    }
    return resized;
  }

  /**
   * @param resizedTables by table, whether its block size changes
   */
  void compactions(boolean[] resizedTables) {
    boolean[] cached = wholeInCache();
    for (int p = 0; p < plan.partitions.size(); p++) {
      boolean resized = resizedTables[plan.partitions.table(p)];
      if (!resized && !(plan.moved[p] && !cached[plan.at[p]])) {
        continue;
      }
      double below =
          resized
              ? Action.Compact.ALWAYS
              : plan.in.settings().localityMin(plan.partitions.accessClass(p));
      PartitionState state = plan.partitions.state(p);
      CompactTexts.Why why = resized ? CompactTexts.Why.RESIZED : CompactTexts.Why.MOVED;
      plan.add(
          new Action.Compact(state.id(), below), new CompactTexts(why, below, state.sizeBytes()));
    }
  }
}

package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Block sizes of tables, and compactions of what has moved or has another block size. */
record CompactionSteps(PlanDraft plan) {
  /**
   * Nodes whose block cache will hold all that they serve. Where files lie matters little to them,
   * and a compaction would push out of the cache what is in it.
   */
  private boolean[] wholeInCache() {
    double[] bytes = new double[plan.nodes.length];
    boolean[] whole = new boolean[plan.nodes.length];
    for (int p = 0; p < plan.parts.length; p++) {
      if (plan.at[p] >= 0) {
        bytes[plan.at[p]] += plan.parts[p].sizeBytes();
      }
    }
    for (int n = 0; n < plan.nodes.length; n++) {
      Profile profile = plan.wanted.profiles().get(plan.nodes[n]);
      double heap = plan.in.node(plan.nodes[n]).map(s -> s.gauges().heapMaxBytes()).orElse(0L);
      whole[n] = profile != null && bytes[n] <= profile.cacheFraction() * heap;
    }
    return whole;
  }

  /**
   * Gives each table the block size of the class that most of its load belongs to; the tables whose
   * size changes.
   */
  Set<String> blockSizes() {
    Set<String> resized = new HashSet<>();
    if (!plan.in.settings().blockSizes()) {
      return resized;
    }
    Map<String, List<PartitionState>> tables = new TreeMap<>();
    plan.in
        .snapshot()
        .partitions()
        .forEach(p -> tables.computeIfAbsent(p.id().table(), t -> new ArrayList<>()).add(p));
    tables.forEach(
        (table, partitions) -> {
          Map<AccessClass, Double> load = new TreeMap<>();
          partitions.forEach(
              p ->
                  load.merge(plan.wanted.classes().get(p.id()), plan.in.load(p.id()), Double::sum));
          var main = load.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
          int now = partitions.get(0).blockSizeBytes();
          int to = Classifier.profile(main.getKey()).blockSizeBytes();
          if (main.getValue() > 0 && now > 0 && now != to) {
            plan.add(
                new Action.SetBlockSize(table, now, to),
                "most of its requests are " + main.getKey(),
                "blocks of " + to / 1024 + " KiB in new store files",
                "takes effect by compaction",
                "set it to " + now / 1024 + " KiB");
            resized.add(table);
          }
        });
    return resized;
  }

  void compactions(Set<String> resizedTables) {
    boolean[] cached = wholeInCache();
    for (int p = 0; p < plan.parts.length; p++) {
      boolean resized = resizedTables.contains(plan.parts[p].id().table());
      if (!resized && !(plan.moved[p] && !cached[plan.at[p]])) {
        continue;
      }
      boolean write = plan.classOf[p] == AccessClass.WRITE;
      double below =
          resized
              ? Action.Compact.ALWAYS
              : write ? plan.in.settings().localityWrite() : plan.in.settings().localityOther();
      plan.add(
          new Action.Compact(plan.parts[p].id(), below),
          new CompactTexts(resized, below, plan.parts[p].sizeBytes()));
    }
  }
}

package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives tables that are mostly scanned the larger blocks of the scans' profile (Cruz 2016, Table
 * 3.1), by rewriting all of their files where they are; then the nodes' profiles that suit them. A
 * scan reads fewer blocks then. What point reads would lose is not known, so that only tables are
 * looked at of which nearly all requests are scans.
 */
final class BlockSizes implements Generator {
  /** Of what a block costs that need not be read, the part that its size does not cost (ours). */
  private static final double SAVED = 0.5;

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    ClusterLoad load = now.load();
    if (!load.settings().place().blockSizes()) {
      return List.of();
    }
    GuardSettings guard = load.settings().guard();
    double allowed = guard.maxMovedGiB() * (double) (1L << 30);
    Budget budget = evaluator.budget();
    Layout layout = now.copy();
    double bytes = 0;
    for (List<Integer> table : tables(load)) {
      double own = table.stream().mapToDouble(p -> load.demand(p).bytes()).sum();
      int compactions = layout.rewrites().partitions().size() + table.size();
      if (bytes + own > allowed || compactions > guard.maxCompactions()) {
        // A smaller one may fit.
        continue;
      }
      if (layout.rewrites().blockSizes().size() == guard.maxBlockSizeChanges()
          || !budget.take(2 * load.nodes().size())) {
        break;
      }
      Layout with = layout.copy();
      resize(with, table, Profile.SCAN.blockSizeBytes());
      if (evaluator.cost(with).sum() < evaluator.cost(layout).sum()) {
        layout = with;
        bytes += own;
      }
    }
    if (layout.rewrites().partitions().isEmpty()) {
      return List.of();
    }
    new Relief(evaluator, budget, EnumSet.of(Relief.Kind.PROFILE)).improve(layout);
    return List.of(new Candidate("larger blocks for scans", layout));
  }

  /** Those whose blocks are too small, each by its partitions; the most scanned first. */
  private static List<List<Integer>> tables(ClusterLoad load) {
    Partitions partitions = load.partitions();
    Map<Integer, List<Integer>> found = new TreeMap<>();
    double[] all = new double[partitions.tables()];
    double[] scans = new double[all.length];
    boolean[] may = new boolean[all.length];
    for (int p = 0; p < partitions.size(); p++) {
      int table = partitions.table(p);
      int now = partitions.state(p).blockSizeBytes();
      boolean first = !found.containsKey(table);
      may[table] = (first || may[table]) && may(load, p, now);
      found.computeIfAbsent(table, t -> new ArrayList<>()).add(p);
      all[table] += partitions.load(p);
      scans[table] += partitions.rates(p).scanCalls();
    }
    double mostly = load.settings().place().classShare();
    return found.keySet().stream()
        .filter(table -> may[table] && scans[table] > mostly * all[table])
        .sorted(Comparator.comparingDouble(table -> -scans[table]))
        .map(found::get)
        .toList();
  }

  /** All of a table's partitions are rewritten, or none is. */
  private static boolean may(ClusterLoad load, int p, int now) {
    return now > 0
        && now < Profile.SCAN.blockSizeBytes()
        && load.at(p) >= 0
        && !load.stays(p)
        && load.nodes().get(load.at(p)).maintenance().isEmpty();
  }

  /**
   * Rewrites a table with blocks of another size. Of larger ones scans read fewer, which is saved;
   * what smaller ones do is not known, and nothing is counted.
   *
   * @param table its partitions, whole and each on a node
   * @param bytes of a block
   */
  static void resize(Layout layout, List<Integer> table, int bytes) {
    ClusterLoad load = layout.load();
    int first = table.get(0);
    double factor = (double) bytes / load.partitions().state(first).blockSizeBytes();
    Map<Integer, Demand> before = new HashMap<>();
    Map<Integer, Demand> after = new HashMap<>();
    for (int p : table) {
      before.merge(layout.nodeOf(p), load.demand(p), Demand::plus);
      after.merge(layout.nodeOf(p), larger(load.demand(p), factor), Demand::plus);
    }
    Map<Integer, Double> saved = new HashMap<>();
    before.forEach(
        (node, asked) -> {
          Demand other = layout.held(node).minus(asked).plus(after.get(node));
          double less =
              layout.forecast(node).measured()
                  - layout.forecast(node, other, layout.memory(node)).measured();
          saved.put(node, SAVED * Math.max(0, less) / load.strengths().cpu(node));
        });
    for (int p : table) {
      double all = before.get(layout.nodeOf(p)).corrected();
      double share = all > 0 ? load.demand(p).corrected() / all : 0;
      layout.compact(p, share * saved.get(layout.nodeOf(p)));
    }
    layout.rewrites().resize(load.partitions().table(first), bytes);
  }

  /** The same where blocks are so many times as large: what a scan reads is in fewer of them. */
  private static Demand larger(Demand demand, double factor) {
    Load load = demand.load();
    ScanShape scan = load.scan();
    double blocks = 1 + (scan.blocks() - 1) / factor;
    double asked = load.reads() + load.scans() * scan.blocks();
    double less = asked > 0 ? (load.reads() + load.scans() * blocks) / asked : 1;
    ScanShape shape = new ScanShape(scan.calls(), scan.rows(), scan.columns(), blocks);
    return new Demand(
        demand.cache().times(less),
        new Load(1, load.reads(), load.scans(), shape, load.updates(), load.updateBytes()),
        demand.alone(),
        demand.corrected(),
        demand.waits(),
        demand.bytes());
  }

  /** The step of a plan that changes a table's block size. */
  static PlannedAction action(int step, ClusterLoad load, int table, int bytes) {
    int first = 0;
    while (load.partitions().table(first) != table) {
      first++;
    }
    PartitionState state = load.partitions().state(first);
    return PlanFactory.blockSize(step, state, AccessClass.SCAN, bytes);
  }
}

package io.trimtab.controller.choice.layout;

import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.cache.SharedCache;

/** What the requests to each table use of a node, where tables share its cache. */
public final class TableUse {
  private TableUse() {}

  /**
   * Shares of a node's CPU and disk beyond idle, by table, for as many requests as now; of nodes
   * whose CPU and disk are not told apart the second is 0.
   */
  public static double[][] of(Layout layout, int node) {
    ClusterLoad load = layout.load();
    int tables = load.tables().tables();
    int[] items = layout.on(node).toArray();
    int[] table = new int[items.length];
    for (int i = 0; i < items.length; i++) {
      table[i] = load.partitions().table(layout.partition(items[i]));
    }
    Demand[] held = Demand.byNode(tables, table, i -> layout.demand(items[i]));
    CacheLoad[] asked = new CacheLoad[tables];
    for (int t = 0; t < tables; t++) {
      asked[t] = held[t].cache();
    }
    Memory memory = layout.memory(node);
    double[] hits = SharedCache.hitRatios(asked, memory.cacheBytes());
    double[][] used = new double[tables][2];
    for (int t = 0; t < tables; t++) {
      if (held[t].corrected() > 0) {
        double missed = Math.min(1, (1 - hits[t]) * layout.missFactor(node));
        used[t] = used(load, node, held[t], memory, 1 - missed);
      }
    }
    return used;
  }

  private static double[] used(
      ClusterLoad load, int node, Demand held, Memory memory, double hitRatio) {
    double correction = held.correction() * load.excess(node);
    Forecast idle = load.none();
    Forecast forecast =
        load.basis()
            .forecastHitting(held, memory, hitRatio)
            .costing(
                idle,
                correction * load.strengths().cpu(node),
                correction * load.strengths().disk(node));
    boolean apart = load.basis().isApart();
    return new double[] {
      Math.max(0, forecast.cpu() - idle.cpu()),
      apart ? Math.max(0, forecast.disk() - idle.disk()) : 0
    };
  }
}

package io.trimtab.controller.choice;

import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.choice.predict.WaitingClients;
import io.trimtab.models.cache.CacheLoad;
import java.util.Arrays;
import java.util.Optional;

/**
 * What tables' clients get through on a layout, in times of now, on a cluster that is full: those
 * who get answers sooner ask for more, and take what they use from others.
 */
final class Throughput {
  /** How often caches are looked at again as rates change. */
  private static final int ROUNDS = 3;

  /** A request is so long with its client and the network; assumed. */
  private static final double ELSEWHERE_SECONDS = Double.parseDouble(System.getProperty("tt.else", "1e-3"));

  /** More than so many times of now nobody is taken to ask for. */
  private static final double MOST = Double.parseDouble(System.getProperty("tt.most", "4"));

  /** Of nodes times tables; with more each layout would take too long. */
  private static final int SIZE_MAX = 2_000;

  private final ClusterLoad load;
  private final int tables;
  private final WaitingClients clients;
  private final double[] now;
  private final double[] usedNow;
  private final boolean[] hungry;

  private Throughput(ClusterLoad load, Layout now) {
    this.load = load;
    this.tables = load.tables().tables();
    double[] elsewhere = new double[tables];
    for (int p = 0; p < load.partitions().size(); p++) {
      elsewhere[load.partitions().table(p)] += load.partitions().load(p) * ELSEWHERE_SECONDS;
    }
    usedNow = new double[now.nodes()];
    double[] seen = new double[2 * now.nodes()];
    for (int n = 0; n < usedNow.length; n++) {
      usedNow[n] = Math.min(1, now.forecast(n).cpu());
      seen[2 * n] = Double.NaN;
      seen[2 * n + 1] = Double.NaN;
      if (load.basis().isApart() && !Double.isNaN(load.cpuNow(n))) {
        usedNow[n] = Math.min(1, load.cpuNow(n));
        seen[2 * n] = usedNow[n];
        seen[2 * n + 1] = load.diskNow(n);
      }
    }
    hungry = new boolean[tables];
    double[] most = new double[tables];
    Arrays.fill(most, 1);
    for (int p = 0; p < load.partitions().size(); p++) {
      int at = load.at(p);
      if (at >= 0 && (System.getProperty("tt.all") != null || load.isSaturated(at)) && load.partitions().load(p) > 0) {
        most[load.partitions().table(p)] = MOST;
      }
    }
    double[] same = new double[tables];
    Arrays.fill(same, 1);
    double[] kept = new double[now.nodes()];
    for (int n = 0; n < kept.length; n++) {
      kept[n] = now.held(n).cache().keptSeconds(now.memory(n).cacheBytes());
    }
    this.clients = WaitingClients.of(used(now, same, kept), usedNow, seen, idle(now), elsewhere, most);
    double[][] uses = used(now, same, kept);
    for (int t = 0; t < tables; t++) {
      double c = 0;
      double d = 0;
      for (int n = 0; n < now.nodes(); n++) {
        c += uses[t][2 * n];
        d += uses[t][2 * n + 1];
      }
      hungry[t] = d > c;
    }
    this.now = solve(now);
  }

  /** Empty where nodes are not full, or there are too many. */
  static Optional<Throughput> of(ClusterLoad load, Layout now, double target) {
    boolean full =
        System.getProperty("tt.from") == null
            ? now.present().anyMatch(load::isSaturated)
            : now.present().mapToDouble(now::usage).max().orElse(0) > Double.parseDouble(System.getProperty("tt.from"));
    return full && now.nodes() * load.tables().tables() <= SIZE_MAX
        ? Optional.of(new Throughput(load, now))
        : Optional.empty();
  }

  /** By table, what is served, in times of now. */
  double[] served(Layout layout) {
    double[] served = solve(layout);
    for (int table = 0; table < tables; table++) {
      served[table] = Math.max(0.1, served[table] / now[table]);
    }
    return served;
  }

  /** The same if those that wait for disks get what they need into caches. */
  double[] servedAtMost(Layout layout) {
    double[] served = solve(layout, MOST);
    for (int table = 0; table < tables; table++) {
      served[table] = Math.max(0.1, served[table] / now[table]);
    }
    return served;
  }

  private double[] solve(Layout layout) {
    return solve(layout, 1);
  }

  private double[] solve(Layout layout, double begin) {
    double[] idle = idle(layout);
    double[] kept = new double[layout.nodes()];
    for (int n = 0; n < kept.length; n++) {
      kept[n] = layout.held(n).cache().keptSeconds(layout.memory(n).cacheBytes());
    }
    double[] served = new double[tables];
    for (int t = 0; t < tables; t++) {
      served[t] = hungry[t] ? begin : 1;
    }
    double[][] used = used(layout, served, kept);
    eased(used, begin);
    WaitingClients.Queues queues = clients.new Queues(used);
    queues.settle(used, idle);
    for (int round = 1; round < ROUNDS; round++) {
      used = used(layout, queues.served(), kept);
      eased(used, begin);
      queues.settle(used, idle);
    }
    return queues.served();
  }

  private void eased(double[][] used, double begin) {
    for (int t = 0; t < tables && begin > 1; t++) {
      for (int k = 0; k < used[t].length && hungry[t]; k += 2) {
        used[t][k] *= Double.parseDouble(System.getProperty("tt.ease", "0.7"));
        used[t][k + 1] = 0;
      }
    }
  }

  /** What the table's requests on a node would take if their nodes were used little. */
  private double whole(Layout layout, int n, int table) {
    double sum = 0;
    double corrected = 0;
    for (int item : layout.on(n).toArray()) {
      if (load.partitions().table(layout.partition(item)) == table) {
        double its = layout.demand(item).corrected();
        int at = load.at(layout.partition(item));
        sum += its / (at < 0 ? 1 : WaitingClients.costing(usedNow[at]));
        corrected += its;
      }
    }
    return corrected > 0 ? sum / corrected : 1;
  }

  String debug(Layout l) {
    double[] kept = new double[l.nodes()];
    for (int n = 0; n < kept.length; n++) {
      kept[n] = l.held(n).cache().keptSeconds(l.memory(n).cacheBytes());
    }
    double[] x = solve(l);
    double[][] u = used(l, x, kept);
    StringBuilder b = new StringBuilder();
    for (int n = 0; n < l.nodes(); n++) {
      b.append("\n    ## N").append(n).append(' ').append(l.profile(n).name().substring(0, 4));
      for (int t = 0; t < tables; t++) {
        if (u[t][2*n] > 0) b.append(String.format(" %s %.2f/%.2f(%.0fM of %.0fM hit %.2f)", load.tables().name(t), x[t] * u[t][2 * n], x[t] * u[t][2 * n + 1], l.heldByTable(n)[t].cache().bytes() / 1e6, l.heldByTable(n)[t].bytes() / 1e6, l.heldByTable(n)[t].cache().hitRatioWithin(kept[n] * x[t])));
      }
    }
    return b.toString();
  }

  private double[] idle(Layout layout) {
    double[] idle = new double[2 * layout.nodes()];
    for (int n = 0; n < layout.nodes(); n++) {
      idle[2 * n] = load.none().cpu();
      idle[2 * n + 1] = load.basis().isApart() ? load.none().disk() : 0;
    }
    return idle;
  }

  private double[][] used(Layout layout, double[] served, double[] kept) {
    double[][] used = new double[tables][2 * layout.nodes()];
    double idleDisk = load.basis().isApart() ? load.none().disk() : 0;
    for (int n = 0; n < layout.nodes(); n++) {
      if (!layout.isPresent(n)) {
        continue;
      }
      Memory memory = layout.memory(n);
      Demand[] held = layout.heldByTable(n);
      CacheLoad[] asked = new CacheLoad[tables];
      for (int table = 0; table < tables; table++) {
        asked[table] = held[table].cache();
      }
      double time = kept[n];
      if (time < Double.POSITIVE_INFINITY) {
        time = CacheLoad.keptSeconds(asked, served, memory.cacheBytes(), time);
        kept[n] = time;
      }
      double misses = layout.missFactor(n);
      for (int table = 0; table < tables; table++) {
        Demand its = held[table];
        if (its.corrected() <= 0) {
          continue;
        }
        double hits = asked[table].hitRatioWithin(served[table] * time);
        double correction = its.correction() * load.excess(n);
        Forecast forecast =
            load.basis()
                .forecastHitting(its, memory, 1 - Math.min(1, (1 - hits) * misses))
                .costing(
                    load.none(),
                    correction * load.strengths().cpu(n) * whole(layout, n, table),
                    correction * load.strengths().disk(n));
        used[table][2 * n] = Math.max(0, forecast.cpu() - load.none().cpu());
        used[table][2 * n + 1] =
            load.basis().isApart() ? Math.max(0, forecast.disk() - idleDisk) : 0;
      }
    }
    return used;
  }
}

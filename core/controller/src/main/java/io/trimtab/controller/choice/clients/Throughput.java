package io.trimtab.controller.choice.clients;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.TableUse;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.health.Saturation;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.clients.WaitingClients;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What tables are served on a layout of a full cluster, in times of now. There usage tells little:
 * clients that wait for answers fill every node, whatever is where. Those of a table that could be
 * served at once wait behind others' requests, on nodes that are full of these, and a table with
 * few clients is served as little as its node's queue is long. How many clients wait is known:
 * requests a second times how long they take (Little's law), as nodes tell it.
 */
public final class Throughput {
  /** From a node to a client and back, and the client's own work; assumed. */
  private static final double ELSEWHERE_SECONDS = 1e-3;

  /**
   * At least so many times as many clients of a table as wait at nodes are taken to be elsewhere,
   * as nobody tells how many there are (ours): else tables whose clients think, or have a limit,
   * would seem to gain most where nothing is to be gained.
   */
  private static final double ELSEWHERE = 1;

  /** So many times of now a table is served whose clients never wait. */
  private static final double MOST = 1 + 1 / ELSEWHERE;

  /** Nor to be served less than this: next to nothing can't be told from nothing. */
  private static final double LEAST = 0.1;

  /**
   * By how much what a table's clients get comes out otherwise than predicted, one deviation, as a
   * logarithm (ours).
   */
  private static final double OFF = 0.4;

  /** A queue is not taken to be longer than where so much is used. */
  private static final double FULL = 0.98;

  /** Nodes times tables; with more of them a decision would take too long. */
  private static final int SIZE_MAX = 300;

  /** Likewise; each layout that is tried is compared with the others partition by partition. */
  private static final int PARTITIONS_MAX = 2_000;

  private final ClusterLoad load;
  private final WaitingClients clients;
  private final double[] now;

  /** By table, how much less of CPUs and of disks its requests use than they are taken to. */
  private final double[][] less;

  /** What nodes were found to be used for that hold the same. */
  private final Map<Held, double[][]> found = new HashMap<>();

  /** A node, as far as it matters what it is used for. */
  private record Held(int node, Memory memory, List<Integer> items) {}

  /**
   * @param there by node, requests that wait or are served there now
   */
  private Throughput(ClusterLoad load, Layout now, double[] there) {
    this.load = load;
    this.less = new double[load.tables().tables()][];
    Arrays.setAll(less, table -> new double[] {1, 1});
    double[][] possible = less(usage(now));
    Arrays.setAll(less, table -> possible[table]);
    double[] elsewhere = new double[load.tables().tables()];
    for (int p = 0; p < load.partitions().size(); p++) {
      elsewhere[load.partitions().table(p)] += load.partitions().load(p) * ELSEWHERE_SECONDS;
    }
    double[] all = clients(usage(now), there);
    for (int table = 0; table < all.length; table++) {
      elsewhere[table] = Math.max(elsewhere[table], ELSEWHERE * all[table]);
      all[table] += elsewhere[table];
    }
    this.clients = new WaitingClients(all, elsewhere);
    this.now = solve(now);
  }

  /**
   * Clients by table: those elsewhere, and at each node its share of those that wait for its CPU
   * and for its disk. Nodes tell how many wait, not for what: a queue is about u / (1 − u) long
   * where u is used.
   */
  private static double[] clients(Usage usage, double[] there) {
    double[] clients = new double[usage.used.length];
    for (int n = 0; n < there.length; n++) {
      double[] queue = {queue(usage.all(2 * n)), queue(usage.all(2 * n + 1))};
      double both = queue[0] + queue[1];
      for (int k = 0; k < 2; k++) {
        double its = usage.asked(2 * n + k);
        for (int table = 0; its > 0 && table < clients.length; table++) {
          clients[table] += there[n] * queue[k] / both * usage.used[table][2 * n + k] / its;
        }
      }
    }
    return clients;
  }

  /**
   * No CPU and no disk is used for more than all of the time, whatever requests are taken to cost:
   * those that are there now cost as much less.
   */
  private static double[][] less(Usage taken) {
    double[][] less = new double[taken.used.length][2];
    for (int table = 0; table < less.length; table++) {
      for (int k = 0; k < 2; k++) {
        double its = 0;
        double possible = 0;
        for (int station = k; station < taken.idle.length; station += 2) {
          double used = taken.used[table][station];
          its += used;
          possible +=
              (used > 0 ? used * Math.min(1, (1 - taken.idle[station]) / taken.asked(station)) : 0);
        }
        less[table][k] = its > 0 ? possible / its : 1;
      }
    }
    return less;
  }

  private static double queue(double used) {
    double most = Math.min(FULL, used);
    return most / (1 - most);
  }

  /**
   * Empty where no node is saturated, others have room or there can be more, one does not tell how
   * long requests take, or there are too many.
   */
  public static Optional<Throughput> of(ClusterLoad load, Layout now) {
    boolean full = load.context().seen().usage().values().stream().anyMatch(Saturation::isReached);
    // Clients that wait would fill any number of nodes: how many there should be is not theirs to
    // say. And where some have room it is enough to use it.
    boolean large =
        now.nodes() * load.tables().tables() > SIZE_MAX
            || load.partitions().size() > PARTITIONS_MAX;
    if (!full || load.hasRoom() || large) {
      return Optional.empty();
    }
    double[] there = new double[now.nodes()];
    for (int p = 0; p < load.partitions().size(); p++) {
      double requests = load.partitions().load(p);
      if (requests > 0 && load.at(p) >= 0) {
        OptionalDouble seconds = seconds(load.nodes().get(load.at(p)));
        if (seconds.isEmpty()) {
          return Optional.empty();
        }
        there[load.at(p)] += requests * seconds.getAsDouble();
      }
    }
    return Optional.of(new Throughput(load, now, there));
  }

  private static OptionalDouble seconds(NodeState node) {
    double mean = node.gauges().times().meanMs();
    return mean > 0 ? OptionalDouble.of(mean / 1e3) : OptionalDouble.empty();
  }

  /**
   * What is lost at any time, in nodes: the logarithm of what each table lacks of the most that it
   * is taken to ask for.
   *
   * @param served on the layout, by table
   */
  public double lost(Layout layout, double[] served) {
    double lacking = 0;
    for (double its : served) {
      lacking += Math.log(MOST / its);
    }
    return load.tables().each() * lacking
        + layout.present().mapToDouble(n -> layout.worthOn(n) * load.slowness(n)).sum();
  }

  /**
   * What tables' losses weigh beyond that, in nodes. What is gained is counted already.
   *
   * @param served on the layout, by table
   */
  public double regret(double[] served) {
    double[] now = new double[served.length];
    double[] then = new double[served.length];
    for (int table = 0; table < then.length; table++) {
      now[table] = 1;
      then[table] = Math.min(1, served[table]);
    }
    return load.tables().regret(now, then, load.settings().choice().lossAversion());
  }

  /** Both together. */
  public double missed(Layout layout) {
    double[] served = served(layout);
    return lost(layout, served) + regret(served);
  }

  /** By how much what is lost may be off, one standard deviation, in nodes. */
  public double off() {
    return OFF * load.tables().each() * Math.sqrt(load.tables().asked());
  }

  /** By table, in [0.1, 2]. */
  public double[] served(Layout layout) {
    double[] served = solve(layout);
    for (int table = 0; table < served.length; table++) {
      served[table] = Math.max(LEAST, Math.min(MOST, served[table] / now[table]));
    }
    return served;
  }

  private double[] solve(Layout layout) {
    Usage usage = usage(layout);
    return clients.served(usage.used, usage.idle);
  }

  /**
   * What is used of stations, of which each node has two, its CPU and its disk.
   *
   * @param used by table and station
   * @param idle by station
   */
  private record Usage(double[][] used, double[] idle) {
    double asked(int station) {
      double asked = 0;
      for (double[] its : used) {
        asked += its[station];
      }
      return asked;
    }

    double all(int station) {
      return idle[station] + asked(station);
    }
  }

  private Usage usage(Layout layout) {
    boolean apart = load.basis().isApart();
    double[][] used = new double[load.tables().tables()][2 * layout.nodes()];
    double[] idle = new double[2 * layout.nodes()];
    for (int n = 0; n < layout.nodes(); n++) {
      idle[2 * n] = Math.min(0.9, load.none().cpu());
      idle[2 * n + 1] = apart ? Math.min(0.9, load.none().disk()) : 0;
      if (!layout.isPresent(n)) {
        continue;
      }
      double[][] its = used(layout, n);
      for (int table = 0; table < used.length; table++) {
        for (int k = 0; k < 2; k++) {
          used[table][2 * n + k] = its[table][k] * less[table][k];
        }
      }
    }
    return new Usage(used, idle);
  }

  private double[][] used(Layout layout, int n) {
    Held held = new Held(n, layout.memory(n), layout.on(n).sorted().boxed().toList());
    // Halves and what is compacted have the same numbers in one layout and others in the next.
    return layout.items() > load.partitions().size()
            || held.items.stream().anyMatch(layout::isCompacted)
        ? TableUse.of(layout, n)
        : found.computeIfAbsent(held, any -> TableUse.of(layout, n));
  }
}

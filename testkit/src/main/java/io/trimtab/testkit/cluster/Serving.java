package io.trimtab.testkit.cluster;

import io.trimtab.testkit.law.ClosedNetwork;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.ClosedClients;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets time pass for requests: what tables are asked for, and what nodes make of it.
 *
 * <p>Where clients wait for answers, how much they ask for follows from what nodes can do ({@link
 * ClosedNetwork}): CPU and disk of each node are stations that a request visits by its table's
 * shares, with caches and files as they are. It is computed anew for every few seconds, so that
 * filling caches count, and kept for these. While one of a table's partitions is closed, its
 * clients all wait for that one. A write's copies on other nodes take nothing of these.
 */
final class Serving {
  /** For so long what clients that wait ask for is kept. */
  private static final Duration KEPT = Duration.ofSeconds(5);

  private final ClusterState state;

  /** Whether clients wait for answers. */
  private final boolean closed;

  /**
   * @throws IllegalArgumentException where clients wait for answers on a ring, or of some tables
   *     only
   */
  Serving(ClusterState state) {
    this.state = state;
    long waiting =
        state.spec.tables().stream().filter(t -> t.load().clients(0).isPresent()).count();
    this.closed = waiting > 0;
    if (closed && (state.ring() || waiting < state.spec.tables().size())) {
      throw new IllegalArgumentException(
          "clients wait for answers of all tables or of none, and of none where tokens own data");
    }
  }

  /** With the state's monitor held. */
  void until(Instant then) {
    while (state.now.isBefore(then)) {
      Instant next = closed ? state.now.plus(KEPT) : then;
      step(next.isBefore(then) ? next : then);
    }
  }

  private void step(Instant then) {
    double from = state.seconds(state.now);
    double length = state.seconds(then) - from;
    double middle = from + length / 2;
    state.shares(middle);
    boolean usual = true;
    if (closed) {
      usual = askWaiting(middle);
    } else {
      for (TableModel table : state.tables.values()) {
        table.asked = table.spec.load().at(middle);
      }
    }
    double[] before = new double[state.tables.size()];
    int next = 0;
    for (TableModel table : state.tables.values()) {
      table.wanted += wanted(table.asked) * length;
      before[next++] = table.served;
    }
    serve(length, usual);
    if (closed) {
      next = 0;
      for (TableModel table : state.tables.values()) {
        double requests = table.served - before[next++];
        table.operations += requests / table.spec.load().at(middle).requests();
      }
    }
    state.now = then;
  }

  private void serve(double seconds, boolean usual) {
    for (NodeModel node : state.nodes.values()) {
      if (node.alive && node.member) {
        state.law.serve(node, seconds, usual);
        state.upSeconds += seconds;
        state.overloadedSeconds += node.demand > 1 ? seconds : 0;
      }
    }
  }

  /** As nodes count them: in a ring each copy counts what it writes. */
  private double wanted(Access asked) {
    int writes = state.ring() ? state.spec.replication() : 1;
    return asked.reads() + asked.scans() + writes * asked.writes();
  }

  /** Returns whether no clients are held up. */
  private boolean askWaiting(double seconds) {
    List<NodeModel> nodes = state.nodes.values().stream().filter(n -> n.alive && n.member).toList();
    Set<TableModel> halted = halted();
    Map<TableModel, ClosedClients> asking = new LinkedHashMap<>();
    List<ClosedNetwork.Customers> customers = new ArrayList<>();
    for (TableModel table : state.tables.values()) {
      table.asked = Access.NONE;
      Optional<ClosedClients> clients = table.spec.load().clients(seconds);
      if (clients.isPresent() && !halted.contains(table)) {
        asking.put(table, clients.get());
        customers.add(customers(table, clients.get(), nodes));
      }
    }
    double[] rates = ClosedNetwork.throughput(customers);
    int next = 0;
    for (Map.Entry<TableModel, ClosedClients> its : asking.entrySet()) {
      its.getKey().asked = its.getValue().operation().times(rates[next++]);
    }
    return halted.isEmpty();
  }

  /** Tables with a partition that nobody serves now. */
  private Set<TableModel> halted() {
    Set<TableModel> halted = new HashSet<>();
    for (PartitionModel p : state.every()) {
      boolean asked = p.readShare > 0 || p.writeShare > 0;
      boolean open = p.node != null && p.node.alive && !state.moving(p);
      if (asked && !open) {
        halted.add(p.table);
      }
    }
    return halted;
  }

  /** With two stations for each node: its CPU, which costs less where it is full, and its disk. */
  private ClosedNetwork.Customers customers(
      TableModel table, ClosedClients clients, List<NodeModel> nodes) {
    double[] whole = new double[2 * nodes.size()];
    double[] saved = new double[2 * nodes.size()];
    for (int i = 0; i < nodes.size(); i++) {
      for (PartitionModel p : nodes.get(i).serves()) {
        if (p.table == table) {
          UsageLaw.Work work = state.law.work(nodes.get(i), p, clients.operation());
          whole[2 * i] += work.cpu() / state.spec.cores();
          saved[2 * i] += work.saved() / state.spec.cores();
          whole[2 * i + 1] += work.disk();
        }
      }
    }
    return new ClosedNetwork.Customers(
        clients.clients(), clients.thinkSeconds(), clients.mostPerSecond(), whole, saved);
  }
}

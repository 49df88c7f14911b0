package io.trimtab.simulator.replicas;

import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.Views;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.HdrHistogram.Histogram;

/**
 * Reads of many clients on servers whose rates fluctuate. The same model and rankings give the same
 * result: one thread, and random streams that do not depend on the choices.
 */
final class ReplicaSimulation {
  private static final double NS = 1e6;
  private static final Object ARRIVAL = new Object();
  private static final Object FLUCTUATION = new Object();

  private final ReplicaModel model;
  private final Events events = new Events();
  private final Server[] servers;
  private final ReplicaRanking[] clients;

  /** What each client has seen and heard; null where its ranking does not listen. */
  private final Views[] views;

  private final int telling;
  private final RandomGenerator arrivals;
  private final RandomGenerator rates;
  private final RandomGenerator services;
  private final double[] keys;
  private final long network;
  private final int[] order;
  private final Histogram latencies = new Histogram(1, 3_600_000_000_000L, 3);
  private double sum;
  private long begun;
  private long answered;
  private long now;
  private long handled;

  /**
   * @param chosen makes the rankings of the clients
   */
  ReplicaSimulation(ReplicaModel model, SimulatedRanking chosen) {
    this.model = model;
    servers = new Server[model.servers()];
    for (int i = 0; i < servers.length; i++) {
      servers[i] = new Server(i, servers.length);
    }
    clients = new ReplicaRanking[model.clients()];
    views = new Views[clients.length];
    telling = chosen.entries();
    for (int i = 0; i < clients.length; i++) {
      views[i] = telling > 0 ? new Views(servers.length) : null;
      clients[i] = chosen.make(model, servers, i, views[i]);
    }
    arrivals = stream(1);
    rates = stream(2);
    services = stream(3);
    network = (long) (model.networkMs() * NS);
    order = new int[model.replication()];
    keys = new double[servers.length];
    double all = 0;
    for (int i = 0; i < keys.length; i++) {
      all += Math.pow(i + 1, -model.keySkew());
      keys[i] = all;
    }
  }

  private RandomGenerator stream(int number) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(model.seed() * 31 + number);
  }

  ReplicaResult run() {
    events.add(0, FLUCTUATION);
    events.add(0, ARRIVAL);
    while (answered < model.requests()) {
      now = events.nextTime();
      Object event = events.take();
      handled++;
      if (event == ARRIVAL) {
        arrives();
      } else if (event == FLUCTUATION) {
        fluctuates();
      } else {
        goesOn((Ask) event);
      }
    }
    return ReplicaResult.of(latencies, sum / answered, now, servers, handled);
  }

  private void fluctuates() {
    for (Server server : servers) {
      server.rate = rates.nextBoolean() ? model.slowdown() : 1;
    }
    events.add(now + (long) (model.fluctuationMs() * NS), FLUCTUATION);
  }

  private void arrives() {
    begun++;
    Read read = new Read(arrivals.nextInt(clients.length), now);
    int key = key(arrivals.nextDouble() * keys[keys.length - 1]);
    boolean shadow = arrivals.nextDouble() < model.shadowReads();
    for (int i = 0; i < order.length; i++) {
      order[i] = (key + i) % servers.length;
    }
    ReplicaRanking ranking = clients[read.client];
    if (!shadow) {
      ranking.order(order, order.length, now);
    }
    for (int i = 0; i < (shadow ? order.length : 1); i++) {
      Server server = servers[order[i]];
      ranking.sent(server.number, now);
      server.pending++;
      Ask ask = new Ask(read, server, now);
      tells(ask, views[read.client]);
      events.add(now + network, ask);
    }
    if (begun < model.requests()) {
      double gap = arrivals.nextExponential() / model.arrivalsPerSecond();
      events.add(now + Math.max(1, (long) (gap * 1e9)), ARRIVAL);
    }
  }

  private int key(double drawn) {
    if (model.keySkew() == 0) {
      return (int) Math.min(keys.length - 1, drawn);
    }
    int low = 0;
    int high = keys.length - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (keys[middle] < drawn) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void goesOn(Ask ask) {
    switch (ask.stage) {
      case ON_THE_WAY -> {
        ask.arrivedAt = now;
        hears(ask, ask.server.views);
        if (ask.server.busy < model.concurrency()) {
          begins(ask);
        } else {
          ask.server.queue.add(ask);
        }
      }
      case AT_WORK -> ends(ask);
      case ON_THE_WAY_BACK -> answers(ask);
      default -> throw new IllegalStateException("stage " + ask.stage);
    }
  }

  private void begins(Ask ask) {
    Server server = ask.server;
    server.busy++;
    double ms = model.distribution().next(services) * model.serviceMs() / server.rate;
    ask.told.waited = now - ask.arrivedAt;
    ask.told.service = Math.max(1, (long) (ms * NS));
    ask.stage = Ask.Stage.AT_WORK;
    events.add(now + ask.told.service, ask);
  }

  private void ends(Ask ask) {
    Server server = ask.server;
    server.busy--;
    server.served(ask.told.service);
    Ask next = server.queue.poll();
    if (next != null) {
      begins(next);
    }
    ask.told.queued = server.busy + server.queue.size();
    ask.told.recentService = (long) server.recentService;
    if (ask.entries != null) {
      tells(ask, server.views);
    }
    ask.stage = Ask.Stage.ON_THE_WAY_BACK;
    events.add(now + network, ask);
  }

  /** What is known of the servers goes with each message, where the ranking hears it. */
  private void tells(Ask ask, Views known) {
    if (known != null && telling > 0) {
      ask.entries = ask.entries == null ? new long[telling] : ask.entries;
      ask.entryCount = known.tell(now, ask.entries);
    }
  }

  private void hears(Ask ask, Views known) {
    if (ask.entries != null) {
      known.hear(now, network, ask.entries, ask.entryCount);
    }
  }

  private void answers(Ask ask) {
    ask.server.pending--;
    clients[ask.read.client].received(ask.server.number, now, now - ask.sentAt, ask.told);
    hears(ask, views[ask.read.client]);
    if (!ask.read.answered) {
      ask.read.answered = true;
      answered++;
      long took = now - ask.read.begunAt;
      sum += took;
      latencies.recordValue(took);
    }
  }
}

package io.trimtab.simulator.replicas;

import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.Views;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.HdrHistogram.Histogram;

/**
 * Reads of many clients on servers whose rates fluctuate. The same model and rankings give the same
 * result: one thread. Arrivals, keys, rates and disturbances are the same for every ranking.
 */
public final class ReplicaSimulation {
  private static final double NS = 1e6;

  private final ReplicaModel model;
  private final Events events = new Events();
  private final Server[] servers;
  private final ReplicaRanking[] clients;

  /** What each client has seen and heard; null where its ranking does not listen. */
  private final Views[] views;

  /** What each client may send; null where its ranking sends at once. */
  private final C3Rates[] limits;

  private final int telling;
  private final RandomGenerator arrivals;
  private final RandomGenerator rates;
  private final RandomGenerator services;
  private final RandomGenerator others;
  private final double[] keys;
  private final long network;
  private final int[] order;
  private final Histogram latencies = new Histogram(1, 3_600_000_000_000L, 3);
  private double sum;
  private long begun;
  private long answered;
  private long hedged;
  private long now;
  private long handled;

  /**
   * @param chosen makes the rankings of the clients
   */
  public ReplicaSimulation(ReplicaModel model, SimulatedRanking chosen) {
    this.model = model;
    servers = new Server[model.servers()];
    for (int i = 0; i < servers.length; i++) {
      boolean knows = model.shape().local() || chosen.entries() > 0;
      servers[i] = new Server(i, model.concurrency(), knows ? new Views(servers.length) : null);
    }
    clients = new ReplicaRanking[model.clients()];
    views = new Views[clients.length];
    limits = new C3Rates[clients.length];
    telling = chosen.entries();
    for (int i = 0; i < clients.length; i++) {
      // A node knows as a coordinator what it knows as a replica.
      views[i] =
          model.shape().local() ? servers[i].views : telling > 0 ? new Views(servers.length) : null;
      limits[i] = chosen.holdsBack() ? new C3Rates(servers.length) : null;
      clients[i] = chosen.make(model, servers, i, views[i]);
    }
    arrivals = stream(1);
    rates = stream(2);
    services = stream(3);
    others = stream(4);
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

  /** Once. */
  public ReplicaResult run() {
    disturbs();
    fluctuates();
    arrives();
    while (answered < model.requests()) {
      now = events.nextTime();
      Object event = events.take();
      handled++;
      if (event instanceof Ask ask) {
        goesOn(ask);
      } else {
        ((Runnable) event).run();
      }
    }
    return ReplicaResult.of(
        latencies, sum / answered, now, servers, (double) hedged / begun, handled);
  }

  private void after(double ms, Runnable event) {
    events.add(now + Math.max(1, (long) (ms * NS)), event);
  }

  private void fluctuates() {
    for (Server server : servers) {
      server.fluctuation = rates.nextBoolean() ? model.slowdown() : 1;
    }
    after(model.fluctuationMs(), this::fluctuates);
  }

  private void disturbs() {
    Disturbances by = model.disturbances();
    int slow = (int) Math.round(by.slowServers() * servers.length);
    for (Server server : servers) {
      // Spread over the ring, so that no record has slow replicas only.
      boolean isSlow =
          (long) (server.number + 1) * slow / servers.length
              > (long) server.number * slow / servers.length;
      server.unequal = isSlow ? by.slowFactor() : 1;
      if (by.pausesPerSecond() > 0) {
        after(1_000 * others.nextExponential() / by.pausesPerSecond(), () -> stops(server));
      }
      limits(server, by.disks());
      if (by.compactionsPerSecond() > 0) {
        after(1_000 * others.nextExponential() / by.compactionsPerSecond(), () -> compacts(server));
      }
    }
  }

  private void limits(Server server, DiskLimit by) {
    if (by.isLimited()) {
      server.disk = new Disk(by.readsPerSecond(), others.nextLong(Disk.slice()));
      if (by.cutsPerSecond() > 0) {
        after(1_000 * others.nextExponential() / by.cutsPerSecond(), () -> cuts(server, by));
      }
    }
  }

  private void cuts(Server server, DiskLimit by) {
    server.disk.limit(by.cutReadsPerSecond());
    after(
        by.cutMs(),
        () -> {
          server.disk.limit(by.readsPerSecond());
          after(1_000 * others.nextExponential() / by.cutsPerSecond(), () -> cuts(server, by));
        });
  }

  private void stops(Server server) {
    Disturbances by = model.disturbances();
    long length = (long) (by.pauseMs() * NS);
    server.stopsUntil = now + length;
    server.atWork.forEach(ask -> ask.putOff += length);
    after(
        by.pauseMs() + 1_000 * others.nextExponential() / by.pausesPerSecond(),
        () -> stops(server));
  }

  private void compacts(Server server) {
    Disturbances by = model.disturbances();
    server.compacting = by.compactionSlowdown();
    after(
        by.compactionMs(),
        () -> {
          server.compacting = 1;
          after(
              1_000 * others.nextExponential() / by.compactionsPerSecond(), () -> compacts(server));
        });
  }

  private void arrives() {
    begun++;
    int client = arrivals.nextInt(clients.length);
    double skew = model.shape().sizeSkew();
    double size = skew == 0 ? 1 : Math.exp(skew * arrivals.nextGaussian() - skew * skew / 2);
    Read read = new Read(client, now, size);
    int key = key(arrivals.nextDouble() * keys[keys.length - 1]);
    boolean shadow = arrivals.nextDouble() < model.shadowReads();
    for (int i = 0; i < order.length; i++) {
      order[i] = (key + i) % servers.length;
    }
    if (!shadow) {
      if (model.shape().local()) {
        Server self = servers[client];
        int queued = self.atWork.size() + self.queue.size();
        views[client].refresh(client, now, queued);
      }
      clients[client].order(order, order.length, now);
    }
    if (shadow) {
      for (int server : order) {
        asks(read, servers[server]);
      }
    } else if (limits[client] == null) {
      asks(read, servers[order[0]]);
    } else {
      asksWhereAdmitted(read, order.clone());
    }
    if (model.shape().hedgeMs() > 0 && !shadow && order.length > 1) {
      Server next = servers[order[1]];
      after(model.shape().hedgeMs(), () -> hedges(read, next));
    }
    if (begun < model.requests()) {
      after(1_000 * arrivals.nextExponential() / model.arrivalsPerSecond(), this::arrives);
    }
  }

  /** The first that the client's rate control admits; waits until there is one. */
  private void asksWhereAdmitted(Read read, int[] ranked) {
    if (read.answered) {
      return;
    }
    C3Rates limit = limits[read.client];
    long soonest = Long.MAX_VALUE;
    for (int server : ranked) {
      if (limit.admits(server, now)) {
        asks(read, servers[server]);
        return;
      }
      soonest = Math.min(soonest, limit.admitsAt(server, now));
    }
    events.add(
        soonest,
        (Runnable)
            () -> {
              clients[read.client].order(ranked, ranked.length, now);
              asksWhereAdmitted(read, ranked);
            });
  }

  private void hedges(Read read, Server next) {
    if (!read.answered) {
      hedged++;
      asks(read, next);
    }
  }

  private void asks(Read read, Server server) {
    clients[read.client].sent(server.number, now);
    if (limits[read.client] != null) {
      limits[read.client].sent(server.number, now);
    }
    server.pending++;
    Ask ask = new Ask(read, server, now);
    tells(ask, views[read.client]);
    events.add(now + way(ask), ask);
  }

  /** One way between an ask's client and its server. */
  private long way(Ask ask) {
    return model.shape().local() && ask.read.client == ask.server.number ? 0 : network;
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
        if (ask.server.atWork.size() < model.concurrency()) {
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
    server.atWork.add(ask);
    double ms =
        model.distribution().next(services) * ask.read.size * model.serviceMs() / server.rate();
    ask.told.waited = now - ask.arrivedAt;
    long waits = Math.max(0, server.stopsUntil - now);
    if (server.disk != null && services.nextDouble() < model.disturbances().disks().share()) {
      waits = Math.max(waits, server.disk.delay(now));
    }
    ask.told.service = Math.max(1, (long) (ms * NS)) + waits;
    ask.stage = Ask.Stage.AT_WORK;
    events.add(now + ask.told.service, ask);
  }

  private void ends(Ask ask) {
    if (ask.putOff > 0) {
      events.add(now + ask.putOff, ask);
      ask.told.service += ask.putOff;
      ask.putOff = 0;
      return;
    }
    Server server = ask.server;
    server.atWork.remove(ask);
    server.served(ask.told.service, now);
    Ask next = server.queue.poll();
    if (next != null) {
      begins(next);
    }
    ask.told.queued = server.atWork.size() + server.queue.size();
    ask.told.recentService = (long) server.recentService.value();
    if (ask.entries != null) {
      if (model.shape().local()) {
        server.views.learn(server.number, now, ask.told.queued, ask.told.recentService);
      }
      tells(ask, server.views);
    }
    ask.stage = Ask.Stage.ON_THE_WAY_BACK;
    events.add(now + way(ask), ask);
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
      known.hear(now, way(ask), ask.entries, ask.entryCount);
    }
  }

  private void answers(Ask ask) {
    ask.server.pending--;
    clients[ask.read.client].received(ask.server.number, now, now - ask.sentAt, ask.told);
    if (limits[ask.read.client] != null) {
      limits[ask.read.client].received(ask.server.number, now);
    }
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

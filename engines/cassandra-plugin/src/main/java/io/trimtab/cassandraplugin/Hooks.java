package io.trimtab.cassandraplugin;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import io.trimtab.cassandraplugin.tables.ReplicasTable;
import io.trimtab.plugincore.ranking.Told;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where Cassandra tells of reads: in the filters of its messages, by which replicas also say how
 * busy they are, and in its read stage. What goes wrong here never harms a read.
 */
final class Hooks implements TimedReadStage.LocalReads {
  /** Of what a replica says of itself; nodes that do not know such a parameter skip it. */
  private static final String LOAD = "trimtab.load";

  /** Of what a node says of others. */
  private static final String VIEWS = "trimtab.views";

  private static final byte[] NOTHING = {};
  private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);
  private static final AtomicBoolean INSTALLED = new AtomicBoolean();
  private static final long EVERY_S = 1;

  /** What nodes pass on and on must become older. */
  private static final long LEAST_WAY = 100_000;

  private final CoordinatorRanking ranking;
  private final ReplicaLoad load;
  private final Outstanding outstanding = new Outstanding();
  private final AtomicLongArray ways = new AtomicLongArray(Peers.MOST);
  private final Components components = new Components();
  private final ThreadLocal<Told> told = ThreadLocal.withInitial(Told::new);

  /** Empty where the read stage tells of them. */
  private final Optional<OwnReads> own;

  private Hooks(CoordinatorRanking ranking, ExecutorPlus reads, boolean staged) {
    this.ranking = ranking;
    this.own = staged ? Optional.empty() : Optional.of(new OwnReads(this));
    IntSupplier queued = () -> reads.getPendingTaskCount() + reads.getActiveTaskCount();
    this.load = new ReplicaLoad(queued, DatabaseDescriptor.getConcurrentReaders());
    ranking.queue(queued);
  }

  /** Once in a JVM. A node serves, whatever goes wrong. */
  static void install() {
    if (INSTALLED.get() || !INSTALLED.compareAndSet(false, true)) {
      return;
    }
    CoordinatorRanking ranking = CoordinatorRanking.INSTANCE;
    try {
      ExecutorPlus stage = Stage.READ.executor();
      boolean staged = Offered.HERE == Offered.STAGE;
      Hooks hooks = new Hooks(ranking, stage, staged);
      Hedges hedges = new Hedges(Hedges.given(System.getProperty(Hedges.SHARE), LOG::error));
      InlineReads inline = staged ? hooks.stage(stage) : hooks.noStage();
      MessagingService.instance().inboundSink.add(hooks::arrives);
      MessagingService.instance().outboundSink.add(hooks::leaves);
      ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
          hooks::tick, EVERY_S, EVERY_S, TimeUnit.SECONDS);
      // Others' tasks may last longer than an overload.
      executorFactory()
          .scheduled(false, "TrimtabHedges")
          .scheduleWithFixedDelay(
              () -> hooks.safely(hedges), Hedges.EVERY_MS, Hedges.EVERY_MS, TimeUnit.MILLISECONDS);
      hooks.showTables(
          RankingBean.register(
              ranking, inline, hedges, hooks.components, hooks.outstanding::count));
      LOG.info("Trimtab ranks the replicas of reads: {}", ranking.name());
    } catch (RuntimeException | LinkageError e) {
      ranking.choose(CoordinatorRanking.OFF);
      LOG.error("replicas are read in the order of the snitch: no hook into this Cassandra", e);
    }
  }

  private InlineReads stage(ExecutorPlus stage) {
    InlineReads inline =
        new InlineReads(
            stage::getPendingTaskCount,
            () -> Math.max(1, DatabaseDescriptor.getConcurrentReaders() / 2),
            JvmSwitch.given(InlineReads.ON, LOG::error));
    Stage.READ.unsafeSetExecutor(new TimedReadStage(stage, this, inline));
    return inline;
  }

  /** Messages tell of reads for others, and latencies of this node's own. */
  private InlineReads noStage() {
    if (JvmSwitch.given(InlineReads.ON, LOG::error)) {
      LOG.error("{}: {}", InlineReads.ON, InlineReads.IMPOSSIBLE);
    }
    OwnReads its = own.orElseThrow();
    ranking.onPartition(
        first -> {
          if (first == self()) {
            its.begins(System.nanoTime());
          }
        });
    MessagingService.instance()
        .latencySubscribers
        .subscribe(
            (node, latency, unit) -> {
              if (node.equals(FBUtilities.getBroadcastAddressAndPort())) {
                safely(self -> its.ended(System.nanoTime()));
              }
            });
    return new InlineReads();
  }

  /** Ranking does not depend on it. */
  private void showTables(RankingMXBean counts) {
    try {
      ReplicasTable.register(ranking::views, counts);
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
    }
  }

  private void tick() {
    try {
      long now = System.nanoTime();
      outstanding.sweep(now, limit(), (peer, after) -> ranking.learner().lost(peer, now, after));
      own.ifPresent(its -> its.sweep(now));
      look();
      // It does not gossip with itself.
      safely(self -> ranking.learner().alive(self, now));
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
    }
  }

  private void safely(Hedges hedges) {
    try {
      hedges.tick();
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
    }
  }

  /** At the nodes of this data centre, whether they live or not; all nodes get their numbers. */
  private void look() {
    IEndpointSnitch topology = DatabaseDescriptor.getEndpointSnitch();
    String here = topology.getLocalDatacenter();
    String[] racks = new String[Peers.MOST];
    int near = 0;
    for (InetAddressAndPort node : StorageService.instance.getTokenMetadata().getAllEndpoints()) {
      int peer = ranking.peers().number(node);
      if (here.equals(topology.getDatacenter(node))) {
        near++;
        if (peer != Peers.NONE) {
          racks[peer] = topology.getRack(node);
        }
      }
    }
    ranking.sized(near);
    ranking.placed(topology.getLocalRack(), racks);
  }

  @Override
  public long limit() {
    return DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS);
  }

  /** A message has come; it is never held up. */
  private boolean arrives(Message<?> message) {
    try {
      Verb verb = message.verb();
      if (verb == Verb.READ_RSP || verb == Verb.FAILURE_RSP) {
        answered(message, verb == Verb.READ_RSP);
      } else if (verb == Verb.READ_REQ) {
        // It has waited for this thread.
        long now = System.nanoTime();
        Served served = Served.current();
        if (own.isPresent()) {
          // How long it waited is not known.
          served.begin(now, now);
        }
        long waited = served.isServing() ? now - served.came() : 0;
        heard(message, now, waited + way(ranking.peers().number(message.from())));
      } else if (verb.stage == Stage.GOSSIP) {
        int peer = ranking.peers().number(message.from());
        if (peer != Peers.NONE) {
          ranking.learner().alive(peer, System.nanoTime());
        }
      }
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
    }
    return true;
  }

  /** Null if the message has none. */
  private static byte[] param(Message<?> message, String name) {
    Map<String, byte[]> params = message.header.customParams();
    return params == null ? null : params.get(name);
  }

  private void answered(Message<?> message, boolean read) {
    long now = System.nanoTime();
    int peer = ranking.peers().number(message.from());
    long took = peer == Peers.NONE ? -1 : outstanding.took(message.id(), peer, now);
    if (took < 0) {
      if (peer != Peers.NONE) {
        // Too late to count, but it lives.
        ranking.learner().alive(peer, now);
      }
      return;
    }
    if (!read) {
      ranking.learner().failed(peer, now);
      return;
    }
    Told its = told.get();
    ToldBytes.read(param(message, LOAD), its);
    components.record(its, took);
    ranking.learner().received(peer, now, Math.max(1, took), its);
    if (its.isKnown()) {
      ways.set(peer, Math.max(0, took - its.service - its.waited) / 2);
    }
    heard(message, now, way(peer));
  }

  /** Nanoseconds between a node and this one, as the last answer took; never nothing. */
  private long way(int peer) {
    return peer == Peers.NONE ? LEAST_WAY : Math.max(LEAST_WAY, ways.get(peer));
  }

  private void heard(Message<?> message, long now, long travelled) {
    ranking.hearsay().ifPresent(its -> its.hear(param(message, VIEWS), now, travelled));
  }

  /** A message is about to be sent; false if another one was sent instead of it. */
  private boolean leaves(Message<?> message, InetAddressAndPort to) {
    try {
      Verb verb = message.verb();
      if ((verb != Verb.READ_REQ && verb != Verb.READ_RSP)
          || message.header.customParams() != null) {
        return true;
      }
      Map<String, byte[]> said = verb == Verb.READ_REQ ? asks(message.id(), to) : answers();
      if (own.isPresent() && verb == Verb.READ_RSP) {
        Served.current().end(System.nanoTime());
      }
      if (!said.isEmpty()) {
        MessagingService.instance().send(message.withParam(ParamType.CUSTOM_MAP, said), to);
        return false;
      }
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
    }
    return true;
  }

  /** This node asks another one; what it says with the question. */
  private Map<String, byte[]> asks(long id, InetAddressAndPort to) {
    RequestReads.current().sent();
    ranking.reads(false);
    int peer = ranking.peers().number(to);
    if (peer == Peers.NONE) {
      return Map.of();
    }
    long now = System.nanoTime();
    outstanding.sent(id, peer, now, (other, after) -> ranking.learner().lost(other, now, after));
    ranking.learner().sent(peer, now);
    byte[] views = views(now);
    return views.length == 0 ? Map.of() : Map.of(VIEWS, views);
  }

  /** What this node says of others; empty if it says nothing. */
  private byte[] views(long now) {
    return ranking.hearsay().map(its -> its.tell(now)).orElse(NOTHING);
  }

  /** This node answers a read; what it says with the answer. */
  private Map<String, byte[]> answers() {
    if (!Served.current().isServing()) {
      return Map.of();
    }
    long now = System.nanoTime();
    Told its = told.get();
    load.tell(Served.current(), now, its);
    int self = self();
    if (self != Peers.NONE) {
      ranking.hearsay().ifPresent(heard -> heard.learn(self, now, its));
    }
    byte[] views = views(now);
    return views.length == 0
        ? Map.of(LOAD, ToldBytes.of(its))
        : Map.of(LOAD, ToldBytes.of(its), VIEWS, views);
  }

  private int self() {
    return ranking.peers().number(FBUtilities.getBroadcastAddressAndPort());
  }

  @Override
  public void sent(long now) {
    ranking.reads(true);
    safely(self -> ranking.learner().sent(self, now));
  }

  @Override
  public void ended(long now, long took) {
    safely(
        self -> {
          Told its = told.get();
          load.tell(Served.current(), now, its);
          components.record(its, took);
          ranking.learner().received(self, now, Math.max(1, took), its);
        });
  }

  @Override
  public void lost(long now, long took) {
    safely(self -> ranking.learner().lost(self, now, took));
  }

  @Override
  public void untold(long now) {
    safely(self -> ranking.learner().failed(self, now));
  }

  private void safely(IntConsumer what) {
    try {
      int self = self();
      if (self != Peers.NONE) {
        what.accept(self);
      }
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
    }
  }
}

package io.trimtab.sources;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * An engine whose snapshots have, beside what the database and this machine's kernel tell, what
 * metric sources tell of nodes. A source that fails takes nothing away: what it told is known until
 * it is stale, and unknown from then on.
 */
public final class MeteredEngine implements Engine {
  private static final long MARGIN_MS = 1_000;

  private final Engine engine;
  private final MetricsConfig config;
  private final List<SourcePoller> pollers;
  private final Clock clock;
  private final LongSupplier nanos;
  private final long limitMs;
  private final ExecutorService readers =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "metric-source");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param sources as the configuration names them
   * @param clock of this machine, to judge readings' ages by
   * @param nanos a clock that does not jump, in nanoseconds
   */
  public MeteredEngine(
      Engine engine,
      MetricsConfig config,
      List<MetricSource> sources,
      Clock clock,
      LongSupplier nanos) {
    this.engine = engine;
    this.config = config;
    this.clock = clock;
    this.nanos = nanos;
    this.pollers = sources.stream().map(source -> new SourcePoller(source, config, clock)).toList();
    // A source that ends at its own limit still tells what it has.
    this.limitMs =
        MARGIN_MS
            + config.sources().stream().mapToLong(s -> s.readingLimit().toMillis()).max().orElse(0);
  }

  @Override
  public ClusterSnapshot snapshot() throws EngineException {
    return overlaid(engine.snapshot());
  }

  @Override
  public ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    return overlaid(engine.snapshot(held));
  }

  private ClusterSnapshot overlaid(ClusterSnapshot seen) throws EngineException {
    List<NodeId> nodes = seen.liveNodes().stream().map(NodeState::id).toList();
    ask(nodes);
    Map<String, Told> byName = new TreeMap<>();
    byName.put(MetricsConfig.NATIVE, Told.ofNative());
    pollers.forEach(poller -> byName.put(poller.name(), poller.told()));
    List<Told> order = config.order().stream().map(byName::get).toList();
    return Overlay.on(seen, order, clock.instant(), config.stale());
  }

  /** All sources at a time. */
  private void ask(List<NodeId> nodes) throws EngineException {
    List<Callable<Void>> questions = new ArrayList<>();
    for (SourcePoller poller : pollers) {
      questions.add(
          () -> {
            poller.ask(nodes, nanos.getAsLong());
            return null;
          });
    }
    try {
      List<Future<Void>> asked = readers.invokeAll(questions, limitMs, TimeUnit.MILLISECONDS);
      for (int i = 0; i < asked.size(); i++) {
        if (asked.get(i).isCancelled()) {
          pollers.get(i).late();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while metric sources were asked", e);
    }
  }

  @Override
  public void setBalancer(BalancerState target) throws EngineException {
    engine.setBalancer(target);
  }

  @Override
  public void pauseBalancer(Duration limit) throws EngineException {
    engine.pauseBalancer(limit);
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    engine.move(partition, to, limit);
  }

  @Override
  public List<SplitHint> splitHints() throws EngineException {
    return engine.splitHints();
  }

  @Override
  public RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException {
    return engine.ringRequests(tokensMax, watch);
  }

  @Override
  public void startCounting() throws EngineException {
    engine.startCounting();
  }

  @Override
  public List<BlockHistogram> histograms() throws EngineException {
    return engine.histograms();
  }

  @Override
  public void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException {
    engine.split(partition, key, rightTo, limit);
  }

  @Override
  public void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException {
    engine.merge(left, right, range, limit);
  }

  @Override
  public void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException {
    engine.applyProfile(node, profile, limit);
  }

  @Override
  public void set(NodeId node, NodeSetting setting, int value, Duration limit)
      throws EngineException {
    engine.set(node, setting, value, limit);
  }

  @Override
  public void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    engine.setBlockSize(table, bytes, limit);
  }

  @Override
  public void compact(PartitionId partition, Duration limit) throws EngineException {
    engine.compact(partition, limit);
  }

  @Override
  public void setDraining(NodeId node, boolean draining) throws EngineException {
    engine.setDraining(node, draining);
  }

  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    engine.awaitNode(node, incarnationBefore, limit);
  }

  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    engine.vacate(node, limit);
  }

  @Override
  public void cleanup(NodeId node, Duration limit) throws EngineException {
    engine.cleanup(node, limit);
  }

  @Override
  public ControlLock takeControl(String owner) throws EngineException {
    return engine.takeControl(owner);
  }

  @Override
  public SharedState shared() {
    return engine.shared();
  }

  @Override
  public void close() {
    readers.shutdownNow();
    pollers.forEach(SourcePoller::close);
    engine.close();
  }
}

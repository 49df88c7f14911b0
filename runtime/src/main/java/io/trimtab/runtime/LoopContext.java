package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.BalancerPause;
import io.trimtab.runtime.control.HeldEngine;
import io.trimtab.runtime.control.HeldProvider;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.fleet.SharedUsage;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dependencies of a controller.
 *
 * @param provider of nodes; empty if nodes cannot be started or stopped
 * @param clientsMs mean response time that clients report now; NaN if there are no reports
 * @param machines the cluster's part of machines that it shares with others
 */
public record LoopContext(
    Engine engine,
    Optional<NodeProvider> provider,
    Settings settings,
    LoopListener listener,
    Ports ports,
    FaultPoints faults,
    DoubleSupplier clientsMs,
    SharedUsage.Member machines) {
  private static final Logger LOG = LoggerFactory.getLogger(LoopContext.class);

  /** Least limit for the engine's own balancing to end. */
  private static final Duration PAUSE_LEAST = Duration.ofMinutes(1);

  /** Counters of a region that has moved appear with the server's next sample, after 5 to 10 s. */
  private static final Duration GAP_LIMIT = Duration.ofSeconds(30);

  private static final Duration GAP_PAUSE = Duration.ofSeconds(2);

  /** Without reports of clients, of a cluster that shares no machines. */
  public LoopContext(
      Engine engine,
      Optional<NodeProvider> provider,
      Settings settings,
      LoopListener listener,
      Ports ports,
      FaultPoints faults) {
    this(engine, provider, settings, listener, ports, faults, () -> Double.NaN, SharedUsage.NOBODY);
  }

  /**
   * What could be added, at which price and in which time, and given back; empty if nodes cannot be
   * started or stopped.
   */
  public Optional<NodeCapacity> offer() {
    return provider.map(NodeProvider::offer);
  }

  /** The same, with reports of clients and machines that are shared. */
  LoopContext with(DoubleSupplier reported, SharedUsage.Member shared) {
    return new LoopContext(engine, provider, settings, listener, ports, faults, reported, shared);
  }

  /** The same with settings that do not keep anything from being put back. */
  public LoopContext puttingBack() {
    return new LoopContext(
        engine,
        provider,
        settings.with(settings.guard().withoutBlackouts()),
        listener,
        ports,
        faults,
        clientsMs,
        machines);
  }

  /** The same, with an engine and a provider that change nothing once the lock has ended. */
  public LoopContext heldBy(Tenure tenure) {
    return new LoopContext(
        new HeldEngine(
            engine, tenure.lock(), () -> tenure.balancerUnsure(ports, BalancerHold.LATE_EFFECTS)),
        provider.map(p -> new HeldProvider(p, tenure.lock())),
        settings,
        listener,
        ports,
        faults,
        clientsMs,
        machines);
  }

  /**
   * Switches the engine's own balancing off when it runs.
   *
   * @param ending polled; ends the wait for balancing that is under way
   */
  public BalancerPause pause(BooleanSupplier ending) {
    Duration limit = settings.guard().actionLimit();
    // HBase may have to calculate for half a minute.
    Duration most = limit.compareTo(PAUSE_LEAST) < 0 ? PAUSE_LEAST : limit;
    return new BalancerPause(engine, most, ending, listener::waiting, ports);
  }

  /**
   * A look at the cluster for an order, which need not be given again because a region has just
   * moved and its new server counts no requests of it yet.
   *
   * @param stop polled; nothing is waited for when it is true
   * @return the first look without gaps of the cluster, or the last one, for the guard to refuse,
   *     if there is none within 30 s
   */
  public ClusterSnapshot wholeSnapshot(BooleanSupplier stop) throws EngineException {
    long begun = ports.time().nanos();
    ClusterSnapshot now = engine.snapshot();
    while (!now.clusterGaps().isEmpty()
        && ports.time().nanos() - begun < GAP_LIMIT.toNanos()
        && ports.waiter().pause(GAP_PAUSE, stop)) {
      LOG.info("looked again: the snapshot was partial: {}", now.clusterGaps().get(0));
      now = engine.snapshot();
    }
    return now;
  }
}

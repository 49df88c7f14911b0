package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.HeldEngine;
import io.trimtab.runtime.control.HeldProvider;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.fleet.SharedUsage;
import io.trimtab.runtime.ports.Ports;
import java.util.Optional;
import java.util.function.DoubleSupplier;

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
}

package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.ports.Ports;
import java.util.Optional;

/**
 * The dependencies of a controller.
 *
 * @param provider of nodes; empty if nodes cannot be started or stopped
 */
public record LoopContext(
    Engine engine,
    Optional<NodeProvider> provider,
    Settings settings,
    LoopListener listener,
    Ports ports,
    FaultPoints faults) {}

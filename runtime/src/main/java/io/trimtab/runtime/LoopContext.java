package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.ports.Ports;
import java.util.Optional;

/**
 * What a controller works with.
 *
 * @param provider of nodes; empty where nothing here can start or stop any
 */
public record LoopContext(
    Engine engine,
    Optional<NodeProvider> provider,
    Settings settings,
    LoopListener listener,
    Ports ports,
    FaultPoints faults) {}

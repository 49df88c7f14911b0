package io.trimtab.runtime.ports;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * All by which the control loop touches the world besides its cluster: {@link SystemPorts} on a
 * real machine, virtual time and memory in simulations.
 *
 * @param clock the time of day, for people and journals
 * @param time what durations are measured with
 * @param waiter how time is let pass
 * @param workers who performs actions side by side
 * @param listeners who handles the reports of clients
 * @param owner tells this controller from others, for people
 * @param states journal and kill switch of a cluster, by the cluster's own id
 */
public record Ports(
    Clock clock,
    MonotonicTime time,
    Waiter waiter,
    Workers workers,
    Executor listeners,
    String owner,
    Function<String, ClusterState> states) {}

package io.trimtab.runtime.ports;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * All ports of the control loop other than its cluster: {@link SystemPorts} on a real machine,
 * virtual time and memory in simulations.
 *
 * @param clock the time of day, for display and journals
 * @param time measures durations
 * @param waiter waits
 * @param workers runs concurrent actions
 * @param listeners receives clients' reports
 * @param owner identifies this controller, for display
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

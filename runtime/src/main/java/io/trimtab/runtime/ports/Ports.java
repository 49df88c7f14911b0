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
 * @param listeners receives clients' reports: one task per cluster that lasts as long as they are
 *     accepted, so that threads must not be shared
 * @param owner the user of this controller, for display
 * @param version of this program, for display
 * @param states journal and kill switch of a cluster, by the cluster's own id
 */
public record Ports(
    Clock clock,
    MonotonicTime time,
    Waiter waiter,
    Workers workers,
    Executor listeners,
    String owner,
    String version,
    Function<String, ClusterState> states) {}

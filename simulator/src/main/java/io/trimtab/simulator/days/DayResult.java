package io.trimtab.simulator.days;

import io.trimtab.engineapi.Ownership;

/**
 * What a policy made of a cluster.
 *
 * @param ownership of the cluster
 * @param overloadedMinutes minutes of nodes that were asked for more than they can do
 * @param nodeHours for which nodes were up
 * @param served geometric mean over the tables of the share of their requests that was served
 * @param plans that were begun
 * @param done plans that were carried out to their end
 * @param moves of partitions
 * @param movedBytes bytes of the partitions that were moved, and of those that nodes which joined
 *     or left a ring took with them
 * @param resizedBytes of these, those of plans by which nodes came or went
 * @param splits of partitions
 * @param reconfigured changes of nodes' profiles
 * @param resized nodes added and removed
 * @param swings times that the number of nodes went up and down again, within two hours
 * @param returns times that a partition came back to a node on which it had been, within two hours
 * @param decisionMs mean time of a decision, in milliseconds of this machine
 */
public record DayResult(
    Ownership ownership,
    double overloadedMinutes,
    double nodeHours,
    double served,
    int plans,
    int done,
    int moves,
    double movedBytes,
    double resizedBytes,
    int splits,
    int reconfigured,
    int resized,
    double swings,
    int returns,
    double decisionMs) {}

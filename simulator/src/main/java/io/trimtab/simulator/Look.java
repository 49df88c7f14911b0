package io.trimtab.simulator;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.util.Optional;

/**
 * A controller has looked at the cluster.
 *
 * @param began true time at which it asked
 * @param wall its own clock then
 * @param seen empty if the cluster did not answer
 */
record Look(Instant began, Instant wall, Optional<ClusterSnapshot> seen) {}

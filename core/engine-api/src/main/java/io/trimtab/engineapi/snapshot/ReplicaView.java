package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a coordinator sees a replica. What is empty is not known, or its ranking does not go by it;
 * numbers that are none are not known either.
 *
 * @param score by which replicas are ordered, lowest first; its unit is that of the ranking
 * @param outstanding reads of this coordinator that it has not answered
 * @param queued reads that waited or ran there, of all coordinators, when it told so last
 * @param serviceMs time that it worked on a read, as it told last, in milliseconds
 * @param silentMs how long nothing has come from it though an answer is due, in milliseconds; 0 if
 *     none is, or something has just come
 * @param candidate reads since the coordinator's process started for which it was one of the
 *     replicas that were ranked
 * @param first those for which it came first
 */
public record ReplicaView(
    NodeId replica,
    OptionalDouble score,
    OptionalLong outstanding,
    OptionalDouble queued,
    OptionalDouble serviceMs,
    OptionalDouble silentMs,
    OptionalLong candidate,
    OptionalLong first) {

  public ReplicaView {
    score = score == null ? OptionalDouble.empty() : known(score, -Double.MAX_VALUE);
    outstanding = known(outstanding);
    queued = queued == null ? OptionalDouble.empty() : known(queued, 0);
    serviceMs = serviceMs == null ? OptionalDouble.empty() : known(serviceMs, 0);
    silentMs = silentMs == null ? OptionalDouble.empty() : known(silentMs, 0);
    candidate = known(candidate);
    first = known(first);
  }

  private static OptionalDouble known(OptionalDouble value, double least) {
    return value.isPresent() && Double.isFinite(value.getAsDouble()) && value.getAsDouble() >= least
        ? value
        : OptionalDouble.empty();
  }

  private static OptionalLong known(OptionalLong value) {
    return value != null && value.isPresent() && value.getAsLong() >= 0
        ? value
        : OptionalLong.empty();
  }
}

package io.trimtab.providers.cloud;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A machine as a cloud's API tells it.
 *
 * @param id by which the API knows it
 * @param name that it was given; empty if none
 * @param ip its private address; empty while it has none
 * @param dns its private name; empty while it has none, or where there is no such thing
 * @param type of machine, in the cloud's words; empty if unknown
 * @param marks its tags or metadata, those of others included
 * @param reason why it is in its state, in one line; empty if unknown
 * @param since when it was started; empty if unknown
 */
public record CloudMachine(
    String id,
    String name,
    String ip,
    String dns,
    String type,
    Map<String, String> marks,
    State state,
    String reason,
    Optional<Instant> since) {

  /** How far it is. */
  public enum State {
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    /** It never ran, and never will. */
    FAILED,
    /** Something has happened to it while it ran; an operator must look at it. */
    BROKEN,
    /** It is gone, and only still listed. */
    ENDED
  }

  public CloudMachine {
    marks = Map.copyOf(marks);
  }

  /** The request that it was started for; empty if it was started by nobody's request. */
  public String request() {
    return marks.getOrDefault(Marks.REQUEST, "");
  }

  /** Whether its node was given back, and it is only kept for its disks. */
  public boolean isRetired() {
    return marks.containsKey(Marks.RETIRED);
  }
}

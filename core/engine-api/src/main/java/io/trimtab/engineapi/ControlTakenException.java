package io.trimtab.engineapi;

import java.time.Duration;

/** Another controller is in charge of the cluster, or was: its lock has not ended. */
public final class ControlTakenException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final String holder;
  private final Duration endsWithin;

  /**
   * @param holder for display
   * @param endsWithin how soon its lock ends if it is dead; zero if it was just seen to live, or
   *     keeps its lock for good
   */
  public ControlTakenException(String message, String holder, Duration endsWithin) {
    super(message);
    this.holder = holder;
    this.endsWithin = endsWithin;
  }

  public String holder() {
    return holder;
  }

  public Duration endsWithin() {
    return endsWithin;
  }
}

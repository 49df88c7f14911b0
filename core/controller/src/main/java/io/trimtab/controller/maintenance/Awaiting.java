package io.trimtab.controller.maintenance;

import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.engineapi.NodeId;
import java.util.Collection;
import java.util.Optional;

/**
 * What a decision waits for of the work that nodes do beside serving. Where a node is used to its
 * limit it waits for nothing: requests fail meanwhile.
 */
public final class Awaiting {
  /** The key that controls it. */
  public static final String SETTING = "choice.awaitMaintenance";

  private final Observation.Usable seen;
  private final ChoiceSettings settings;
  private final boolean waits;

  /**
   * @param most usage of the most used node
   */
  public Awaiting(Observation.Usable seen, ChoiceSettings settings, double most) {
    this.seen = seen;
    this.settings = settings;
    this.waits = settings.awaitMaintenance() && !Saturation.isReached(most);
  }

  /** As of {@link Waiting#ofAny}. */
  public Waiting ofAny() {
    return Waiting.ofAny(seen.busy(), seen.snapshot().takenAt(), settings.horizon());
  }

  /** As of {@link Waiting#ofAll}. */
  public Waiting ofAll(Collection<NodeId> some) {
    return Waiting.ofAll(some, seen.busy(), seen.snapshot().takenAt(), settings.horizon());
  }

  /** What has to be waited for, a clause; empty if nothing has. */
  public Optional<String> what(Waiting waiting) {
    return waits ? waiting.what() : Optional.empty();
  }

  /**
   * That it is waited for, and until when; empty if it is not.
   *
   * @param why something would be done, a clause
   */
  public Optional<String> sentence(String why, Waiting waiting) {
    return what(waiting)
        .map(busy -> "%s, but %s; it is waited for %s".formatted(why, busy, waiting.until()));
  }

  /** What goes on and is not waited for, to end a summary. */
  public String ignored(Waiting waiting) {
    return waiting.ignored(waits).map(clause -> "; " + clause).orElse("");
  }
}

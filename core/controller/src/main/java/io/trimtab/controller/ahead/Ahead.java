package io.trimtab.controller.ahead;

import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.models.outlook.Outlook;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is expected of the load, by its history, and what was highest in it.
 *
 * @param outlooks how much more each table will be asked for within a time; none for a table of
 *     which nothing was recorded
 * @param highest by table, the highest rate within a past time, in requests a second; none for a
 *     table of which nothing was recorded
 * @param lasts how long the present load is expected to last; empty if it has not been seen to
 *     change
 * @param served how long the node took that was added last, from the request until it served; empty
 *     if none was
 */
public record Ahead(
    Function<Duration, Map<String, Outlook>> outlooks,
    Function<Duration, Map<String, Double>> highest,
    Optional<Duration> lasts,
    Optional<Duration> served) {
  public static final Ahead NONE =
      new Ahead(within -> Map.of(), Optional.empty(), Optional.empty());

  /** What is expected where nothing is known of the past. */
  public Ahead(
      Function<Duration, Map<String, Outlook>> outlooks,
      Optional<Duration> lasts,
      Optional<Duration> served) {
    this(outlooks, past -> Map.of(), lasts, served);
  }

  /** Two of the intervals that are recorded: in less it is not told whether a load lasts. */
  private static final Duration LEAST = Duration.ofMinutes(10);

  /** The same where it is known how long the node took that was added last. */
  public Ahead having(Optional<Duration> nodeServed) {
    return new Ahead(outlooks, highest, lasts, nodeServed);
  }

  /** How much more each table will be asked for within a time. */
  public Map<String, Outlook> within(Duration time) {
    return outlooks.apply(time);
  }

  /**
   * Over which changes must pay back: as long as the load is expected to last, at most as the
   * settings say.
   */
  public Duration horizon(ChoiceSettings settings) {
    Duration most = settings.horizon();
    return lasts
        .map(time -> time.compareTo(LEAST) < 0 ? LEAST : time)
        .filter(time -> time.compareTo(most) < 0)
        .orElse(most);
  }

  /** The same, to end a text; empty where the settings alone say it. */
  public String horizonText(ChoiceSettings settings) {
    Duration horizon = horizon(settings);
    return horizon.compareTo(settings.horizon()) < 0
        ? "; counted over %s, as long as loads last here".formatted(Foreseen.minutes(horizon))
        : "";
  }
}

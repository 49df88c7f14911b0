package io.trimtab.controller.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What becomes of the engine's own balancing while the autopilot acts. */
public enum BalancerMode {
  /** It is off as long as an autopilot is in charge, because it would undo placements. */
  HOLD,
  /** It is off during plans only. */
  RESTORE;

  /**
   * The mode with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static BalancerMode of(String name) {
    return Arrays.stream(values())
        .filter(mode -> mode.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "balancer must be "
                        + Arrays.stream(values())
                            .map(BalancerMode::toString)
                            .collect(Collectors.joining(" or "))
                        + ", not "
                        + name));
  }

  /** As in settings files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

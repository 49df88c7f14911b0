package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import java.util.Set;

/** Decides from an observation; pure, and the same for the same input on any machine. */
public interface Policy {
  /** As settings, plans and journals name it: lower case, one word. */
  String name();

  /** What it decides on beside snapshots; observations have that, where it can be had. */
  Set<Need> needs();

  Decision decide(Observation.Usable seen, PolicyState state, Settings settings);

  /**
   * The policy that settings name; readers of files find it here.
   *
   * @throws IllegalArgumentException where there is none of that name
   */
  static Policy valueOf(String name) {
    return Policies.ALL.named(name);
  }
}

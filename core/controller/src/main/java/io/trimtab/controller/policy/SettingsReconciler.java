package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.RingSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Applies the operator's node settings to nodes with other values, because they have just joined,
 * were restarted or were changed manually. Only done if the policy has nothing to do, so that the
 * cooldown after such a plan does not delay adding a node under load.
 */
public final class SettingsReconciler {
  private SettingsReconciler() {}

  /** The decision; empty if all nodes that report their settings have the configured values. */
  public static Optional<Decision> decide(
      Observation.Usable seen, PolicyState state, Settings settings) {
    List<PlannedAction> actions = new ArrayList<>();
    Map<NodeSetting, Integer> values = settings.ring().values();
    for (NodeState node : seen.snapshot().liveNodes()) {
      values.forEach(
          (setting, to) -> {
            Integer from = node.settings().get(setting);
            if (from != null && !from.equals(to)) {
              actions.add(step(actions.size() + 1, node, setting, from, to));
            }
          });
    }
    if (actions.isEmpty()) {
      return Optional.empty();
    }
    String summary = "node settings differ from the configured values";
    return Optional.of(
        new PlanFactory("upkeep").plan(seen.snapshot(), List.copyOf(actions), summary, 1, state));
  }

  private static PlannedAction step(
      int step, NodeState node, NodeSetting setting, int from, int to) {
    return new PlannedAction(
        step,
        new Action.SetNode(node.id(), setting, from, to),
        RingSettings.key(setting) + " is " + to,
        "%s %d → %d %s".formatted(setting.title(), from, to, setting.unit()),
        "none: applied online",
        "set it to " + from);
  }
}

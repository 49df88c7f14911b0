package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import java.util.ArrayList;
import java.util.List;

/** All that a policy decides by. */
public record DecisionContext(Observation.Usable seen, PolicyState state, Settings settings) {

  PlacementModel placement() {
    return PlacementModel.of(seen.snapshot());
  }

  /** No plan may leave fewer nodes than this. */
  FewestNodes fewest() {
    return FewestNodes.of(seen.snapshot(), settings);
  }

  /** Doing nothing; the state stays as it is. */
  Decision.Hold hold(String reason, String setting) {
    return new Decision.Hold(reason, setting, state);
  }

  /** Placeholders of nodes that a plan adds, numbered from 1. */
  static List<NodeId> joining(int number) {
    List<NodeId> joining = new ArrayList<>();
    for (int i = 1; i <= number; i++) {
      joining.add(new Action.AddNode(i, Profile.HOMOGENEOUS).placeholder());
    }
    return joining;
  }
}

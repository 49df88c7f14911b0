package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import java.util.ArrayList;
import java.util.List;

/** The input of a policy's decision. */
public record DecisionContext(Observation.Usable seen, PolicyState state, Settings settings) {

  PlacementModel placement() {
    return PlacementModel.of(seen.snapshot());
  }

  /** The minimum number of nodes after any plan. */
  FewestNodes fewest() {
    return FewestNodes.of(seen.snapshot(), settings);
  }

  /** A decision to do nothing; the state does not change. */
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

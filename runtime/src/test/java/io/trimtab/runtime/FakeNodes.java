package io.trimtab.runtime;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Records what it is asked for; a unit-test double only. */
class FakeNodes implements NodeProvider {
  final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  @Override
  public int spare() {
    return 5;
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    asked.add("add " + requestId + (tokens.isEmpty() ? "" : " " + tokens));
    return new NodeId("n9:1");
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit) {
    asked.add("replace " + dead + " " + requestId);
    return new NodeId("n9:1");
  }

  @Override
  public void remove(NodeId node, Duration limit) {
    asked.add("remove " + node);
  }

  @Override
  public void restart(NodeId node, Duration limit) {
    asked.add("restart " + node);
  }

  @Override
  public void persist(NodeId node, Profile profile) {
    asked.add("persist " + node);
  }
}

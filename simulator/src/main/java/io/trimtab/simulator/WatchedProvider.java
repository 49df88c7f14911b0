package io.trimtab.simulator;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** As {@link WatchedEngine}, for what starts and stops nodes. */
record WatchedProvider(NodeProvider provider, SimulatedController by) implements NodeProvider {
  @Override
  public int spare() {
    return provider.spare();
  }

  @Override
  public NodeCapacity offer() {
    return provider.offer();
  }

  @Override
  public NodeCapacity capacity() throws EngineException {
    return provider.capacity();
  }

  @Override
  public List<Machine> machines() throws EngineException {
    return provider.machines();
  }

  @Override
  public void release(Machine machine, Duration limit) throws EngineException {
    by.changing("remove-node");
    machine.node().ifPresent(node -> by.oracle().removals().removes(by, node));
    provider.release(machine, limit);
  }

  /** The default, so that each machine it gives back is seen. */
  @Override
  public void withdraw(String requestId, Set<NodeId> members, Duration limit)
      throws EngineException {
    NodeProvider.super.withdraw(requestId, members, limit);
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    by.changing("add-node");
    return provider.add(requestId, profile, tokens, limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    by.changing("replace-node");
    return provider.replace(requestId, dead, profile, limit);
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    by.changing("remove-node");
    by.oracle().removals().removes(by, node);
    provider.remove(node, limit);
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    by.changing("restart");
    by.oracle().removals().restarts(by, node);
    provider.restart(node, limit);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    by.changing("persist");
    provider.persist(node, profile);
  }
}

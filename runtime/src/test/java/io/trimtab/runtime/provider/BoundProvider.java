package io.trimtab.runtime.provider;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import java.time.Duration;
import java.util.List;

/**
 * A provider that has a say in every node, and says that it has it only in some: it would give back
 * any node, and refuses to restart and to store a profile of what it does not call its own.
 */
public record BoundProvider(
    NodeProvider provider, Removable removable, NodeCapacity.Reconfigurable reconfigurable)
    implements NodeProvider {

  /** One that restarts every node. */
  public BoundProvider(NodeProvider provider, Removable removable) {
    this(provider, removable, NodeCapacity.Reconfigurable.ALL);
  }

  @Override
  public int spare() {
    return provider.spare();
  }

  @Override
  public NodeCapacity offer() {
    return NodeCapacity.of(spare()).with(removable).with(reconfigurable);
  }

  @Override
  public NodeCapacity capacity() {
    return offer();
  }

  private void requireOwn(NodeId node) throws EngineException {
    if (!reconfigurable.allows(node)) {
      throw new EngineException("node " + node + " was not started by this provider");
    }
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    return provider.add(requestId, profile, tokens, limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    return provider.replace(requestId, dead, profile, limit);
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    provider.remove(node, limit);
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    requireOwn(node);
    provider.restart(node, limit);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    requireOwn(node);
    provider.persist(node, profile);
  }
}

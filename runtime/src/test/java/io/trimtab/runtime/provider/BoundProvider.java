package io.trimtab.runtime.provider;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.testkit.provider.PassingProvider;
import java.time.Duration;

/**
 * A provider that has a say in every node, and says that it has it only in some: it would give back
 * any node, and refuses to restart and to store a profile of what it does not call its own.
 */
public final class BoundProvider extends PassingProvider {
  private final Removable removable;
  private final NodeCapacity.Reconfigurable reconfigurable;

  /** One that restarts every node. */
  public BoundProvider(NodeProvider provider, Removable removable) {
    this(provider, removable, NodeCapacity.Reconfigurable.ALL);
  }

  public BoundProvider(
      NodeProvider provider, Removable removable, NodeCapacity.Reconfigurable reconfigurable) {
    super(provider);
    this.removable = removable;
    this.reconfigurable = reconfigurable;
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
  public void restart(NodeId node, Duration limit) throws EngineException {
    requireOwn(node);
    super.restart(node, limit);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    requireOwn(node);
    super.persist(node, profile);
  }
}

package io.trimtab.runtime.provider;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import java.time.Duration;
import java.util.List;

/** A provider that would give back any node, and says that it gives back only some. */
public record BoundProvider(NodeProvider provider, Removable removable) implements NodeProvider {
  @Override
  public int spare() {
    return provider.spare();
  }

  @Override
  public NodeCapacity offer() {
    return NodeCapacity.of(spare()).with(removable);
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
    provider.restart(node, limit);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    provider.persist(node, profile);
  }
}

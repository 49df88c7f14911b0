package io.trimtab.testkit.provider;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Passes everything on to another provider, but for what a test's own does in another way. */
public abstract class PassingProvider implements NodeProvider {
  private final NodeProvider provider;

  protected PassingProvider(NodeProvider provider) {
    this.provider = provider;
  }

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
    provider.release(machine, limit);
  }

  @Override
  public void withdraw(String requestId, Set<NodeId> members, Duration limit)
      throws EngineException {
    provider.withdraw(requestId, members, limit);
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

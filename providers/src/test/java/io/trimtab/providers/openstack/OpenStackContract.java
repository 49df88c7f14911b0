package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import io.trimtab.providers.cloud.BootedMachines;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.testkit.provider.ProviderContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract on servers of whatever answers as Keystone and Nova; processes of this machine run
 * on them.
 */
abstract class OpenStackContract extends ProviderContract {
  @TempDir Path folder;
  final BootedMachines machines = new BootedMachines();

  /** What the settings say of a node's host, for a server. */
  abstract String host(CloudMachine server);

  abstract OpenStackSettings settings();

  @AfterEach
  void nothingRunsOn() {
    machines.close();
  }

  /** Nova itself, beside the provider that is tested. */
  Keystone keystone() {
    return new Keystone(settings(), new Http(settings()));
  }

  NodeProvider provider(OpenStackSettings with) {
    return with.provider(
        new ProviderContext(
            () -> Snapshots.of(alive()), ProviderContext.Words.PLAIN, id -> folder, line -> {}));
  }

  @Override
  protected NodeProvider provider() {
    return provider(settings());
  }

  /** Looks at the servers as they are now, so that nothing has to be waited for. */
  Map<NodeId, Long> alive() throws EngineException {
    Keystone keystone = keystone();
    List<BootedMachines.Running> running = new ArrayList<>();
    for (CloudMachine server : new Nova(settings(), keystone).machines(Snapshots.CLUSTER)) {
      if (server.state() == CloudMachine.State.RUNNING) {
        running.add(
            new BootedMachines.Running(
                server.id(),
                new NodeId(host(server) + ":" + settings().machines().port()),
                reboots(keystone, server),
                server.marks()));
      }
    }
    machines.look(running);
    return machines.alive();
  }

  private static long reboots(Keystone keystone, CloudMachine server) throws EngineException {
    long reboots = 0;
    JsonNode actions =
        keystone.nova("GET", "/servers/" + server.id() + "/os-instance-actions", null);
    for (JsonNode action : actions.path("instanceActions")) {
      reboots += action.path("action").asText().equals("reboot") ? 1 : 0;
    }
    return reboots;
  }

  private Map<NodeId, Long> look() {
    try {
      return alive();
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Set<NodeId> running() {
    return look().keySet();
  }

  @Override
  protected long process(NodeId node) {
    return look().get(node);
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    return machines.profile(node);
  }

  @Override
  protected void kill(NodeId node) {
    machines.kill(node);
  }
}

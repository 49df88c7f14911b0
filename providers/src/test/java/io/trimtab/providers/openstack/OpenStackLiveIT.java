package io.trimtab.providers.openstack;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.Snapshots;
import io.trimtab.providers.cloud.CloudMachine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * A real Keystone and a real Nova, whose servers are its fake driver's. See {@code ./trimtab test
 * --openstack}; the file that it names is written by {@code providers/openstack/set-up}.
 */
@Tag("openstack")
class OpenStackLiveIT extends OpenStackContract {
  private static final String FILE = System.getenv("TRIMTAB_OPENSTACK");

  @Override
  OpenStackSettings settings() {
    return (OpenStackSettings) ProviderFile.read(Path.of(FILE)).settings();
  }

  /** Without Neutron no server has an address. */
  @Override
  String host(CloudMachine server) {
    return server.name();
  }

  /** The server is there, and its node does not come. */
  @Override
  protected void askAndDie(String requestId) throws EngineException {
    machines.boot(false);
    askAndInterrupt(requestId, () -> isListed(requestId));
    machines.boot(true);
  }

  private boolean isListed(String requestId) {
    try {
      return new Nova(settings(), keystone())
          .machines(Snapshots.CLUSTER).stream()
              .anyMatch(server -> server.request().equals(requestId));
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  @AfterEach
  void noServerIsThere() throws EngineException {
    NodeProvider provider = provider();
    for (Machine machine : provider.machines()) {
      provider.release(machine, LIMIT);
    }
    Nova nova = new Nova(settings(), keystone());
    for (CloudMachine server : nova.machines(Snapshots.CLUSTER)) {
      nova.delete(server);
    }
  }
}

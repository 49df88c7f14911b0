package io.trimtab.providers.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.KilledController;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.Snapshots;
import io.trimtab.providers.cloud.CloudMachine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * A real Keystone and a real Nova, whose servers are its fake driver's. See {@code ./trimtab test
 * --openstack}; the file that it names is written by {@code providers/openstack/set-up}. The
 * controller that is killed is a process. A real Nova does not hold an answer back, so that it is
 * killed when Nova lists the server, which may be after Nova's answer and is before the node's.
 */
@Tag("openstack")
class OpenStackLiveIT extends OpenStackContract {
  private static final String FILE = System.getenv("TRIMTAB_OPENSTACK");

  /** The controller that is killed. */
  static final class Asking {
    private Asking() {}

    /** Asks for a node: the folder, the request. */
    public static void main(String[] arguments) throws EngineException {
      Path its = Path.of(arguments[0]);
      System.out.println(KilledController.ask(ofFile(), its, arguments[1]));
    }
  }

  private static OpenStackSettings ofFile() {
    return (OpenStackSettings) ProviderFile.read(Path.of(FILE)).settings();
  }

  @Override
  OpenStackSettings settings() {
    return ofFile();
  }

  /** Without Neutron no server has an address. */
  @Override
  String host(CloudMachine server) {
    return server.name();
  }

  /** The server is there, its node does not come, and the controller that waits is killed. */
  @Override
  protected void askAndDie(String requestId) {
    List<ProcessHandle> left =
        KilledController.killedWhen(() -> isListed(requestId), Asking.class, folder, requestId);
    assertThat(left).isEmpty();
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

package io.trimtab.providers.manual;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.provider.ProviderContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class ManualContractTest extends ProviderContract {
  private final ManualSettings settings =
      new ManualSettings(null, null, null, Duration.ofMillis(100));
  private final Person person = new Person();

  @TempDir private Path folder;

  @BeforeEach
  void aNodeIsThere() {
    person.starts();
  }

  @Override
  protected NodeProvider provider() {
    return settings.provider(person.context(folder));
  }

  @Override
  protected Set<NodeId> running() {
    return person.alive.keySet();
  }

  @Override
  protected long process(NodeId node) {
    return person.alive.get(node);
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    return Optional.empty();
  }

  @Override
  protected void kill(NodeId node) {
    person.alive.remove(node);
  }

  /** While the person has not done it yet. */
  @Override
  protected void askAndDie(String requestId) throws EngineException {
    person.away = true;
    askAndInterrupt(requestId, () -> !person.told.isEmpty());
    person.away = false;
  }
}

package io.trimtab.providers.manual;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.PrivateFiles;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KilledController;
import io.trimtab.providers.ProviderContext;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests are files, so that one outlives its controller, which is a process that is killed. */
class ManualContractTest extends ProviderContract {
  /** A file with what the controller has told the person. */
  private static final String TOLD = "told";

  private static final ManualSettings SETTINGS =
      new ManualSettings(null, null, null, Duration.ofMillis(100));

  private final Person person = new Person();

  @TempDir private Path folder;

  /** The controller that is killed. */
  static final class Asking {
    private Asking() {}

    /** Asks for a node of the same cluster: the folder, the request. */
    public static void main(String[] arguments) throws EngineException {
      Path its = Path.of(arguments[0]);
      Person same = new Person();
      same.starts();
      ProviderContext context =
          new ProviderContext(
              same::seen,
              ProviderContext.Words.PLAIN,
              id -> its,
              line -> write(its.resolve(TOLD), line));
      NodeProvider provider = SETTINGS.provider(context);
      System.out.println(provider.add(arguments[1], Profile.READ, List.of(), LIMIT));
    }

    /** As a whole: whoever waits for the file finds all of it. */
    private static void write(Path file, String line) {
      try {
        PrivateFiles.replace(file, line.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @BeforeEach
  void aNodeIsThere() {
    person.starts();
  }

  @Override
  protected NodeProvider provider() {
    return SETTINGS.provider(person.context(folder));
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

  /** The controller is killed when the person was told, and has not done it yet. */
  @Override
  protected void askAndDie(String requestId) {
    List<ProcessHandle> left =
        KilledController.killedAt(folder.resolve(TOLD), Asking.class, folder, requestId);
    assertThat(left).isEmpty();
    assertThat(folder.resolve(TOLD))
        .content()
        .contains("request " + requestId + ": start one node");
  }

  @Test
  void whatAPersonHasStartedSinceTheControllerWasKilledIsTheNode() throws EngineException {
    askAndDie("p/new-1");
    NodeId started = person.starts();
    person.away = true;

    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(started);
    assertThat(provider().machines())
        .singleElement()
        .satisfies(machine -> assertThat(machine.node()).contains(started));
  }
}

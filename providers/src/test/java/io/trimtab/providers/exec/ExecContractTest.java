package io.trimtab.providers.exec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KilledController;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example program, whose nodes are real processes, like the controller that is killed. */
class ExecContractTest extends ProviderContract {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final List<String> NODES = List.of("h1:16020", "h2:16020", "h3:16020");

  /** With a file {@code slow}, the controller that has asked can be killed meanwhile. */
  private static final String START =
      "test -e \"$FOLDER/slow\" && { touch \"$FOLDER/starting\"; sleep 2; };"
          + " cp \"$PROFILE\" \"$FOLDER/$NODE.used\";"
          + " setsid sleep 1000 >/dev/null 2>&1 & echo $! > \"$FOLDER/$NODE.pid\"";

  private static final String STOP =
      "kill $(cat \"$FOLDER/$NODE.pid\");"
          + " while kill -0 $(cat \"$FOLDER/$NODE.pid\") 2>/dev/null; do sleep 0.05; done";
  private static final String RUNNING =
      "test -e \"$FOLDER/$NODE.pid\" && kill -0 $(cat \"$FOLDER/$NODE.pid\") 2>/dev/null";

  @TempDir private Path folder;
  private ExecSettings settings;

  /** Of the controller that was killed. */
  private List<ProcessHandle> left = List.of();

  /** The controller that is killed. */
  static final class Asking {
    private Asking() {}

    /** Asks for a node: the folder, the request. */
    public static void main(String[] arguments) throws EngineException {
      Path its = Path.of(arguments[0]);
      NodeId node = KilledController.ask(settings(its), its, arguments[1]);
      System.out.println(node);
    }
  }

  private static ExecSettings settings(Path folder) {
    return new ExecSettings("nodes.py", List.of("nodes.json"), null, Duration.ZERO).in(folder);
  }

  @BeforeEach
  void configured() throws IOException {
    Path example = Path.of("..", "examples", "exec-provider.py").toAbsolutePath().normalize();
    Path program = Files.copy(example, folder.resolve("nodes.py"));
    program.toFile().setExecutable(true);
    Files.writeString(
        folder.resolve("nodes.json"),
        MAPPER.writeValueAsString(
            Map.of(
                "folder", folder.resolve("state").toString(),
                "nodes", NODES,
                "start", START,
                "stop", STOP,
                "running", RUNNING,
                "price", 0.38)));
    settings = settings(folder);
  }

  @AfterEach
  void nothingRunsOn() {
    KilledController.awaitEnd(left);
    running().forEach(this::kill);
  }

  /** The program goes on when its controller is killed. */
  @Override
  protected void askAndDie(String requestId) {
    Path state = folder.resolve("state");
    try {
      Files.createDirectories(state);
      Path slow = Files.createFile(state.resolve("slow"));
      left = KilledController.killedAt(state.resolve("starting"), Asking.class, folder, requestId);
      Files.delete(slow);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aProgramThatIsKilledWithItsControllerBeginsNoSecondNode() throws EngineException {
    askAndDie("p/new-1");
    left.forEach(ProcessHandle::destroyForcibly);
    KilledController.awaitEnd(left);
    assertThat(running()).isEmpty();
    assertThat(provider().machines())
        .singleElement()
        .satisfies(machine -> assertThat(machine.requestId()).isEqualTo("p/new-1"));

    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(running()).containsExactly(node);
    assertThat(provider().machines()).hasSize(1);
  }

  private ProviderContext context() {
    return new ProviderContext(
        () -> {
          Map<NodeId, Long> alive = new TreeMap<>();
          running().forEach(node -> alive.put(node, process(node)));
          return Snapshots.of(alive);
        },
        ProviderContext.Words.PLAIN,
        id -> folder,
        line -> {});
  }

  @Override
  protected NodeProvider provider() {
    return settings.provider(context());
  }

  @Override
  protected Set<NodeId> running() {
    Set<NodeId> running = new TreeSet<>();
    for (String node : NODES) {
      if (handle(new NodeId(node)).filter(ProcessHandle::isAlive).isPresent()) {
        running.add(new NodeId(node));
      }
    }
    return running;
  }

  private Optional<ProcessHandle> handle(NodeId node) {
    Path file = folder.resolve("state").resolve(node + ".pid");
    try {
      return Files.exists(file)
          ? ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected long process(NodeId node) {
    return handle(node).orElseThrow().pid();
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    try {
      JsonNode used = MAPPER.readTree(folder.resolve("state").resolve(node + ".used").toFile());
      return Profile.STANDARD.stream()
          .filter(profile -> profile.name().equals(used.path("name").asText()))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void kill(NodeId node) {
    ProcessHandle handle = handle(node).orElseThrow();
    handle.destroyForcibly();
    handle.onExit().join();
  }
}

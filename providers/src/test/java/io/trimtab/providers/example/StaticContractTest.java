package io.trimtab.providers.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KilledController;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.Snapshots;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/providers.md, which passes what every provider must. */
class StaticContractTest extends ProviderContract {
  private static final List<String> NODES = List.of("h1:16020", "h2:16020", "h3:16020");

  /** With a file {@code slow}, the controller that has asked can be killed meanwhile. */
  private static final String PROGRAM =
      """
      #!/bin/sh
      cd "$(dirname "$0")" || exit 1
      alive() { test -e "$1.pid" && kill -0 "$(cat "$1.pid")" 2>/dev/null; }
      case $1 in
      start)
        test -e slow && { touch starting; sleep 2; }
        alive "$2" && exit 0
        setsid sleep 1000 >/dev/null 2>&1 &
        echo $! > "$2.pid" ;;
      stop)
        alive "$2" && kill "$(cat "$2.pid")"
        while alive "$2"; do sleep 0.05; done ;;
      esac
      """;

  private static final String FILE = "provider.yaml";

  @TempDir private Path folder;
  private StaticSettings settings;

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

  private static StaticSettings settings(Path folder) {
    return (StaticSettings) ProviderFile.read(folder.resolve(FILE)).settings();
  }

  @BeforeEach
  void configured() throws IOException {
    Path program = Files.writeString(folder.resolve("node.sh"), PROGRAM);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        folder.resolve(FILE),
        """
        provider:
          static:
            nodes: ["h1:16020", "h2:16020", "h3:16020"]
            program: node.sh
        """);
    settings = settings(folder);
  }

  @AfterEach
  void nothingRunsOn() {
    running().forEach(this::kill);
  }

  @Override
  protected NodeProvider provider() {
    return settings.provider(
        new ProviderContext(
            () -> Snapshots.of(Map.of()), ProviderContext.Words.PLAIN, id -> folder, line -> {}));
  }

  /** Its program goes on when its controller is killed, and ends before anybody asks again. */
  @Override
  protected void askAndDie(String requestId) {
    try {
      Path slow = Files.createFile(folder.resolve("slow"));
      KilledController.awaitEnd(
          KilledController.killedAt(folder.resolve("starting"), Asking.class, folder, requestId));
      Files.delete(slow);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Set<NodeId> running() {
    return NODES.stream()
        .map(NodeId::new)
        .filter(node -> handle(node).filter(ProcessHandle::isAlive).isPresent())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Optional<ProcessHandle> handle(NodeId node) {
    Path file = folder.resolve(node + ".pid");
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
    return Optional.empty();
  }

  @Override
  protected boolean persists() {
    return false;
  }

  @Override
  protected boolean replaces() {
    return false;
  }

  @Override
  protected void kill(NodeId node) {
    ProcessHandle handle = handle(node).orElseThrow();
    handle.destroyForcibly();
    handle.onExit().join();
  }

  @Test
  void aProgramThatFailsIsToldInOneLine() throws IOException {
    Files.writeString(folder.resolve("node.sh"), "#!/bin/sh\necho no power >&2\nexit 4\n");
    assertThatThrownBy(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("static: start h1:16020: exit code 4: no power");
  }

  /** Without packages and imports, which a reader of the document can do without. */
  @Test
  void theDocumentHasTheseClasses() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "providers.md"));
    for (Class<?> type : List.of(StaticSettings.class, StaticProvider.class, StaticKind.class)) {
      Path source = Path.of("src", "test", "java", type.getName().replace('.', '/') + ".java");
      String text = Files.readString(source);
      int from = text.indexOf("\n\n", text.lastIndexOf("\nimport "));
      assertThat(document).as("%s", source).contains(text.substring(from).strip());
    }
  }
}

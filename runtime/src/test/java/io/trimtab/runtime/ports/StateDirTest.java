package io.trimtab.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class StateDirTest {
  private static final String HOME = "trimtab.home";

  @TempDir Path folder;

  /**
   * A process of a double.
   *
   * @param alive ids of processes that this one sees
   */
  private record Seen(long own, String space, List<Long> alive) implements ControllerProcesses {
    @Override
    public boolean alive(long id) {
      return alive.contains(id);
    }
  }

  private StateDir here(long id) {
    return new StateDir(folder, new Seen(id, "host", List.of(1L, 2L, 3L)));
  }

  private Path registration() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("controllers"))) {
      return files.filter(f -> !f.toString().endsWith(".stop")).findFirst().orElseThrow();
    }
  }

  @Test
  void aWokenControllerLeavesItsSuccessorsRegistrationAndStopRequest() {
    StateDir woken = here(1);
    StateDir successor = here(2);
    woken.register();
    successor.register();
    here(3).requestStop(true);
    woken.unregister();

    assertThat(here(3).runningControllers()).contains(2L);
    assertThat(successor.stopAsked()).isTrue();
    assertThat(successor.undoAsked()).isTrue();
  }

  @Test
  void oneThatWaitsBesideAnotherIsAskedToStopToo() throws Exception {
    StateDir acting = here(1);
    StateDir waiting = here(2);
    acting.register();
    waiting.register();

    StateDir.StopRequest request = here(3).requestStop(false);
    assertThat(request.controllers()).containsExactlyInAnyOrder(1L, 2L);
    assertThat(acting.stopAsked()).isTrue();
    // The first answers its own request, and no other.
    acting.unregister();
    assertThat(waiting.stopAsked()).isTrue();
    assertThat(waiting.undoAsked()).isFalse();
    assertThat(request.left()).containsExactly(2L);
    waiting.unregister();
    assertThat(request.left()).isEmpty();
    assertThat(here(3).requestStop(false).controllers()).isEmpty();
  }

  @Test
  void aRequestIsNotMeantForLaterControllers() {
    StateDir first = here(1);
    first.register();
    StateDir.StopRequest request = here(3).requestStop(false);
    first.unregister();
    StateDir next = here(1);
    next.register();

    assertThat(next.stopAsked()).isFalse();
    assertThat(request.left()).isEmpty();
  }

  @Test
  void aControllerInAnotherContainerIsFoundAndStopped() {
    StateDir contained = new StateDir(folder, new Seen(7, "container", List.of(7L)));
    contained.register();

    assertThat(here(3).runningControllers()).contains(7L);
    here(3).requestStop(true);
    assertThat(contained.stopAsked()).isTrue();
    assertThat(contained.undoAsked()).isTrue();
    contained.unregister();
    assertThat(here(3).runningControllers()).isEmpty();
  }

  @Test
  void whereFilesCannotBeLockedTheProcessIdTells() throws Exception {
    Files.createDirectories(folder.resolve("controllers"));
    Path file = folder.resolve("controllers").resolve("7-1");

    Files.writeString(file, "7\ncontainer\n");
    assertThat(here(3).runningControllers()).as("of another space").contains(7L);
    Files.writeString(file, "2\nhost\n");
    assertThat(here(3).runningControllers()).as("of a live process").contains(2L);
    Files.writeString(file, "7\nhost\n");
    assertThat(here(3).runningControllers()).as("of a dead process").isEmpty();
    Files.writeString(file, "7\n");
    assertThat(here(3).runningControllers()).as("being written").isEmpty();
  }

  /** A real process, in a process id space of its own where this machine allows that. */
  @Test
  void aKilledControllerIsGoneAlsoInAnotherContainer() throws Exception {
    for (List<String> contained :
        List.of(List.<String>of(), List.of("unshare", "-r", "-p", "-f"))) {
      if (!contained.isEmpty() && !works(contained)) {
        continue;
      }
      Process process = Registered.start(contained, folder);
      assertThat(here(3).runningControllers()).as("%s", contained).isNotEmpty();
      assertThat(Files.readString(registration())).endsWith("\nlocked");
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      while (!here(3).runningControllers().isEmpty()) {
        Thread.onSpinWait();
      }
      StateDir next = here(2);
      next.register();
      assertThat(here(3).runningControllers()).containsExactly(2L);
      next.unregister();
    }
  }

  private static boolean works(List<String> prefix) throws Exception {
    try {
      return new ProcessBuilder(Stream.concat(prefix.stream(), Stream.of("true")).toList())
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Registers a process that does nothing. */
  static final class Registered {
    private Registered() {}

    public static void main(String[] args) throws Exception {
      new StateDir(Path.of(args[0]), SystemPorts.PROCESSES).register();
      System.out.println("registered");
      Thread.sleep(Duration.ofMinutes(1).toMillis());
    }

    static Process start(List<String> prefix, Path folder) throws IOException {
      Process process =
          new ProcessBuilder(
                  Stream.concat(
                          prefix.stream(),
                          Stream.of(
                              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                              "-XX:TieredStopAtLevel=1",
                              "-cp",
                              System.getProperty(
                                  "surefire.test.class.path",
                                  System.getProperty("java.class.path")),
                              Registered.class.getName(),
                              folder.toString()))
                      .toList())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (process.inputReader().readLine() == null) {
        throw new IOException("it did not register");
      }
      return process;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "..", ".", "", "/etc", "a/../../b", "c\nd", "c\0d"})
  void aClusterIdLeadsNowhereElse(String id) {
    String before = System.getProperty(HOME);
    System.setProperty(HOME, folder.toString());
    try {
      StateDir state = StateDir.of(id);
      state.register();

      Path own = state.folder();
      assertThat(own.normalize()).isEqualTo(own);
      assertThat(own.getParent()).isEqualTo(folder.resolve("clusters"));
      assertThat(own.getFileName().toString()).matches("[A-Za-z0-9._-]+");
      state.unregister();
    } finally {
      if (before == null) {
        System.clearProperty(HOME);
      } else {
        System.setProperty(HOME, before);
      }
    }
  }

  @Test
  void whoRequestsAStopIsWrittenDown() throws Exception {
    StateDir state = here(1);
    state.register();
    assertThat(state.stopAsked()).isFalse();
    assertThat(state.stopAskedBy()).isEmpty();

    here(3).requestStop(false);
    assertThat(state.stopAsked()).isTrue();
    assertThat(state.undoAsked()).isFalse();
    assertThat(state.stopAskedBy())
        .startsWith("user " + System.getProperty("user.name") + " on host ");
    here(3).requestStop(true);
    assertThat(state.undoAsked()).isTrue();
    assertThat(state.stopAskedBy()).startsWith("user ");

    // As versions before wrote it.
    Path request = registration();
    request = request.resolveSibling(request.getFileName() + ".stop");
    Files.writeString(request, "stop and undo");
    assertThat(state.undoAsked()).isTrue();
    assertThat(state.stopAskedBy()).isEmpty();
    state.unregister();
  }
}

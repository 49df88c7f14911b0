package io.trimtab.providers;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A controller in a process of its own, which is killed (kill -9) after its request has come to who
 * is to answer it, and before it has heard the answer.
 */
public final class KilledController {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int TO_END_SECONDS = 30;

  /** As Java has the exit code of what was killed, and did not end by itself. */
  private static final int KILLED = 128 + 9;

  /** Of the provider's settings, in the controller's folder. */
  private static final String FILE = "provider.yaml";

  private KilledController() {}

  /** One whose provider's settings are in a file. */
  static final class OfFile {
    private OfFile() {}

    /**
     * Asks for a node: the folder, the request. The cluster has a node already: some providers do
     * not make the first one.
     */
    public static void main(String[] arguments) throws EngineException {
      Path its = Path.of(arguments[0]);
      Map<NodeId, Long> other = Map.of(new NodeId("other.example:16020"), 1L);
      ProviderSettings settings = ProviderFile.read(its.resolve(FILE)).settings();
      System.out.println(ask(settings, its, arguments[1], other));
    }
  }

  /**
   * What that process does: it asks for the first node of a cluster.
   *
   * @param folder of the controller's state
   */
  public static NodeId ask(ProviderSettings settings, Path folder, String requestId)
      throws EngineException {
    return ask(settings, folder, requestId, Map.of());
  }

  private static NodeId ask(
      ProviderSettings settings, Path folder, String requestId, Map<NodeId, Long> alive)
      throws EngineException {
    return settings
        .provider(
            new ProviderContext(
                () -> Snapshots.of(alive), ProviderContext.Words.PLAIN, id -> folder, line -> {}))
        .add(requestId, Profile.READ, List.of(), LIMIT);
  }

  /**
   * Starts the process, and kills it as soon as a file is there.
   *
   * @param main whose main method asks; its arguments are the folder and the request
   * @return the processes that it had started, which go on without it
   */
  public static List<ProcessHandle> killedAt(
      Path file, Class<?> main, Path folder, String requestId) {
    return killedWhen(() -> Files.exists(file), main, folder, requestId);
  }

  /**
   * The same of a controller with other settings, and once something else has come about.
   *
   * @param yaml the file with the provider's settings
   * @param reached whether the request is where it is to be answered
   */
  public static void killedWhen(
      BooleanSupplier reached, String yaml, Path folder, String requestId) {
    try {
      Files.writeString(folder.resolve(FILE), yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<ProcessHandle> left = killedWhen(reached, OfFile.class, folder, requestId);
    if (!left.isEmpty()) {
      throw new AssertionError("it has started processes: " + left);
    }
  }

  /** As {@link #killedAt}, once something else than a file has come about. */
  public static List<ProcessHandle> killedWhen(
      BooleanSupplier reached, Class<?> main, Path folder, String requestId) {
    try {
      Path log = folder.resolve("controller.log");
      Process controller = start(main, folder, requestId, log);
      try {
        while (!reached.getAsBoolean()) {
          if (!controller.isAlive()) {
            throw new AssertionError("it has ended by itself: " + Files.readString(log));
          }
          Thread.sleep(10);
        }
        List<ProcessHandle> left = controller.descendants().toList();
        int code = controller.destroyForcibly().waitFor();
        if (code != KILLED) {
          throw new AssertionError(
              "it has ended before it was killed, with exit code %d: %s"
                  .formatted(code, Files.readString(log)));
        }
        return left;
      } finally {
        controller.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Process start(Class<?> main, Path folder, String requestId, Path log)
      throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // What it leaves there is removed with the test's folder.
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            main.getName(),
            folder.toString(),
            requestId);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Waits until these have ended by themselves. */
  public static void awaitEnd(List<ProcessHandle> left) {
    left.forEach(process -> process.onExit().orTimeout(TO_END_SECONDS, TimeUnit.SECONDS).join());
  }
}

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

/** A controller in a process of its own, which is killed before it has heard the answer. */
public final class KilledController {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int TO_END_SECONDS = 30;

  private KilledController() {}

  /**
   * What that process does: it asks for the first node of a cluster.
   *
   * @param folder of the controller's state
   */
  public static NodeId ask(ProviderSettings settings, Path folder, String requestId)
      throws EngineException {
    return settings
        .provider(
            new ProviderContext(
                () -> Snapshots.of(Map.of()),
                ProviderContext.Words.PLAIN,
                id -> folder,
                line -> {}))
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
    try {
      Path log = folder.resolve("controller.log");
      Process controller = start(main, folder, requestId, log);
      try {
        while (!Files.exists(file)) {
          if (!controller.isAlive()) {
            throw new AssertionError("it has ended by itself: " + Files.readString(log));
          }
          Thread.sleep(10);
        }
        List<ProcessHandle> left = controller.descendants().toList();
        if (controller.destroyForcibly().waitFor() == 0) {
          throw new AssertionError("it has heard the answer before it was killed");
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

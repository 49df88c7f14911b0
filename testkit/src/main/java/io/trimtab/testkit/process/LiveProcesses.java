package io.trimtab.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes of one test, which end with it; each writes what it says to a file of its own. */
public final class LiveProcesses implements AutoCloseable {
  private final Path folder;
  private final List<Process> processes = new ArrayList<>();

  /**
   * @param folder of their output, and where they run
   */
  public LiveProcesses(Path folder) {
    this.folder = folder;
  }

  /** Starts one more. */
  public void start(String... command) throws IOException {
    processes.add(
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(processes.size() + ".log").toFile())
            .start());
  }

  /** Fails if one has ended. */
  public void assertAlive() {
    assertThat(processes).as("see %s", folder).allMatch(Process::isAlive);
  }

  /** A port of 127.0.0.1 that nobody has now. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    for (Process process : processes) {
      process.destroy();
      try {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}

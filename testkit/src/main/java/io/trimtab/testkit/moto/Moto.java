package io.trimtab.testkit.moto;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A moto server, as a process of its own that ends with this one. It is installed from a package
 * index once, below the module's target folder.
 */
public final class Moto {
  private static final String VERSION = "5.2.5";

  /** Set to {@code none}, it leaves out the tests that need a moto server. */
  private static final String VARIABLE = "TRIMTAB_MOTO";

  private static final Duration INSTALLING = Duration.ofMinutes(10);
  private static final Duration STARTING = Duration.ofMinutes(2);

  /** Of what is installed little is ever loaded, and compiled then. */
  private static final String NO_COMPILE = "--no-compile";

  /** Ends when its standard input does, so that it does not outlive a test that was killed. */
  private static final String PROGRAM =
      """
      import os, sys, threading

      def watch():
          sys.stdin.read()
          os._exit(0)

      threading.Thread(target=watch, daemon=True).start()
      from moto.server import main
      main(["-H", "127.0.0.1", "-p", sys.argv[1]])
      """;

  private static Moto shared;

  /** Why there is none; found out once, since that takes its time. */
  private static AssertionError missing;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private final URI address;
  private final Process process;

  private Moto(URI address, Process process) {
    this.address = address;
    this.process = process;
  }

  /**
   * The server of this JVM's tests; started when it is first asked for. The test is aborted if it
   * is to be left out, and fails with one line if there is no moto.
   */
  public static synchronized Moto shared() throws IOException, InterruptedException {
    if ("none".equals(System.getenv(VARIABLE))) {
      Assumptions.abort(VARIABLE + "=none: tests that need a moto server are left out");
    }
    if (missing != null) {
      throw new AssertionError(missing.getMessage(), missing);
    }
    if (shared == null || !shared.process.isAlive()) {
      try {
        shared = start(Path.of("target", "moto").toAbsolutePath());
      } catch (AssertionError e) {
        missing = e;
        throw e;
      }
    }
    return shared;
  }

  /** Where the APIs are: {@code http://127.0.0.1:PORT}. */
  public URI address() {
    return address;
  }

  /** Forgets all that was made. */
  public void reset() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve("/moto-api/reset"))
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    int status = http.send(request, BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new IOException("moto's reset: HTTP status " + status);
    }
  }

  private static Moto start(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Installed installed = installed(folder);
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path log = folder.resolve("moto.log");
    ProcessBuilder builder =
        new ProcessBuilder(installed.python(), "-c", PROGRAM, String.valueOf(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(installed.environment());
    Moto moto = new Moto(URI.create("http://127.0.0.1:" + port), builder.start());
    moto.awaitStart(log);
    return moto;
  }

  private void awaitStart(Path log) throws InterruptedException {
    long end = System.nanoTime() + STARTING.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      try {
        reset();
        return;
      } catch (IOException e) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
    process.destroyForcibly();
    throw new AssertionError("moto has not started; its log is " + log);
  }

  /** How to run a Python that has moto. */
  private record Installed(String python, Map<String, String> environment) {}

  private static Installed installed(Path folder) throws IOException, InterruptedException {
    String what = "moto[server]==" + VERSION;
    Path venv = folder.resolve("venv");
    Path library = folder.resolve("library-" + VERSION);
    Path done = folder.resolve("venv-" + VERSION + ".done");
    Path log = folder.resolve("install.log");
    String python = venv.resolve("bin").resolve("python").toString();
    Installed own = new Installed(python, Map.of());
    Installed beside = new Installed("python3", Map.of("PYTHONPATH", library.toString()));
    if (Files.exists(done)) {
      return own;
    }
    if (Files.exists(library.resolve("moto").resolve("server.py"))) {
      return beside;
    }
    if (ran(log, "python3", "-m", "venv", "--clear", venv.toString())
        && ran(log, python, "-m", "pip", "install", "--quiet", NO_COMPILE, what)) {
      Files.createFile(done);
      return own;
    }
    // A Python without the module that makes environments may have an installer all the same.
    Path fresh = folder.resolve("library.new");
    String[] targeted = {
      "python3", "-m", "pip", "install", "--quiet", NO_COMPILE, "--target", fresh.toString(), what
    };
    if (ran(log, targeted)) {
      Files.move(fresh, library);
      return beside;
    }
    throw new AssertionError(
        "this test needs moto %s: install Debian's python3-venv and let pip reach a package index,"
                .formatted(VERSION)
            + " or leave it out with %s=none; the log is %s".formatted(VARIABLE, log));
  }

  /** Whether a command has ended well. */
  private static boolean ran(Path log, String... command) throws IOException, InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .redirectInput(Path.of("/dev/null").toFile())
              .start();
      if (!process.waitFor(INSTALLING.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      Files.writeString(log, e.getMessage() + "\n");
      return false;
    }
  }
}

package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.contract.OtherEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program in a process and a home of its own, with the log that the product has. */
public final class LiveController implements AutoCloseable {
  private static final long LIMIT_S = 300;

  private final Process process;
  private final Path said;

  private LiveController(Process process, Path said) {
    this.process = process;
    this.said = said;
  }

  /**
   * Starts one.
   *
   * @param home its {@code trimtab.home}, in which also what it says is kept
   * @param variables of its environment, besides this process's
   */
  static LiveController start(
      Class<?> main, Path home, Map<String, String> variables, List<String> arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dtrimtab.home=" + home,
                // The product's; tests have another one on the class path, which would go first.
                "-Dlogback.configurationFile=logback.xml",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                OtherEngine.ownClassPath(),
                main.getName()));
    command.addAll(arguments);
    Path said = Files.createTempFile(home, "said-", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    return new LiveController(process, said);
  }

  /** The product's own command. */
  public static LiveController command(Path home, List<String> arguments) throws IOException {
    return start(Main.class, home, Map.of(), arguments);
  }

  /** The one line in which the product's own command tells why it does not even begin. */
  static String refused(Path home, List<String> arguments) throws Exception {
    try (LiveController command = command(home, arguments)) {
      assertThat(command.ended()).as("%s", command.said()).isEqualTo(Main.REFUSED);
      return command.problem();
    }
  }

  /** Its exit code; it must end by itself. */
  public int ended() throws InterruptedException {
    assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS)).as("it ends: %s", said()).isTrue();
    return process.exitValue();
  }

  /** What it has printed until now. */
  public String said() {
    try {
      return Files.readString(said);
    } catch (IOException e) {
      throw new AssertionError(said + " can't be read", e);
    }
  }

  /** The one line in which the program tells what went wrong. */
  public String problem() {
    List<String> problems = said().lines().filter(line -> line.startsWith("trimtab: ")).toList();
    assertThat(problems).as("%s", said()).hasSize(1);
    return problems.get(0);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

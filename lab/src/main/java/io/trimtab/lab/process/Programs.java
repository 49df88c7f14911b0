package io.trimtab.lab.process;

import io.trimtab.config.UserError;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the system that a lab runs and waits for. */
public final class Programs {
  private Programs() {}

  /**
   * What a program that has ended said, to standard output and error together.
   *
   * @param code 0: it did what it was asked for
   * @param text without surrounding blanks
   */
  public record Said(int code, String text) {
    public String firstLine() {
      return text.split("\n", 2)[0];
    }

    public String lastLine() {
      return text.substring(text.lastIndexOf('\n') + 1);
    }

    /** Of one that failed: its name, and what it said first, before any advice. */
    public String failure(String program) {
      String first = text.isEmpty() ? "exit code " + code : firstLine();
      return first.startsWith(program + ":") ? first : program + ": " + first;
    }
  }

  /** Where a program is; Debian has some where ordinary users' shells do not look. */
  public static Optional<Path> find(String name) {
    return Stream.concat(
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
            Stream.of("/usr/sbin", "/sbin", "/usr/local/sbin"))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs a program until it ends.
   *
   * @param command the program with its arguments
   * @param input for its standard input
   * @param variables of its environment, beside those of this process
   * @throws UserError where it can't be started, or this thread is interrupted meanwhile
   */
  public static Said run(List<String> command, String input, Map<String, String> variables) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    try {
      Process process = builder.start();
      try (var in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.waitFor(), said.strip());
    } catch (IOException e) {
      String program = Path.of(command.get(0)).getFileName().toString();
      throw new UserError(program + " can't be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted", e);
    }
  }
}

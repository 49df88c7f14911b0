package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The way of a new user: what {@code docs/connections.md} says, as it stands there. */
final class DocumentedCommands {
  private static final int COMMANDS_MAX = 3;
  private static final String CONNECTIONS = "connections.yaml";

  /** A plan's head, or a policy's own reason for none: not the observation's, nor the guard's. */
  private static final Pattern DECIDED =
      Pattern.compile(
          "(?m)^(?:plan \\S+, policy .+|no plan: .+ \\(policy [a-z0-9-]+(?:; setting: .+)?\\))$");

  private DocumentedCommands() {}

  /**
   * Writes the document's file of connections into a home with a lab's keys, and runs its commands
   * by the script: the check must find nothing to mend, and the plan must be a policy's decision.
   *
   * @param name of the cluster in the document
   * @param secure the lab's folder with keys and passwords
   * @param folder an empty one, for the script and the home
   * @param edit replaces the document's hosts and files by the lab's, and nothing else
   * @param variables of the environment, to which the document refers
   * @param observing options of {@code plan} that follow the document's words; empty: it observes
   *     the cluster for two and a half minutes
   */
  static void run(
      String name,
      Path secure,
      Path folder,
      UnaryOperator<String> edit,
      Map<String, String> variables,
      String observing)
      throws IOException, InterruptedException {
    Path home = Files.createDirectory(folder.resolve("home"));
    copy(secure, home);
    Files.writeString(home.resolve(CONNECTIONS), edit.apply(connections(name)));
    List<String> commands =
        lines("\\./trimtab (?:connect check|plan --cluster) " + name).distinct().toList();
    assertThat(commands).hasSizeBetween(2, COMMANDS_MAX);
    ScriptCheckout checkout = ScriptCheckout.in(Files.createDirectory(folder.resolve("checkout")));
    for (String command : commands) {
      String given = isPlan(command) ? command + observing : command;
      assertSaid(command, checkout.run(given, home, variables));
    }
  }

  private static boolean isPlan(String command) {
    return command.contains("trimtab plan ");
  }

  /**
   * A command that has ended with 0 may still have told of something that it did without: a plan is
   * made of what could be read.
   */
  private static void assertSaid(String command, String said) {
    if (isPlan(command)) {
      assertThat(said)
          .as(command)
          .containsPattern(DECIDED)
          .doesNotContain("unknown", "not known", "can't be read");
    } else if (command.contains("trimtab connect check ")) {
      assertThat(said.lines())
          .as("%s%n%s", command, said)
          .anyMatch(line -> line.startsWith("ok "))
          .noneMatch(line -> line.startsWith("FAILED"));
    }
  }

  /**
   * Starts a lab, checks it and makes a plan, as the document says, in an empty home.
   *
   * @param database in the document's words
   * @param folder an empty one
   */
  static void tryOut(String database, Path folder) throws IOException, InterruptedException {
    Path home = Files.createDirectory(folder.resolve("home"));
    ScriptCheckout checkout = ScriptCheckout.in(Files.createDirectory(folder.resolve("checkout")));
    List<String> commands = block("lab up " + database + " --secure");
    assertThat(commands).hasSize(COMMANDS_MAX);
    try {
      for (String command : commands) {
        String given = command.replace("~/.trimtab", home.toString());
        assertSaid(command, checkout.run(given, home, Map.of()));
      }
    } finally {
      checkout.run("./trimtab lab down --all", home, Map.of());
    }
  }

  private static String document() throws IOException {
    return Files.readString(ScriptCheckout.repository().resolve("docs").resolve("connections.md"));
  }

  /** The document's first file with this cluster. */
  private static String connections(String name) throws IOException {
    return found("(?s)```yaml\\n(clusters:\\n  " + name + ":\\n.*?)```");
  }

  /** The lines of the block that begins with a command. */
  private static List<String> block(String command) throws IOException {
    return found("(?s)```\\n(\\./trimtab " + command + "\\n.*?)```").lines().toList();
  }

  private static String found(String pattern) throws IOException {
    Matcher found = Pattern.compile(pattern).matcher(document());
    assertThat(found.find()).as("%s in docs/connections.md", pattern).isTrue();
    return found.group(1);
  }

  private static Stream<String> lines(String pattern) throws IOException {
    return document().lines().filter(line -> line.matches(pattern));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path source : all.filter(file -> !file.endsWith(CONNECTIONS)).toList()) {
        Path target = to.resolve(from.relativize(source).toString());
        if (Files.isDirectory(source)) {
          Files.createDirectories(target);
        } else {
          Files.copy(source, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}

package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.clikit.Terminal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The way of a new user: a folder with a file of connections and what it refers to, and the
 * commands of {@code docs/connections.md}, word for word; a test may add how {@code plan} observes.
 */
final class DocumentedCommands {
  private static final int COMMANDS_MAX = 3;

  private DocumentedCommands() {}

  /**
   * Runs them.
   *
   * @param name of the cluster in the document
   * @param lab of the same cluster in the lab's own file
   * @param secure the lab's folder with that file
   * @param home an empty folder, which is made {@code trimtab.home} meanwhile
   * @param edit what the operator changes in the file besides the name
   * @param observing options of {@code plan} that follow the document's words; empty: it observes
   *     the cluster for two and a half minutes
   */
  static void run(
      String name,
      String lab,
      Path secure,
      Path home,
      UnaryOperator<String> edit,
      List<String> observing)
      throws IOException {
    copy(secure, home);
    Path file = home.resolve("connections.yaml");
    String named = Files.readString(file).replace("\n  " + lab + ":", "\n  " + name + ":");
    Files.writeString(file, edit.apply(named));
    List<String> commands = commands(name);
    assertThat(commands).hasSizeBetween(2, COMMANDS_MAX);
    String before = System.getProperty("trimtab.home");
    System.setProperty("trimtab.home", home.toString());
    try {
      for (String command : commands) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        if (words.get(0).equals("plan")) {
          words.addAll(observing);
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(out, err, false, false, false);
        assertThat(new Main(terminal).run(words.toArray(new String[0])))
            .as("%s%n%s%n%s", command, out, err)
            .isZero();
      }
    } finally {
      if (before == null) {
        System.clearProperty("trimtab.home");
      } else {
        System.setProperty("trimtab.home", before);
      }
    }
  }

  private static List<String> commands(String name) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("trimtab"))) {
      root = root.getParent();
    }
    Pattern command =
        Pattern.compile("(?m)^\\./trimtab ((?:connect check|plan --cluster) " + name + ")$");
    String text = Files.readString(root.resolve("docs").resolve("connections.md"));
    return command.matcher(text).results().map(found -> found.group(1)).distinct().toList();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path source : all.toList()) {
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

package io.trimtab.contract.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.lab.cluster.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Machines of the provider {@code exec}: the example program, with commands that start and stop the
 * nodes of a lab. They bear the numbers of the lab's nodes.
 *
 * @param folder of the program
 */
record ProgramMachines(Path folder) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final String PROVIDER =
      """
      provider:
        exec:
          program: nodes.py
          arguments: [nodes.json]
          limit: 5m
      """;

  /** What the program calls; the environment is the program's. */
  private static final String COMMANDS =
      """
      pid=%1$s/n$((${HOST##*.} - 10))-%4$s.pid
      case $1 in
        start)
          echo "$NODE" >>"$FOLDER/starts"
          { echo "node=$NODE"; echo "tokens=$TOKENS"; } >"$FOLDER/$HOST"
          exec %2$s @%3$s start "$FOLDER/$HOST"
          ;;
        stop) exec %2$s @%3$s stop "$FOLDER/$HOST" ;;
        running) test -s "$pid" && kill -0 "$(cut -d ' ' -f 1 "$pid")" ;;
      esac
      """;

  /**
   * Writes the program, its configuration, and the file that names it.
   *
   * @param process kind of the one that is a node of the database
   * @param home of the lab
   * @param nodes that the lab starts, in this order
   */
  static ProgramMachines write(Lab lab, String process, Path home, Path folder, List<String> nodes)
      throws IOException {
    Path arguments = folder.resolve("java.args");
    Files.writeString(arguments, BootedNode.arguments(home, lab.config().name()));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path commands = folder.resolve("node.sh");
    Files.writeString(commands, COMMANDS.formatted(lab.dir().run(), java, arguments, process));
    Path example = Path.of("..", "examples", "exec-provider.py").toAbsolutePath().normalize();
    Path program = Files.copy(example, folder.resolve("nodes.py"));
    program.toFile().setExecutable(true);
    ProgramMachines machines = new ProgramMachines(folder);
    Files.writeString(
        folder.resolve("nodes.json"),
        MAPPER.writeValueAsString(
            Map.of(
                "folder", machines.state().toString(),
                "nodes", nodes,
                "start", "sh " + commands + " start",
                "stop", "sh " + commands + " stop",
                "running", "sh " + commands + " running")));
    Files.writeString(machines.provider(), PROVIDER);
    return machines;
  }

  private Path state() {
    return folder.resolve("state");
  }

  /** The file that names the provider. */
  Path provider() {
    return folder.resolve("provider.yaml");
  }

  /** The nodes of which the program says that it has started them for a request. */
  List<String> used() throws IOException {
    List<String> nodes = new ArrayList<>();
    JsonNode used = MAPPER.readTree(state().resolve("state.json").toFile());
    used.fieldNames().forEachRemaining(nodes::add);
    return nodes;
  }

  /** The nodes for which the command that starts one was called, once for each call. */
  List<String> starts() throws IOException {
    return Files.readAllLines(state().resolve("starts"));
  }
}

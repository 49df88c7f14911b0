package io.trimtab.runtime;

import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.controller.settings.Settings;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of {@code scenarios}: prose, a cluster, settings, and commands, each with what it is
 * expected to print.
 *
 * <pre>
 * # Prose.
 * cluster assigned nodes=3 copies=1    (or ring, or claimed: a ring of parts=64 equal parts;
 *                                      gives=NODE: only that one can be given back)
 * table orders partitions=4 size=1g reads=9000
 * settings
 *   policy: met-1
 * &gt; a command of {@link ScenarioRun}
 * what it prints
 * </pre>
 *
 * @param gives the only node that its provider gives back; empty if it gives back any
 * @param balancer whether the database moves partitions itself while no plan runs
 * @param header all lines before the first command
 * @param commands without the mark
 * @param text the file, as it is
 */
record Scenario(
    List<String> header,
    ClusterSpec cluster,
    String gives,
    boolean balancer,
    Settings settings,
    List<String> commands,
    List<String> text) {
  private static final String MARK = "> ";

  private static final String BALANCER_OFF = " balancer=off";

  private static final Pattern GIVES = Pattern.compile(" gives=(\\S+)");

  /** Stands for the folder of the scenarios in settings that name a file. */
  private static final String FOLDER = "{folder}";

  static Scenario read(Path file) throws IOException {
    List<String> text = Files.readAllLines(file);
    List<String> header = text.stream().takeWhile(line -> !line.startsWith(MARK)).toList();
    List<String> commands =
        text.stream()
            .filter(line -> line.startsWith(MARK))
            .map(line -> line.substring(MARK.length()))
            .toList();
    List<TableSpec> tables = new ArrayList<>();
    StringBuilder settings = new StringBuilder();
    String cluster = "";
    for (String line : header) {
      if (line.startsWith("cluster ")) {
        cluster = line;
      } else if (line.startsWith("table ")) {
        tables.add(table(line));
      } else if (line.startsWith("  ")) {
        settings.append(line.substring(2)).append('\n');
      } else if (!line.startsWith("#") && !line.isBlank() && !line.equals("settings")) {
        throw new IllegalArgumentException(file + ": what is '" + line + "'?");
      }
    }
    Matcher gives = GIVES.matcher(cluster);
    String yaml = settings.toString().replace(FOLDER, file.getParent().toString());
    return new Scenario(
        header,
        cluster(gives.replaceAll("").replace(BALANCER_OFF, ""), tables),
        gives.reset().find() ? gives.group(1) : "",
        !cluster.contains(BALANCER_OFF),
        StrictYaml.parse(file.toString(), yaml, Settings.class),
        commands,
        text);
  }

  /** The file as it would be if this were what its commands print. */
  List<String> with(List<String> outputs) {
    List<String> lines = new ArrayList<>(header);
    for (int i = 0; i < commands.size(); i++) {
      lines.add(MARK + commands.get(i));
      outputs.get(i).lines().forEach(lines::add);
      lines.add("");
    }
    lines.remove(lines.size() - 1);
    return lines;
  }

  private static ClusterSpec cluster(String line, List<TableSpec> tables) {
    Words words = new Words(line);
    int nodes = (int) words.number("nodes", 3);
    TableSpec[] all = tables.toArray(TableSpec[]::new);
    long seed = (long) words.number("seed", 1);
    int copies = (int) words.number("copies", 1);
    ClusterSpec shape =
        switch (words.name) {
          case "ring" -> ClusterSpec.ring(seed, nodes, copies, all);
          case "claimed" ->
              ClusterSpec.claimed(seed, nodes, copies, (int) words.number("parts", 64), all);
          default -> ClusterSpec.assigned(seed, nodes, all);
        };
    ClusterSpec spec =
        shape
            .withReplication(copies)
            .withSpare((int) words.number("spare", 10))
            .withCores(words.number("cores", 1))
            .withHeap(Bytes.parse(words.text("heap", "1g")).value())
            .withOnline(!"restart".equals(words.text("profiles", "online")));
    words.done();
    return spec;
  }

  private static TableSpec table(String line) {
    Words words = new Words(line);
    Access access =
        new Access(
            words.number("reads", 0),
            words.number("scans", 0),
            words.number("rows", 0),
            words.number("writes", 0));
    TableSpec table =
        TableSpec.of(
                words.name,
                (int) words.number("partitions", 1),
                Bytes.parse(words.text("size", "1g")).value(),
                access)
            .withSkew(words.number("skew", 0));
    double hot = words.number("hot", 0);
    double at = words.number("at", 0);
    words.done();
    return hot == 0 ? table : table.with(KeyDistribution.hot(hot, 0.02, seconds -> at));
  }

  /** {@code kind name key=value …} */
  private static final class Words {
    private final String name;
    private final Map<String, String> values = new TreeMap<>();

    Words(String line) {
      String[] words = line.strip().split("\\s+");
      name = words[1];
      for (int i = 2; i < words.length; i++) {
        String[] pair = words[i].split("=", 2);
        values.put(pair[0], pair[1]);
      }
    }

    String text(String key, String otherwise) {
      String value = values.remove(key);
      return value == null ? otherwise : value;
    }

    double number(String key, double otherwise) {
      String value = values.remove(key);
      return value == null ? otherwise : Double.parseDouble(value);
    }

    void done() {
      if (!values.isEmpty()) {
        throw new IllegalArgumentException("what is " + values.keySet() + " of " + name + "?");
      }
    }
  }
}

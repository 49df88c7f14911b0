package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * A lab's file of connections in another form.
 *
 * @param cluster its name there
 */
public record EditedConnections(Path file, String cluster) {
  /** Writes it beside the lab's own, so that paths in it stay what they are. */
  public static EditedConnections write(
      Path lab, String cluster, String name, UnaryOperator<String> edit) throws IOException {
    String text = Files.readString(lab);
    String edited = edit.apply(text);
    assertThat(edited).isNotEqualTo(text);
    return new EditedConnections(
        Files.writeString(lab.resolveSibling(name + ".yaml"), edited), cluster);
  }

  /**
   * The same with another client's folder, whose settings go before the lab's own.
   *
   * @param name of the folder as well
   * @param site of its {@code hbase-site.xml}
   */
  static EditedConnections preferring(
      Path lab, String cluster, String name, Map<String, String> site) throws IOException {
    Configuration settings = new Configuration(false);
    site.forEach(settings::set);
    Path folder = Files.createDirectories(lab.resolveSibling(name));
    try (Writer out = Files.newBufferedWriter(folder.resolve("hbase-site.xml"))) {
      settings.writeXml(out);
    }
    return write(
        lab, cluster, name, text -> text.replace("conf: conf\n", "conf: conf," + name + "\n"));
  }

  /** What names the cluster on a command line, after other words. */
  public List<String> arguments(String... before) {
    List<String> arguments = new ArrayList<>(List.of(before));
    arguments.addAll(List.of("--cluster", cluster, "--connections", file.toString()));
    return arguments;
  }
}

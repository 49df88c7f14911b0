package io.trimtab.formats.connections;

import io.trimtab.config.Home;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * A file of connections. Paths in it that are relative are taken from its own folder. It has no
 * passwords, only where they are.
 *
 * @param clusters by name: 1 to 60 of {@code A-Z a-z 0-9 _ . -}
 */
public record Connections(Map<String, Connection> clusters) {
  private static final String NAME = "[A-Za-z0-9_.-]{1,60}";

  public Connections {
    if (clusters == null || clusters.isEmpty()) {
      throw new IllegalArgumentException("clusters is missing or empty");
    }
    clusters.forEach(
        (name, connection) -> {
          if (!name.matches(NAME)) {
            throw new IllegalArgumentException(
                "clusters: a name must be 1 to 60 of A-Z a-z 0-9 _ . -, not " + name);
          }
          if (connection == null) {
            throw new IllegalArgumentException("clusters." + name + " is empty");
          }
        });
    // In the file's order, for whoever prints it.
    clusters = Collections.unmodifiableMap(new LinkedHashMap<>(clusters));
  }

  /** Where it is unless the user says otherwise. */
  public static Path defaultFile() {
    return Home.folder().resolve("connections.yaml");
  }

  /**
   * Reads the file; no password is read.
   *
   * @throws UserError naming file, line and key
   */
  public static Connections read(Path file) {
    return StrictYaml.read(file, Connections.class);
  }

  /**
   * Finds a cluster.
   *
   * @param file it was read from, for the error
   * @throws UserError with the names that there are
   */
  public Connection named(String name, Path file) {
    Connection found = clusters.get(name);
    if (found == null) {
      throw new UserError(
          "%s: no cluster %s; there are: %s"
              .formatted(file, name, String.join(", ", new TreeSet<>(clusters.keySet()))));
    }
    return found;
  }
}

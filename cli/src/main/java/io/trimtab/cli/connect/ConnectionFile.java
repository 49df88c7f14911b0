package io.trimtab.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.Connection;
import io.trimtab.formats.connections.Connections;
import io.trimtab.providers.ProviderSection;
import io.trimtab.sources.MetricsConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A file of connections with all its sections: the form of {@code provider} and {@code metrics} is
 * that of other modules than the rest's. It is read when it is first asked, and these sections when
 * a cluster's are.
 */
public final class ConnectionFile {
  private final Path file;
  private Connections connections;
  private Map<String, Sections> sections;

  /** What a cluster has beside its connection; the others are in {@link Connection}. */
  record Sections(
      JsonNode hbase, JsonNode cassandra, ProviderSection provider, MetricsConfig metrics) {}

  /** The file as it stands. */
  record Content(Map<String, Sections> clusters) {}

  /**
   * No password is read of it, and nothing contacted. Whatever asks for what the file says fails
   * with a {@link UserError} that names file, line and key, if the file is not as it should be.
   */
  ConnectionFile(Path file) {
    this.file = file;
  }

  /**
   * The connections of a file, after all its sections were checked.
   *
   * @throws UserError naming file, line and key
   */
  public static Connections read(Path file) {
    ConnectionFile read = new ConnectionFile(file);
    Connections connections = read.connections();
    read.sections();
    return connections;
  }

  private Connections connections() {
    if (connections == null) {
      connections = Connections.read(file);
    }
    return connections;
  }

  private Map<String, Sections> sections() {
    if (sections == null) {
      sections = StrictYaml.read(file, Content.class).clusters();
    }
    return sections;
  }

  /** Whether it has a cluster of this name; false where there is no such file. */
  boolean has(String name) {
    return Files.exists(file) && connections().clusters().containsKey(name);
  }

  /** As {@link Connections#named}. */
  Connection named(String name) {
    return connections().named(name, file);
  }

  /** What starts and stops the nodes of a cluster that is there. */
  Optional<ProviderSection> provider(String name) {
    return Optional.ofNullable(sections().get(name).provider()).map(p -> p.in(folder()));
  }

  /** Who tells of the nodes of a cluster that is there, beside the database. */
  Optional<MetricsConfig> metrics(String name) {
    return Optional.ofNullable(sections().get(name).metrics()).map(m -> m.in(folder()));
  }

  /** For errors. */
  Path file() {
    return file;
  }

  /** From which paths in the file are taken. */
  Path folder() {
    return file.toAbsolutePath().getParent();
  }
}

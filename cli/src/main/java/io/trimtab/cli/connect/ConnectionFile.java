package io.trimtab.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.Connection;
import io.trimtab.formats.connections.Connections;
import io.trimtab.providers.ProviderSection;
import io.trimtab.sources.MetricsConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A file of connections with all its sections: the form of {@code provider} and {@code metrics} is
 * that of other modules than the rest's.
 */
public final class ConnectionFile {
  private final Path file;
  private final Connections connections;
  private final Map<String, Sections> sections;

  /** What a cluster has beside its connection; the others are in {@link Connection}. */
  record Sections(
      JsonNode hbase, JsonNode cassandra, ProviderSection provider, MetricsConfig metrics) {}

  /** The file as it stands. */
  record Content(Map<String, Sections> clusters) {}

  private ConnectionFile(Path file) {
    this.file = file;
    this.connections = Connections.read(file);
    this.sections = StrictYaml.read(file, Content.class).clusters();
  }

  /**
   * Reads the file; no password is read, and nothing contacted.
   *
   * @throws UserError naming file, line and key
   */
  static ConnectionFile of(Path file) {
    return new ConnectionFile(file);
  }

  /**
   * The connections of a file, after all its sections were checked.
   *
   * @throws UserError as {@link #of}
   */
  public static Connections read(Path file) {
    return of(file).connections;
  }

  /** As {@link Connections#named}. */
  Connection named(String name) {
    return connections.named(name, file);
  }

  /** What starts and stops the nodes of a cluster that is there. */
  Optional<ProviderSection> provider(String name) {
    return Optional.ofNullable(sections.get(name).provider()).map(p -> p.in(folder()));
  }

  /** Who tells of the nodes of a cluster that is there, beside the database. */
  Optional<MetricsConfig> metrics(String name) {
    return Optional.ofNullable(sections.get(name).metrics()).map(m -> m.in(folder()));
  }

  /** From which paths in the file are taken. */
  Path folder() {
    return file.toAbsolutePath().getParent();
  }
}
